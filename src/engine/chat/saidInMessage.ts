import { messageTexts, type Message } from './message.js';
import type { Reply } from './reply.js';
import { isSearchRole, type SaidText } from './said.js';

/**
 * What a message says that is searched; null for one that is no part of the conversation. Calls of tools, reasoning and
 * blobs are not searched: of a tool's text that is kept as a blob only the begin is, which is what its line and the panel
 * show. A blob may be as large as all logs together, and its bytes are no lines.
 */
export function saidInMessage(message: Message): SaidText | null {
  const { id: messageId, role } = message;
  // A title that was made is found as the title.
  if (role === 'title' || !isSearchRole(role)) {
    return null;
  }
  return { role, messageId, attemptId: role === 'assistant' ? message.attemptId : null, texts: messageTexts(message) };
}

/** What a reply says that became no message (yet). */
export function saidInReply(attemptId: string, reply: Reply): SaidText {
  const texts = reply.flatMap((part) => (part?.type === 'text' ? [part.text] : []));
  return { role: 'assistant', messageId: attemptId, attemptId, texts };
}
