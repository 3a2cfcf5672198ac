import { isCatalogType, itemKey, type ContextItemBase, type SessionContextItem } from '../../record/item.js';
import type { AttemptStarted } from './attempts.js';
import { unsearched, type Slice } from './slice.js';

export interface ContextState {
  /** The session context by item key, in the order in which the items were added. */
  readonly context: ReadonlyMap<string, SessionContextItem>;
  /** Removed items that remain in the prompt until the prompt is rebuilt, by key. */
  readonly leaving: ReadonlyMap<string, ContextItemBase>;
  /** Catalog items that the user removed from the chat, by key. */
  readonly removed: ReadonlyMap<string, ContextItemBase>;
  /** Keys of removed items that were never in the chat. Loupe does not select these for messages of the chat. */
  readonly declined: ReadonlySet<string>;
  /** Whether the user requested a rebuild of the prompt since the last request. */
  readonly relayoutAsked: boolean;
}

export type ContextEvent =
  | { readonly type: 'context-added'; readonly item: SessionContextItem }
  /** The user removed an item. `later`: the blocks of the item remain in the prompt until the prompt is rebuilt. */
  | { readonly type: 'context-removed'; readonly item: ContextItemBase; readonly leaves: 'now' | 'later' }
  /** The user undid the removal of an item: the item returns with the include mode that the catalog gives it. */
  | { readonly type: 'removal-undone'; readonly item: ContextItemBase }
  /** The user requested a rebuild of the prompt with the next request. */
  | { readonly type: 'relayout-asked' };

export function contextAdded(item: SessionContextItem): Extract<ContextEvent, { readonly type: 'context-added' }> {
  return { type: 'context-added', item };
}

interface ContextJson {
  readonly items: readonly SessionContextItem[];
  readonly leaving: readonly ContextItemBase[];
  readonly removed: readonly ContextItemBase[];
  readonly declined: readonly string[];
  readonly relayoutAsked: boolean;
}

export const context: Slice<{
  state: ContextState;
  event: ContextEvent;
  json: ContextJson;
  reads: ContextState;
  follows: AttemptStarted;
}> = {
  initial: () => ({ context: new Map(), leaving: new Map(), removed: new Map(), declined: new Set(), relayoutAsked: false }),
  events: {
    'context-added': unsearched('slice', (state, { item }) => {
      state.context.set(itemKey(item), item);
      state.leaving.delete(itemKey(item));
      state.removed.delete(itemKey(item));
      state.declined.delete(itemKey(item));
    }),
    'context-removed': unsearched('slice', (state, { item, leaves }) => {
      const wasIn = state.context.delete(itemKey(item));
      if (leaves === 'later') {
        state.leaving.set(itemKey(item), item);
      } else {
        state.leaving.delete(itemKey(item));
      }
      if (isCatalogType(item.type)) {
        state.removed.set(itemKey(item), item);
        if (!wasIn) {
          state.declined.add(itemKey(item));
        }
      }
    }),
    'removal-undone': unsearched('slice', (state, { item }) => {
      state.removed.delete(itemKey(item));
      state.declined.delete(itemKey(item));
    }),
    'relayout-asked': unsearched('slice', (state) => {
      state.leaving.clear();
      state.relayoutAsked = true;
    }),
  },
  follows: {
    'attempt-started': (state, { purpose }) => {
      state.relayoutAsked = state.relayoutAsked && purpose !== 'reply';
    },
  },
  snapshot: (state) => ({
    items: [...state.context.values()],
    leaving: [...state.leaving.values()],
    removed: [...state.removed.values()],
    declined: [...state.declined],
    relayoutAsked: state.relayoutAsked,
  }),
  restore: ({ items, leaving, removed, declined, relayoutAsked }) => ({
    context: new Map(items.map((item) => [itemKey(item), item])),
    leaving: new Map(leaving.map((item) => [itemKey(item), item])),
    removed: new Map(removed.map((item) => [itemKey(item), item])),
    declined: new Set(declined),
    relayoutAsked,
  }),
  exported: () => [],
  // The first request of the fork still contains the items in `leaving`, because the cached prefix contains them.
  fork: (state) => [
    ...[...state.context.values()].map(contextAdded),
    ...[...state.leaving.values()].map((item) => ({ type: 'context-removed', item, leaves: 'later' }) as const),
    ...[...state.removed].flatMap(([key, item]) => [
      // Without `contextAdded`, the fold adds the item to `declined`.
      ...(state.declined.has(key) ? [] : [contextAdded({ ...item, includeMode: 'manual', addedHash: null, given: null })]),
      { type: 'context-removed', item, leaves: 'now' } as const,
    ]),
  ],
  isUntouched: (state) =>
    [...state.context.values()].every(({ includeMode }) => includeMode === 'always') &&
    state.leaving.size === 0 &&
    state.removed.size === 0 &&
    !state.relayoutAsked,
};
