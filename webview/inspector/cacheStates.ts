import type { CacheParts } from '../../src/protocol/forecast.js';
import { tokens } from '../shared/numbers.js';

/** What the cache does with a token. */
export type CacheState = keyof CacheParts;

export const CACHE_STATES: readonly CacheState[] = ['read', 'written', 'fresh'];

/** Of a request that was not sent yet nothing is read so far: it is in the cache. */
export function stateWord(state: CacheState, isNext: boolean): string {
  return state === 'read' && isNext ? 'cached' : state;
}

/** What the cache does with most of a part. */
export function mainState(parts: CacheParts): CacheState {
  return CACHE_STATES.reduce((most, each) => (parts[each] > parts[most] ? each : most));
}

/** `18,204 read, 12,304 written, 1,362 fresh`; what there is none of is not named. */
export function partsInWords(parts: CacheParts, isNext: boolean): string {
  return CACHE_STATES.flatMap((state) => (parts[state] === 0 ? [] : [`${tokens(parts[state])} ${stateWord(state, isNext)}`])).join(', ');
}

export function sumOfParts({ read, written, fresh }: CacheParts): number {
  return read + written + fresh;
}
