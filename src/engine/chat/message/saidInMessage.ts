import { loadedText, messageTexts, type Message } from './message.js';
import type { Reply } from './reply.js';
import { isSearchRole, type SaidText } from './said.js';

/**
 * The text of a message for search; null when its role is not searched. Tool calls, reasoning and blobs are not searched:
 * a tool's text that is stored as a blob gives only its preview, which the panel shows, too. A blob may be as large as
 * all logs together, and its bytes are not log lines.
 */
export function saidInMessage(message: Message): SaidText | null {
  const { id: messageId, role } = message;
  // The `title` event holds the same text.
  if (role === 'title' || !isSearchRole(role)) {
    return null;
  }
  return { role, messageId, attemptId: role === 'assistant' ? message.attemptId : null, texts: searchedTexts(message) };
}

/** Search looks through the lines of the log, which have no more than the name of a tool that was loaded. */
function searchedTexts(message: Message): readonly string[] {
  const results = message.role === 'tool-results' ? message.parts.flatMap(({ content }) => content) : [];
  const names = new Map(results.flatMap((item) => (item.type === 'toolReference' ? [[loadedText(item), item.name]] : [])));
  return messageTexts(message).map((text) => names.get(text) ?? text);
}

/** The text of an unfinished reply for search. */
export function saidInReply(attemptId: string, reply: Reply): SaidText {
  const texts = reply.flatMap((part) => (part?.type === 'text' ? [part.text] : []));
  return { role: 'assistant', messageId: attemptId, attemptId, texts };
}
