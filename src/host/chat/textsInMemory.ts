import { saidInAttempt, type Said } from '../../storage/searchTexts.js';
import type { ChatSession } from './chatSession.js';

/** Replies that stream in: they are ahead of what the log has of them. */
export async function repliesUnderWay(sessions: Iterable<Promise<ChatSession>>): Promise<Said[]> {
  // A chat that cannot be opened has nothing in memory, and tells whoever opens it.
  const opened = (await Promise.allSettled(sessions)).flatMap((opening) => (opening.status === 'fulfilled' ? [opening.value.state] : []));
  return opened.flatMap(({ chatId, attempts }) => {
    const open = [...attempts.values()].filter(({ end, purpose }) => end === null && purpose === 'reply');
    return open.map((attempt) => saidInAttempt(chatId, attempt));
  });
}
