import type { CacheParts } from '../../src/protocol/forecast.js';
import { tokens } from './numbers.js';

/** The three cache states of a token: read, written, uncached. */
export type CacheState = keyof CacheParts;

export const CACHE_STATES: readonly CacheState[] = ['read', 'written', 'fresh'];

/** Returns the word for a cache state. Tokens that the next request will read are `cached`, otherwise `read`. */
export function stateWord(state: CacheState, isNext: boolean): string {
  return state === 'fresh' ? 'uncached' : state === 'read' && isNext ? 'cached' : state;
}

/** Returns the cache state of most tokens of a part. */
export function mainState(parts: CacheParts): CacheState {
  return CACHE_STATES.reduce((most, each) => (parts[each] > parts[most] ? each : most));
}

/** Describes tokens by cache state: `18,204 read, 12,304 written, 1,362 uncached`. Omits zeros. */
export function partsInWords(parts: CacheParts, isNext: boolean): string {
  return CACHE_STATES.flatMap((state) => (parts[state] === 0 ? [] : [`${tokens(parts[state])} ${stateWord(state, isNext)}`])).join(', ');
}

export function sumOfParts({ read, written, fresh }: CacheParts): number {
  return read + written + fresh;
}
