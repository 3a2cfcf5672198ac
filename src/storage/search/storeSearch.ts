import { toLoupeError } from '../../engine/errors.js';
import { searchChats, type SearchedMemory, type SearchFailure, type SearchQuery, type SearchResult } from './search.js';
import { chatFolder } from '../files/layout.js';
import { type TextsInMemory, textsOfEvent } from './searchTexts.js';
import type { Journal } from '../log/journal.js';
import type { Tombstones } from '../windows/tombstones.js';

export interface StoreSearchPorts {
  readonly tombstones: Pick<Tombstones, 'has'>;
  readonly root: string;
  readonly list: () => Promise<readonly string[]>;
  /** This VS Code window's journals, by chat id. */
  readonly journals: ReadonlyMap<string, Pick<Journal, 'pendingEvents'>>;
}

/** Searches texts in log and memory. Throws `cancelled` when the signal aborts. */
export type StoreSearch = (query: SearchQuery, open: readonly TextsInMemory[], signal: AbortSignal) => Promise<SearchResult>;

/**
 * Returns a function that searches all chats that are not deleted. Includes unsaved events of this VS Code window, and
 * running replies in the `open` chats. If the log of an open chat is unreadable, searches the chat in memory.
 */
export function storeSearch({ tombstones, root, list, journals }: StoreSearchPorts): StoreSearch {
  return async (query, open, signal) => {
    const unsaved = [...journals].flatMap(([id, { pendingEvents }]) => pendingEvents.flatMap((event) => textsOfEvent(id, event) ?? []));
    const listed = await listedChats(list);
    const unlisted = open.filter(({ chatId }) => !listed.chatIds.includes(chatId)).flatMap(({ all }) => all());
    const said = [...open.flatMap(({ unsavedTexts }) => unsavedTexts), ...unsaved, ...unlisted];
    // If the chats cannot be listed, their tombstones cannot be read either. Then all open chats are searched.
    const deletedAmong = (ids: readonly string[]): Promise<ReadonlySet<string>> =>
      markedAmong(listed.failures.length > 0 ? [] : ids, tombstones);
    const deleted = await deletedAmong(said.map(({ chatId }) => chatId));
    const memory: SearchedMemory = {
      unsaved: said.filter(({ chatId }) => !deleted.has(chatId)),
      all: (id) => open.filter(({ chatId }) => chatId === id).flatMap(({ all }) => all()),
    };
    const chats = listed.chatIds.map((id) => ({ id, folder: chatFolder(root, id) }));
    const { hits, failures } = await searchChats(query, chats, memory, signal);
    // Removes chats that were deleted during the search.
    const gone = await deletedAmong([...hits, ...failures].flatMap(({ chatId }) => chatId ?? []));
    const isHere = ({ chatId }: { readonly chatId: string | null }): boolean => chatId === null || !gone.has(chatId);
    return { hits: hits.filter(isHere), failures: [...listed.failures, ...failures.filter(isHere)] };
  };
}

/** Returns the chats on the disk. Returns a failure if they cannot be listed. */
async function listedChats(
  list: StoreSearchPorts['list'],
): Promise<{ readonly chatIds: readonly string[]; readonly failures: readonly SearchFailure[] }> {
  try {
    return { chatIds: await list(), failures: [] };
  } catch (thrown) {
    return { chatIds: [], failures: [{ chatId: null, error: toLoupeError(thrown) }] };
  }
}

async function markedAmong(chatIds: readonly string[], tombstones: StoreSearchPorts['tombstones']): Promise<ReadonlySet<string>> {
  const different = [...new Set(chatIds)];
  const deleted = await Promise.all(different.map((id) => tombstones.has(id)));
  return new Set(different.filter((_, index) => deleted[index] === true));
}
