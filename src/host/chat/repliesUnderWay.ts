import type { ChatState } from '../../engine/chat/fold.js';
import { saidInAttempt, type Said } from '../../storage/searchTexts.js';

/** Replies that stream in: they are ahead of what the log has of them. */
export function repliesUnderWay({ chatId, attempts }: ChatState): Said[] {
  const open = [...attempts.values()].filter(({ end, purpose }) => end === null && purpose === 'reply');
  return open.map((attempt) => saidInAttempt(chatId, attempt));
}
