import type { Request } from '../../engine/request/request.js';
import type { Countable } from './backgroundCount.js';

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
