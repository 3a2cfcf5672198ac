import { longPromptRates, tierPrices, unpricedTier, type Prices } from '../../engine/accounting/price.js';
import { inputTokens, type Usage } from '../../engine/accounting/usage.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import { tokens } from '../../protocol/numbers.js';

/** Returns why a request was not billed at the usual rates of its model; empty when it was. */
export function priceNotes(usage: Usage, prices: Prices | null): readonly string[] {
  const { serviceTier } = usage;
  const tier = serviceTier === undefined ? [] : [tierInWords(serviceTier, usage, prices)];
  const input = inputTokens(usage);
  const ofTier = prices === null ? null : (tierPrices(usage, prices) ?? prices);
  const long = ofTier === null || input === null ? null : longPromptRates(ofTier, input);
  return [...tier, ...(long === null ? [] : [`billed at the price of prompts above ${tokens(long.above)} tokens`])];
}

function tierInWords(tier: string, usage: Usage, prices: Prices | null): string {
  const isUnpriced = prices !== null && unpricedTier(usage, prices) !== null && usage.charged === undefined;
  return `served in the tier “${tier}”${isUnpriced ? ', which has no price in the settings' : ''}`;
}

/** Returns the model that answered instead of the requested one; empty when they are the same. */
export function answererInWords({ end }: AttemptState): readonly string[] {
  const { answeredBy, cost } = end ?? {};
  return answeredBy === undefined ? [] : [`answered by ${answeredBy}${cost === null ? ', which has no price in the settings' : ''}`];
}
