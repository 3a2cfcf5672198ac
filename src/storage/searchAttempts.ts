import type { ChatEvent } from '../engine/chat/event.js';
import { applyPiece, type GrowingReply } from '../engine/chat/reply.js';
import { decodeLine } from './line.js';
import { BytePattern, literalClasses } from './searchBytes.js';
import type { LineChunk } from './searchChunks.js';
import { matchingLines } from './searchScan.js';
import { saidInAttempt, type Said } from './searchTexts.js';

/** The member of attempts, of their pieces, and of their messages. */
const ATTEMPT_ID = new BytePattern(literalClasses('"attemptId":"'));

interface Attempt {
  readonly id: string;
  readonly startedAt: number;
  readonly reply: GrowingReply;
}

/** The replies in a segment without a message: failed, interrupted or still running. */
export async function brokenReplies(
  segment: AsyncIterable<LineChunk>,
  { chatId, writer }: { readonly chatId: string; readonly writer: string },
): Promise<readonly Said[]> {
  const attempts = new Map<string, Attempt>();
  for await (const { bytes } of segment) {
    for (const { start, end } of matchingLines(bytes, ATTEMPT_ID)) {
      const decoded = decodeLine(bytes.subarray(start, end), writer);
      if (decoded.ok) {
        follow(attempts, decoded.event);
      }
    }
  }
  return [...attempts.values()].map((attempt) => saidInAttempt(chatId, attempt));
}

/** One writer writes a run: its attempts, their pieces and their messages are in the same segment. */
function follow(attempts: Map<string, Attempt>, event: ChatEvent): void {
  if (event.type === 'attempt-started' && event.purpose === 'reply') {
    attempts.set(event.attemptId, { id: event.attemptId, startedAt: event.at, reply: [] });
  } else if (event.type === 'attempt-progress') {
    const attempt = attempts.get(event.attemptId);
    if (attempt !== undefined) {
      for (const piece of event.pieces) {
        applyPiece(attempt.reply, piece);
      }
    }
  } else if (event.type === 'message' && event.message.role === 'assistant') {
    attempts.delete(event.message.attemptId);
  }
}
