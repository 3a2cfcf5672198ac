import type { ApiSearchResult, ApiSearchRole } from '../../protocol/api.js';
import { age } from '../../protocol/numbers.js';
import type { SearchFailure } from '../../storage/search.js';
import { plainText } from '../window/plainText.js';
import type { TypedSearchState } from './typedSearch.js';

/** A row of the result list of a search. */
export interface SearchRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly choice:
    | { readonly type: 'chat'; readonly chatId: string; readonly messageId: string | null }
    | { readonly type: 'log' }
    | { readonly type: 'none' };
}

/** The rows for a state of the search; null keeps the rows on show. `now` is in epoch milliseconds. */
export function searchRows(state: TypedSearchState, now: number): SearchRow[] | null {
  switch (state.kind) {
    case 'searching':
      return null;
    case 'idle':
      return [];
    case 'failed':
      return [logRow('$(error) The search failed', state.error.message)];
    case 'found': {
      const rows = state.results.map((result) => resultRow(result, now));
      const [first] = state.failures;
      const notes = first === undefined ? [] : [logRow(`$(warning) ${unread(state.failures)}`, first.error.message)];
      return rows.length === 0 ? [NOTHING, ...notes] : [...rows, ...notes];
    }
  }
}

/** Says how many chats could not be searched on disk. */
function unread(failures: readonly SearchFailure[]): string {
  const chats = new Set(failures.map(({ chatId }) => chatId));
  if (chats.has(null)) {
    return 'Only the open chats could be searched';
  }
  return `${String(chats.size)} ${chats.size === 1 ? 'chat' : 'chats'} could not be searched whole`;
}

const NOTHING: SearchRow = { label: 'Nothing found', description: '', detail: '', choice: { type: 'none' } };

function logRow(label: string, detail: string): SearchRow {
  return { label, description: 'Show the log', detail, choice: { type: 'log' } };
}

const SPEAKERS: Readonly<Record<ApiSearchRole, string>> = {
  user: 'You',
  assistant: 'Assistant',
  'tool-results': 'Tool results',
  summary: 'Summary',
  title: 'Title',
};

function resultRow({ chatId, messageId, chatTitle, role, excerpt, timestamp }: ApiSearchResult, now: number): SearchRow {
  return {
    label: plainText(chatTitle),
    description: `${SPEAKERS[role]} · ${age(timestamp, now)}`,
    detail: plainText(excerpt),
    choice: { type: 'chat', chatId, messageId },
  };
}
