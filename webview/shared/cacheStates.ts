import type { CacheParts } from '../../src/protocol/forecast.js';
import { tokens } from './numbers.js';

/** What the cache does with a token. */
export type CacheState = keyof CacheParts;

export const CACHE_STATES: readonly CacheState[] = ['read', 'written', 'fresh'];

/** Returns the word for a cache state. For the next request, `cached` replaces `read`, because it was not sent yet. */
export function stateWord(state: CacheState, isNext: boolean): string {
  return state === 'fresh' ? 'uncached' : state === 'read' && isNext ? 'cached' : state;
}

/** Returns what the cache does with most tokens of a part. */
export function mainState(parts: CacheParts): CacheState {
  return CACHE_STATES.reduce((most, each) => (parts[each] > parts[most] ? each : most));
}

/** Returns the figures in words: `18,204 read, 12,304 written, 1,362 uncached`. Omits parts of zero tokens. */
export function partsInWords(parts: CacheParts, isNext: boolean): string {
  return CACHE_STATES.flatMap((state) => (parts[state] === 0 ? [] : [`${tokens(parts[state])} ${stateWord(state, isNext)}`])).join(', ');
}

export function sumOfParts({ read, written, fresh }: CacheParts): number {
  return read + written + fresh;
}
