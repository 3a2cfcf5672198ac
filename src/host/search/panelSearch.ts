import type { Clock } from '../../engine/ports.js';
import type { ApiSearchResult } from '../../protocol/api/api.js';
import { LEAST_SEARCHED, type FoundMessage, type PanelSearchRole, type SearchResults } from '../../protocol/panel/toWebview.js';
import type { SearchFailure } from '../../storage/search/search.js';
import type { Chats } from '../chat/chats.js';
import { searchHistory } from './searchHistory.js';
import { snippet } from './snippet.js';
import { TypedSearch, type TypedSearchState } from './typedSearch.js';

/** Maximum number of results in the panel. A few hundred rows render fast enough. */
const MOST_RESULTS = 200;

export interface PanelSearchPorts {
  readonly chats: Pick<Chats, 'search' | 'titleOf'>;
  readonly clock: Clock;
  readonly tell: (results: SearchResults) => void;
}

/** Searches messages while the user types in the panel's list of chats. The webview searches the titles. */
export class PanelSearch {
  readonly #search: TypedSearch;
  #text = '';
  #role: PanelSearchRole = 'all';

  constructor({ chats, clock, tell }: PanelSearchPorts) {
    this.#search = new TypedSearch({
      clock,
      search: (text, signal) => searchHistory(chats, { text, role: this.#role === 'all' ? null : this.#role, limit: MOST_RESULTS }, signal),
      show: (state) => {
        const found = foundBy(state);
        if (found !== null) {
          tell({ type: 'searchResults', text: this.#text, role: this.#role, ...found });
        }
      },
    });
  }

  /** Cancels the last search, and starts a new search unless the text is too short. Never rejects. */
  async query(text: string, role: PanelSearchRole): Promise<void> {
    this.#text = text;
    this.#role = role;
    await this.#search.type(text.trim().length < LEAST_SEARCHED ? '' : text);
  }
}

/** Returns the results for the panel. Null when the panel needs no update: for an empty text and during a search. */
function foundBy(state: TypedSearchState): Omit<SearchResults, 'type' | 'text' | 'role'> | null {
  switch (state.kind) {
    case 'idle':
    case 'searching':
      return null;
    case 'failed':
      return { messages: [], isCut: false, unread: 0, failure: state.error.message };
    case 'found':
      return {
        messages: state.results.flatMap(foundMessage),
        isCut: state.results.length === MOST_RESULTS,
        unread: unread(state.failures),
        failure: null,
      };
  }
}

function foundMessage(result: ApiSearchResult): FoundMessage[] {
  const { chatId, chatTitle, messageId, role, timestamp } = result;
  return messageId === null || role === 'title' ? [] : [{ chatId, chatTitle, messageId, role, at: timestamp, ...snippet(result) }];
}

/** Returns the number of chats that could not be searched, or `all` when the chats could not be listed. */
export function unread(failures: readonly SearchFailure[]): number | 'all' {
  const chats = new Set(failures.map(({ chatId }) => chatId));
  return chats.has(null) ? 'all' : chats.size;
}
