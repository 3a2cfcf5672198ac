import { type Message, loadedText, messageTexts } from './message.js';
import type { Reply } from './reply.js';

/** Searchable texts: messages by role, unfinished replies as `assistant`, and titles of chats. */
export const SEARCH_ROLES = ['user', 'assistant', 'tool-results', 'summary', 'title'] as const;

export type SearchRole = (typeof SEARCH_ROLES)[number];

export function isSearchRole(value: unknown): value is SearchRole {
  return SEARCH_ROLES.some((role) => role === value);
}

/** The texts of a message, an unfinished reply or a title. Each text is searched separately. */
export interface SearchText {
  readonly role: SearchRole;
  /** Id of the message. For an unfinished reply: id of the attempt. Null for a title. */
  readonly messageId: string | null;
  /** Id of the attempt that produced a reply. Null for all other texts. */
  readonly attemptId: string | null;
  readonly texts: readonly string[];
}

/**
 * Returns the texts of a message for search, or null if messages of this role are not searched. Tool calls, reasoning
 * and blobs are not searched. A tool result stored as a blob has a preview in the log, and only that preview is
 * searched: the blobs of a chat can be as large as all logs together.
 */
export function messageSearchText(message: Message): SearchText | null {
  const { id: messageId, role } = message;
  if (role === 'title' || !isSearchRole(role)) {
    return null;
  }
  return { role, messageId, attemptId: role === 'assistant' ? message.attemptId : null, texts: searchedTexts(message) };
}

/** For a loaded tool, only the name is searched, because the log line has only the name. */
function searchedTexts(message: Message): readonly string[] {
  const results = message.role === 'tool-results' ? message.parts.flatMap(({ content }) => content) : [];
  const names = new Map(results.flatMap((item) => (item.type === 'toolReference' ? [[loadedText(item), item.name]] : [])));
  return messageTexts(message).map((text) => names.get(text) ?? text);
}

export function replySearchText(attemptId: string, reply: Reply): SearchText {
  const texts = reply.flatMap((part) => (part?.type === 'text' ? [part.text] : []));
  return { role: 'assistant', messageId: attemptId, attemptId, texts };
}
