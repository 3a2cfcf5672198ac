import { type Message, loadedText, messageTexts } from './message.js';
import type { Reply } from './reply.js';

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

/**
 * Returns the text of a message for search, or null if its role is not searched. Tool calls, reasoning and blobs are
 * not searched. A tool's text in a blob is searched only in its preview, because blobs can be as large as all logs
 * together and are not log lines.
 */
export function messageSearchText(message: Message): SearchText | null {
  const { id: messageId, role } = message;
  if (role === 'title' || !isSearchRole(role)) {
    return null;
  }
  return { role, messageId, attemptId: role === 'assistant' ? message.attemptId : null, texts: searchedTexts(message) };
}

/** Search reads the lines of the log, which have only the name of a loaded tool. */
function searchedTexts(message: Message): readonly string[] {
  const results = message.role === 'tool-results' ? message.parts.flatMap(({ content }) => content) : [];
  const names = new Map(results.flatMap((item) => (item.type === 'toolReference' ? [[loadedText(item), item.name]] : [])));
  return messageTexts(message).map((text) => names.get(text) ?? text);
}

export function replySearchText(attemptId: string, reply: Reply): SearchText {
  const texts = reply.flatMap((part) => (part?.type === 'text' ? [part.text] : []));
  return { role: 'assistant', messageId: attemptId, attemptId, texts };
}
