import type { NextRequestView } from '../../src/protocol/view.js';

/** US dollars for a token of the input, so that the prices of its parts add up to its own; null where that is not known. */
export function costPerToken({ inputCost, totalTokens }: Pick<NextRequestView, 'inputCost' | 'totalTokens'>): number | null {
  return inputCost === null || totalTokens === 0 ? null : inputCost / totalTokens;
}
