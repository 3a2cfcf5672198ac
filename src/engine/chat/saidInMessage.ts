import { textsOf, type Message } from './message.js';
import type { Reply } from './reply.js';
import type { SaidText } from './said.js';

/**
 * What a message says that is searched; null for one that is no part of the conversation. Calls of tools, reasoning and
 * blobs are not searched: of a tool's text that is kept as a blob only the begin is, which is what its line and the panel
 * show. A blob may be as large as all logs together, and its bytes are no lines.
 */
export function saidInMessage(message: Message): SaidText | null {
  const { id: messageId } = message;
  switch (message.role) {
    case 'user':
      return { role: 'user', messageId, attemptId: null, texts: textsOf(message.parts) };
    case 'assistant':
      return { role: 'assistant', messageId, attemptId: message.attemptId, texts: textsOf(message.parts) };
    case 'tool-results':
      return { role: 'tool-results', messageId, attemptId: null, texts: message.parts.flatMap(({ content }) => textsOf(content)) };
    case 'summary':
      return { role: 'summary', messageId, attemptId: null, texts: [message.text] };
    case 'system-title':
    case 'title':
    case 'system-summary':
    case 'accounting':
      // A title that was made is found as the title.
      return null;
  }
}

/** What a reply says that became no message (yet). */
export function saidInReply(attemptId: string, reply: Reply): SaidText {
  const texts = reply.flatMap((part) => (part?.type === 'text' ? [part.text] : []));
  return { role: 'assistant', messageId: attemptId, attemptId, texts };
}
