import { itemKey, type ContextItemBase, type SessionContextItem } from '../../context/item.js';
import { unsearched, type OwnSlice } from './slice.js';

export interface ContextState {
  /** The session context by item key, in the order in which the items were added. */
  readonly context: ReadonlyMap<string, SessionContextItem>;
  /** Keys of removed items that stay in the prompt until the next relayout. */
  readonly leaving: ReadonlySet<string>;
}

export type ContextEvent =
  | { readonly type: 'context-added'; readonly item: SessionContextItem }
  /** `later`: the item's blocks stay in the prompt until the next relayout. */
  | { readonly type: 'context-removed'; readonly item: ContextItemBase; readonly leaves: 'now' | 'later' }
  /** The user asked for a relayout with the next request. */
  | { readonly type: 'relayout-asked' };

interface ContextJson {
  readonly items: readonly SessionContextItem[];
  readonly leaving: readonly string[];
}

/** The session context. */
export const context: OwnSlice<ContextState, ContextEvent, ContextJson> = {
  initial: () => ({ context: new Map(), leaving: new Set() }),
  events: {
    'context-added': unsearched('slice', (state, { item }) => {
      state.context.set(itemKey(item), item);
      state.leaving.delete(itemKey(item));
    }),
    'context-removed': unsearched('slice', (state, { item, leaves }) => {
      const isThere = state.context.delete(itemKey(item));
      if (isThere && leaves === 'later') {
        state.leaving.add(itemKey(item));
      }
    }),
    'relayout-asked': unsearched('slice', (state) => {
      state.leaving.clear();
    }),
  },
  follows: {},
  snapshot: (state) => ({ items: [...state.context.values()], leaving: [...state.leaving] }),
  restore: ({ items, leaving }) => ({ context: new Map(items.map((item) => [itemKey(item), item])), leaving: new Set(leaving) }),
  exported: () => [],
  fork: (state) => [...state.context.values()].map((item) => ({ type: 'context-added', item })),
  isUntouched: (state) => state.context.size === 0 && state.leaving.size === 0,
};
