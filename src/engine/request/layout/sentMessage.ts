import { SUMMARY_KEY } from '../gather.js';
import type { SentBlock } from './situation.js';

/** The keys of blocks that stand for a part of a message, such as `noImage:{message}/0`. */
const PART_KEY = /^(?:noImage|callText|resultText|adapted|lostResult):([^/]+)\//;

/** The key of a block that stands for a tool call, and which part of its reply that is. */
const CALL_TEXT_KEY = /^callText:[^/]+\/(\d+)$/;

/** Which part of its reply a block is, or stands for; null for a block of anything else. */
export function sentPart({ role, key, source }: Pick<SentBlock, 'role' | 'key' | 'source'>): number | null {
  if (role !== 'assistant') {
    return null;
  }
  const part = CALL_TEXT_KEY.exec(key)?.[1];
  return source.from === 'message' ? source.part : part === undefined ? null : Number(part);
}

/** The id of the message that a block is a part of, or the key of the summary; null for a block that only joins others. */
export function sentMessage({ key, source }: SentBlock): string | null {
  if (key.startsWith(SUMMARY_KEY)) {
    return key;
  }
  return source.from === 'message' ? source.messageId : (PART_KEY.exec(key)?.[1] ?? null);
}
