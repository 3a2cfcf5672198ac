import { failure } from '../../engine/errors.js';
import type { ApiSearchResult } from '../../protocol/api/api.js';
import type { SearchFailure, SearchQuery } from '../../storage/search/search.js';
import { isSearchRole, SEARCH_ROLES } from '../../engine/chat/message/said.js';
import type { Chats } from '../chat/chats.js';

export const DEFAULT_LIMIT = 50;

export interface HistoryResults {
  /** The results, newest first. */
  readonly results: readonly ApiSearchResult[];
  /** Chats whose log could not be read, with the reason. If such a chat is open, Loupe searched its loaded messages. */
  readonly failures: readonly SearchFailure[];
}

/** Checks a query from a command or extension. Throws `invalidInput` for an invalid text or option. */
export function checkedQuery(text: unknown, options: unknown): SearchQuery {
  if (typeof text !== 'string') {
    throw failure('search.text');
  }
  const given = options ?? {};
  if (typeof given !== 'object') {
    throw failure('search.options');
  }
  const { role, limit } = given as Readonly<Record<string, unknown>>;
  if (role !== undefined && role !== null && !isSearchRole(role)) {
    throw failure('search.role', { roles: SEARCH_ROLES.join(', ') });
  }
  if (limit !== undefined && limit !== null && !isLimit(limit)) {
    throw failure('search.limit');
  }
  return { text, role: role ?? null, limit: limit ?? DEFAULT_LIMIT };
}

function isLimit(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

/** Searches all chats. If the log of an open chat is unreadable, searches its loaded messages. Throws `cancelled`. */
export async function searchHistory(
  chats: Pick<Chats, 'search' | 'titleOf'>,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<HistoryResults> {
  const { hits, failures } = await chats.search(query, signal);
  const titles = new Map<string, string>();
  for (const { chatId } of hits) {
    titles.set(chatId, titles.get(chatId) ?? (await chats.titleOf(chatId)));
  }
  const results = hits.map((hit) => ({ ...hit, chatTitle: titles.get(hit.chatId) ?? '' }));
  return { results, failures };
}
