export const PANEL_SEARCH_ROLES = ['all', 'user', 'assistant'] as const;
export type PanelSearchRole = (typeof PANEL_SEARCH_ROLES)[number];

/** Minimum number of letters of a search text. A single letter would match nearly all messages. */
export const LEAST_SEARCHED = 2;

/** The response to `searchChats`, with the text and role of the request. */
export interface SearchResults {
  readonly type: 'searchResults';
  readonly text: string;
  readonly role: PanelSearchRole;
  /** The messages found, newest first. */
  readonly messages: readonly FoundMessage[];
  /** Whether there may be more matches in older messages. */
  readonly isCut: boolean;
  /** Number of chats that could not be searched completely. `all`: Loupe searched only the open chats. */
  readonly unread: number | 'all';
  /** Why the search failed. Null if it succeeded. */
  readonly failure: string | null;
}

export interface FoundMessage {
  readonly chatId: string;
  readonly chatTitle: string;
  /** Id of the message. For an unfinished reply: the attempt's id. */
  readonly messageId: string;
  readonly role: 'user' | 'assistant' | 'tool-results' | 'summary';
  /** Time of the message in epoch milliseconds. */
  readonly at: number;
  /** The text around the match (about 100 characters), on one line, without Markdown syntax. */
  readonly before: string;
  readonly match: string;
  readonly after: string;
}
