/** Whose messages the panel searches. */
export const PANEL_SEARCH_ROLES = ['all', 'user', 'assistant'] as const;
export type PanelSearchRole = (typeof PANEL_SEARCH_ROLES)[number];

/** From so many letters on messages are searched. With one, nearly all of them would be found. */
export const LEAST_SEARCHED = 2;

/** The answer to `searchChats`, with its text and role. */
export interface SearchResults {
  readonly type: 'searchResults';
  readonly text: string;
  readonly role: PanelSearchRole;
  /** Newest first. */
  readonly messages: readonly FoundMessage[];
  /** Whether there may be older ones. */
  readonly isCut: boolean;
  /** The number of chats that could not be searched whole; `all` when only the open ones could. */
  readonly unread: number | 'all';
  /** Why the search failed; null when it did not. */
  readonly failure: string | null;
}

export interface FoundMessage {
  readonly chatId: string;
  readonly chatTitle: string;
  /** The id of the message, or of the attempt of a reply that has none. */
  readonly messageId: string;
  readonly role: 'user' | 'assistant' | 'tool-results' | 'summary';
  /** Epoch milliseconds. */
  readonly at: number;
  /** About 100 characters around the match, on one line and without marks of Markdown. */
  readonly before: string;
  readonly match: string;
  readonly after: string;
}
