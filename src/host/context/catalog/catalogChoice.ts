import { type Catalog, type CatalogItem, itemOf } from '../../../engine/context/catalogItem.js';
import type { ContextItemBase, SessionContextItem } from '../../../engine/record/item.js';
import { failure } from '../../../engine/errors.js';
import { isReplaced } from '../../../engine/record/fileProblem.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { offeredName } from '../../../engine/tools/serverName.js';
import type { CatalogSource } from './workspaceCatalog.js';

/** Adds items of the catalog to a chat. Rejects with `invalidInput` when an item no longer exists. */
export async function addCatalogItems(
  chat: Pick<ServerTarget, 'context'>,
  keys: readonly string[],
  catalog: Pick<CatalogSource, 'read'>,
): Promise<void> {
  for (const item of await itemsOf(keys, catalog)) {
    await chat.context.add(addedByHand(item));
  }
}

export interface ServerTarget {
  readonly state: Pick<ChatState, 'context' | 'removed' | 'config'>;
  readonly context: { add(item: SessionContextItem): Promise<void> };
}

/** Adds the tools of a server to the chat, except tools with the mode `off`. */
export async function addServer(chat: ServerTarget, server: string, catalog: Pick<CatalogSource, 'ofChat'>): Promise<void> {
  const { context, removed, config } = chat.state;
  const items = [...(await catalog.ofChat(config))].filter(
    ([key, { serverName, offBy, include }]) =>
      serverName === server && offBy === null && !context.has(key) && (include !== 'always' || removed.has(key)),
  );
  for (const [, item] of items) {
    await chat.context.add(addedByHand(item));
  }
}

export interface ExclusionTarget {
  readonly context: { remove(...items: readonly ContextItemBase[]): Promise<void> };
}

/** Excludes items of the catalog from a chat. Rejects with `invalidInput` when an item no longer exists. */
export async function excludeItems(chat: ExclusionTarget, keys: readonly string[], catalog: Pick<CatalogSource, 'read'>): Promise<void> {
  const items = await itemsOf(keys, catalog);
  await chat.context.remove(...items.map(itemOf));
}

/** Excludes a tool from a chat. `name`: the name that models use. Rejects with `invalidInput` when no tool has it. */
export async function excludeTool(chat: ExclusionTarget, name: string, catalog: Pick<CatalogSource, 'read'>): Promise<void> {
  const item = [...(await catalog.read()).values()].find((each) => each.type === 'tool' && offeredName(each) === name);
  if (item === undefined) {
    throw failure('catalog.gone');
  }
  await chat.context.remove(itemOf(item));
}

/** Returns an item with the mode `manual`, because the user adds it. The mode in the item's file does not matter. */
export function addedByHand(item: Pick<CatalogItem, 'type' | 'name' | 'serverName'>): SessionContextItem {
  return { ...itemOf(item), includeMode: 'manual', addedHash: null, given: null };
}

async function itemsOf(keys: readonly string[], catalog: Pick<CatalogSource, 'read'>): Promise<readonly CatalogItem[]> {
  const known = await catalog.read();
  return keys.map((key) => {
    const item = known.get(key);
    if (item === undefined) {
      throw failure('catalog.gone');
    }
    return item;
  });
}

/** Returns the items of a new chat: all items with the mode `always` except tools, which each request offers anyway. */
export function alwaysItems(catalog: Catalog): readonly SessionContextItem[] {
  return [...catalog.values()]
    .filter(({ type, include, offBy, problem }) => type !== 'tool' && include === 'always' && offBy === null && !isReplaced(problem))
    .map((item) => ({ ...itemOf(item), includeMode: 'always', addedHash: null, given: null }));
}
