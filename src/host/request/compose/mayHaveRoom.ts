import type { Request } from '../../../engine/request/request.js';
import type { Countable } from './backgroundCount.js';

/**
 * Far above the characters per token of any text that people write (English prose: four). A conversation with more than
 * this for each token of the budget is over the budget. The rest is not counted: in a long chat that would block for
 * seconds. Text that fits even so, such as pages of blanks, is composed again with twice as many characters.
 */
export const CHARACTERS_PER_TOKEN = 8;

/**
 * A request whose estimate is over the budget by up to this factor may still fit once its provider has counted it: an
 * uncalibrated estimate is seldom off by more. Only a complete request can be counted.
 */
const ESTIMATE_MARGIN = 1.5;

/** Whether a request composed of a part of the conversation may have room for more. */
export function mayHaveRoom({
  size,
  budget,
  countable,
}: Pick<Request, 'size' | 'budget'> & { readonly countable: Countable | null }): boolean {
  return size.tokens <= budget * (countable === null ? 1 : ESTIMATE_MARGIN);
}
