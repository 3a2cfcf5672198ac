import type { FoundMessage, PanelSearchRole, SearchResults } from '../../../src/protocol/panel/search.js';
import { CHAT_ID, MINUTE } from './parts.js';

const HOUR = 60 * MINUTE;

/** The host's reply to any search: the messages of that role. */
export function searchResults({ text, role }: { readonly text: string; readonly role: PanelSearchRole }, now: number): SearchResults {
  const messages = MESSAGES.map((message) => ({ ...message, match: text, at: now - message.at }));
  return {
    type: 'searchResults',
    text,
    role,
    messages: text === '' ? [] : messages.filter((message) => role === 'all' || message.role === role),
    isCut: false,
    unread: 0,
    failure: null,
  };
}

/** `at` is the age of the message. */
const MESSAGES: readonly Omit<FoundMessage, 'match'>[] = [
  {
    chatId: CHAT_ID,
    chatTitle: 'Make the token counter linear',
    messageId: 'a1',
    role: 'assistant',
    at: 2 * HOUR,
    before: 'A lone ',
    after: ' is three bytes in UTF-8, so the counter has to look at pairs before it cuts.…',
  },
  {
    chatId: CHAT_ID,
    chatTitle: 'Make the token counter linear',
    messageId: 'u1',
    role: 'user',
    at: 2 * HOUR + MINUTE,
    before: 'What happens to a ',
    after: ' that is cut in two?',
  },
  {
    chatId: 'other1',
    chatTitle: 'Why does CI hang on Windows?',
    messageId: 't1',
    role: 'tool-results',
    at: 48 * HOUR,
    before: '…warning: lone ',
    after: ' in log line 4,182',
  },
];
