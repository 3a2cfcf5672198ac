/** What search covers: messages by role, unfinished replies as `assistant`, and titles of chats. */
export const SEARCH_ROLES = ['user', 'assistant', 'tool-results', 'summary', 'title'] as const;

export type SearchRole = (typeof SEARCH_ROLES)[number];

export function isSearchRole(value: unknown): value is SearchRole {
  return SEARCH_ROLES.some((role) => role === value);
}

/** The texts of a message, an unfinished reply or a title. Search looks at them one by one. */
export interface SaidText {
  readonly role: SearchRole;
  /** The message's id, or an unfinished reply's attempt id; null for a title. */
  readonly messageId: string | null;
  /** The attempt of a reply; null for everything else. */
  readonly attemptId: string | null;
  readonly texts: readonly string[];
}
