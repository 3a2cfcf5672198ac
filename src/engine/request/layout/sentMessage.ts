import { SUMMARY_KEY } from '../gather.js';
import type { SentBlock } from './situation.js';

/** The keys of blocks that stand for a part of a message, such as `noImage:{message}/0`. */
const PART_KEY = /^(?:noImage|callText|resultText|adapted|lostResult):([^/]+)\//;

/** Whether a block is of a tool call, or what stands for one: each call that is sent has one for its result. */
export function isOfCalls({ role, key }: Pick<SentBlock, 'role' | 'key'>): boolean {
  return role === 'tool-results' || key.startsWith('resultText:');
}

/** The id of the message that a block is a part of, or the key of the summary; null for a block that only joins others. */
export function sentMessage({ key, source }: SentBlock): string | null {
  if (key.startsWith(SUMMARY_KEY)) {
    return key;
  }
  return source.from === 'message' ? source.messageId : (PART_KEY.exec(key)?.[1] ?? null);
}
