import { longPromptRates, type Prices } from '../../engine/accounting/price.js';
import { inputTokens, type Usage } from '../../engine/accounting/usage.js';
import { tokens } from '../../protocol/numbers.js';

/** Why a request was billed at other rates than the usual ones of its model; empty where it was not. */
export function priceNotes(usage: Usage, prices: Prices | null): readonly string[] {
  const input = inputTokens(usage);
  const long = prices === null || input === null ? null : longPromptRates(prices, input);
  return long === null ? [] : [`billed at the price of prompts above ${tokens(long.above)} tokens`];
}
