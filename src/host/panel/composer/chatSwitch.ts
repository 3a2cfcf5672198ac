import { itemOf, type CatalogItem } from '../../../engine/context/catalogItem.js';
import { type ContextItemBase, itemKey, type SessionContextItem } from '../../../engine/record/item.js';
import type { ChatSession } from '../../chat/chatSession.js';

type Undo = (session: ChatSession) => Promise<void>;

const NOTHING: Undo = () => Promise.resolve();

/** Switches items off in a chat: no later request contains or picks them. Returns a function that undoes this. */
export async function switchOff(session: ChatSession, items: readonly CatalogItem[]): Promise<Undo> {
  const before = [...session.state.context.values()];
  const [inChat, others] = [items.filter((item) => isIn(session, item)), items.filter((item) => !isIn(session, item))];
  const neverAdded = others.filter((item) => !session.state.removed.has(keyOf(item))).map(itemOf);
  // An item that was in the chat is declined only by a second removal. Without it, a message could pick the item.
  const twice = inChat.filter(({ include }) => include === 'agent');
  await session.context.remove(...items.map(itemOf), ...twice.map(itemOf));
  return (now) => putBack(now, { before, keys: new Set(inChat.map(keyOf)), neverAdded });
}

/** Switches items on again that the user had switched off in a chat. Returns a function that undoes this. */
export async function switchOn(session: ChatSession, items: readonly CatalogItem[]): Promise<Undo> {
  const { removed, declined } = session.state;
  const off = items.filter((item) => (item.include === 'agent' ? declined : removed).has(keyOf(item)));
  if (off.length === 0) {
    return NOTHING;
  }
  for (const item of off) {
    if (item.type !== 'tool' && item.include === 'always') {
      await session.context.add({ ...itemOf(item), includeMode: 'always', addedHash: null, given: null });
    } else {
      await session.record([{ type: 'removal-undone', item: itemOf(item) }]);
    }
  }
  return (now) => now.context.remove(...off.map(itemOf));
}

function isIn({ state }: ChatSession, item: CatalogItem): boolean {
  return state.context.has(keyOf(item));
}

function keyOf(item: CatalogItem): string {
  return itemKey(itemOf(item));
}

interface RemovedItems {
  readonly before: readonly SessionContextItem[];
  /** The keys of removed items that were in the chat's context. */
  readonly keys: ReadonlySet<string>;
  /** Removed items that were not in the chat's context. */
  readonly neverAdded: readonly ContextItemBase[];
}

/** Restores removed items at their old places. Items that were added since then come last. */
export async function putBack(session: ChatSession, { before, keys, neverAdded }: RemovedItems): Promise<void> {
  const now = session.state.context;
  const kept = before.filter((item) => keys.has(itemKey(item)) || now.has(itemKey(item)));
  const added = [...now.values()].filter((item) => !before.includes(item));
  await session.context.put([...kept, ...added]);
  await session.record(neverAdded.map((item) => ({ type: 'removal-undone', item })));
}
