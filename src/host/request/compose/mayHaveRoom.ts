import type { Request } from '../../../engine/request/request.js';
import type { Countable } from './backgroundCount.js';

/**
 * Real text has far fewer characters per token (English prose: four). A conversation with more characters than this per
 * token of the budget does not fit. The rest is not tokenized, which would block for seconds in a long chat. If the
 * text still fits, such as pages of spaces, the request is composed again with twice as many characters.
 */
export const CHARACTERS_PER_TOKEN = 8;

/**
 * A request whose estimate exceeds the budget by up to this factor may fit after the provider has counted it. Estimates
 * without calibration are seldom wrong by more. The provider can only count a complete request.
 */
const ESTIMATE_MARGIN = 1.5;

/** Returns whether a request built from the end of the conversation may have room for older messages. */
export function mayHaveRoom({
  size,
  budget,
  countable,
}: Pick<Request, 'size' | 'budget'> & { readonly countable: Countable | null }): boolean {
  return size.tokens <= budget * (countable === null ? 1 : ESTIMATE_MARGIN);
}
