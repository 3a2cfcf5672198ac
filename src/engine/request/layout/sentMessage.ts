import { SUMMARY_KEY } from '../gather.js';
import type { SentBlock } from './situation.js';

/** Keys of blocks that replace a part of a message, such as `noImage:{message}/0`. */
const PART_KEY = /^(?:noImage|callText|resultText|adapted|lostResult):([^/]+)\//;

/** The key of a block that replaces a tool call. The number is the index of the part in its reply. */
const CALL_TEXT_KEY = /^callText:[^/]+\/(\d+)$/;

/** Returns the index of the part in its reply that a block is or replaces, or null for other blocks. */
export function sentPart({ role, key, source }: Pick<SentBlock, 'role' | 'key' | 'source'>): number | null {
  if (role !== 'assistant') {
    return null;
  }
  const part = CALL_TEXT_KEY.exec(key)?.[1];
  return source.from === 'message' ? source.part : part === undefined ? null : Number(part);
}

/** Returns the id of the message of a block, or the key of the summary. Null for a block that only joins others. */
export function sentMessage({ key, source }: SentBlock): string | null {
  if (key.startsWith(SUMMARY_KEY)) {
    return key;
  }
  return source.from === 'message' ? source.messageId : (PART_KEY.exec(key)?.[1] ?? null);
}
