import type { ChatState } from '../../engine/chat/fold.js';
import type { Message } from '../../engine/chat/message.js';
import { manifestDepth } from '../../engine/prompt/rebuild.js';

/** Whether the state holds its last `limit` entries and, for each reply among them, the record of what it was sent. */
export function holdsEntries({ timeline, attempts }: ChatState, limit: number): boolean {
  const messages = timeline.flatMap((item): Message[] => (item.kind === 'message' ? [item.message] : []));
  const sources = { attempt: (id: string) => attempts.get(id) };
  const replies = messages.slice(-limit).flatMap((message) => (message.role === 'assistant' ? (attempts.get(message.attemptId) ?? []) : []));
  return messages.length >= limit && replies.every((attempt) => manifestDepth(attempt, sources) !== null);
}
