import { loadedText, messageTexts, type Message } from './message.js';
import type { Reply } from './reply.js';
import { isSearchRole, type SearchText } from './said.js';

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
