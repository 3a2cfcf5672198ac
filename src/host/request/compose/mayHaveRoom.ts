import type { Request } from '../../../engine/request/request.js';
import type { Countable } from './backgroundCount.js';

/**
 * Far above the characters per token of real text (English prose: four). A conversation with more characters per token
 * of the budget does not fit. Its rest is not counted, which would block for seconds in a long chat. If the text still
 * fits, such as pages of spaces, the request is composed again with twice as many characters.
 */
export const CHARACTERS_PER_TOKEN = 8;

/**
 * A request whose estimate exceeds the budget by up to this factor may still fit after its provider has counted it.
 * Uncalibrated estimates are seldom off by more. Only a complete request can be counted.
 */
const ESTIMATE_MARGIN = 1.5;

/** Returns whether a request composed from a part of the conversation may have room for more. */
export function mayHaveRoom({
  size,
  budget,
  countable,
}: Pick<Request, 'size' | 'budget'> & { readonly countable: Countable | null }): boolean {
  return size.tokens <= budget * (countable === null ? 1 : ESTIMATE_MARGIN);
}
