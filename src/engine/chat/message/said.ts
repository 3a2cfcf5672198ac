/** Searchable texts: messages by role, unfinished replies as `assistant`, and titles of chats. */
export const SEARCH_ROLES = ['user', 'assistant', 'tool-results', 'summary', 'title'] as const;

export type SearchRole = (typeof SEARCH_ROLES)[number];

export function isSearchRole(value: unknown): value is SearchRole {
  return SEARCH_ROLES.some((role) => role === value);
}

/** The texts of a message, an unfinished reply or a title. Search checks each text separately. */
export interface SearchText {
  readonly role: SearchRole;
  /** Id of the message, or of the attempt of an unfinished reply. Null for a title. */
  readonly messageId: string | null;
  /** The attempt of a reply. Null for everything else. */
  readonly attemptId: string | null;
  readonly texts: readonly string[];
}
