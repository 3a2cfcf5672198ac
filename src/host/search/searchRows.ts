import type { ApiSearchResult, ApiSearchRole } from '../../protocol/api/api.js';
import { age, counted } from '../../protocol/numbers.js';
import { plainText } from '../window/plainText.js';
import { unread } from './panelSearch.js';
import { snippet } from './snippet.js';
import type { TypedSearchState } from './typedSearch.js';

export interface SearchRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly choice:
    | { readonly type: 'chat'; readonly chatId: string; readonly messageId: string | null }
    | { readonly type: 'log' }
    | { readonly type: 'none' };
}

/** Returns the rows for a state of the search. Null keeps the visible rows. `now` in epoch milliseconds. */
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
      const notes = first === undefined ? [] : [logRow(`$(warning) ${unreadText(unread(state.failures))}`, first.error.message)];
      return rows.length === 0 ? [NOTHING, ...notes] : [...rows, ...notes];
    }
  }
}

function unreadText(chats: number | 'all'): string {
  return chats === 'all' ? 'Loupe could search only the open chats' : `Loupe could not search ${counted(chats, 'chat')} completely`;
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

function resultRow(result: ApiSearchResult, now: number): SearchRow {
  const { chatId, messageId, chatTitle, role, timestamp } = result;
  const { before, match, after } = snippet(result);
  return {
    label: plainText(chatTitle),
    description: `${SPEAKERS[role]} · ${age(timestamp, now)}`,
    detail: plainText(before + match + after),
    choice: { type: 'chat', chatId, messageId },
  };
}
