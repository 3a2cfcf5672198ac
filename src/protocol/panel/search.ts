export const PANEL_SEARCH_ROLES = ['all', 'user', 'assistant'] as const;
export type PanelSearchRole = (typeof PANEL_SEARCH_ROLES)[number];

/** Fewest letters of a search. A single letter would match nearly all messages. */
export const LEAST_SEARCHED = 2;

/** The response to `searchChats`, with its text and role. */
export interface SearchResults {
  readonly type: 'searchResults';
  readonly text: string;
  readonly role: PanelSearchRole;
  /** Newest first. */
  readonly messages: readonly FoundMessage[];
  /** Whether there may be older results. */
  readonly isCut: boolean;
  /** Number of chats that could not be searched completely. `all`: only open chats were searched. */
  readonly unread: number | 'all';
  /** Why the search failed. Null if it did not. */
  readonly failure: string | null;
}

export interface FoundMessage {
  readonly chatId: string;
  readonly chatTitle: string;
  /** Id of the message, or of the attempt for a reply without a message. */
  readonly messageId: string;
  readonly role: 'user' | 'assistant' | 'tool-results' | 'summary';
  /** Epoch milliseconds. */
  readonly at: number;
  /** About 100 characters around the match, on one line, without Markdown syntax. */
  readonly before: string;
  readonly match: string;
  readonly after: string;
}
