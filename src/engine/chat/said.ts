/** What can be searched: messages by their role, replies under way or broken off as `assistant`, and titles of chats. */
export const SEARCH_ROLES = ['user', 'assistant', 'tool-results', 'summary', 'title'] as const;

export type SearchRole = (typeof SEARCH_ROLES)[number];

export function isSearchRole(value: unknown): value is SearchRole {
  return SEARCH_ROLES.some((role) => role === value);
}

/** The texts of something said in a chat. They are searched one by one. */
export interface SaidText {
  readonly role: SearchRole;
  /** The message's id; null for what is no message. */
  readonly messageId: string | null;
  /** The attempt a reply came from; null for everything else. */
  readonly attemptId: string | null;
  readonly texts: readonly string[];
}
