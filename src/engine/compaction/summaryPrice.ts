import { PER_MILLION, ratesOf, type Prices, type Rates } from '../model/price.js';

/** The cost and the saving of a summary, in US dollars. */
export interface SummaryPrice {
  /** The cost of writing it. */
  readonly cost: number;
  /** Extra cost of the next request: the text after the summary is written to the cache again. 0 without a cache. */
  readonly rewriting: number;
  /** The saving in each later request. */
  readonly saving: number;
  /** Number of the request from which on the summary pays; null for never. */
  readonly paysFrom: number | null;
}

/** The change that a summary makes to a request, in tokens. */
export interface SummaryChange {
  /** Tokens of the conversation that are removed, and that stay after the summary. */
  readonly freed: number;
  readonly staying: number;
  readonly summaryTokens: number;
  /** US dollars for writing it. */
  readonly cost: number;
  readonly isCached: boolean;
}

/** Returns the highest cost of a summary in US dollars: the whole request at full price, and the longest summary. */
export function mostCostOfSummary(requestTokens: number, summaryTokens: number, prices: Prices): number {
  return costAt(ratesOf(prices, requestTokens), requestTokens, summaryTokens);
}

function costAt({ input, output }: Rates, inputTokens: number, outputTokens: number): number {
  return (inputTokens * input + outputTokens * output) / PER_MILLION;
}

/**
 * Estimates the cost of shortening a message of `tokens`, in US dollars. Each request has at most `budget` tokens, and
 * each after the first also holds the shortened text so far.
 */
export function costOfShortening(
  { tokens, mostTokens, budget }: { readonly tokens: number; readonly mostTokens: number; readonly budget: number },
  prices: Prices,
): number {
  const requests = Math.ceil(tokens / Math.max(1, budget - mostTokens));
  const input = tokens + (requests - 1) * mostTokens;
  return costAt(ratesOf(prices, Math.min(input, budget)), input, requests * mostTokens);
}

/** With a cache, known text is read at the cache price, and the text after the summary is written once more. */
export function summaryPrice({ freed, staying, summaryTokens, cost, isCached }: SummaryChange, prices: Prices): SummaryPrice {
  const after = staying + summaryTokens;
  const rates = ratesOf(prices, after);
  const inputCost = (tokens: number): number => {
    const { cacheRead, input } = ratesOf(prices, tokens);
    return (tokens * (isCached ? cacheRead : input)) / PER_MILLION;
  };
  // Below the length from which on prompts cost more, the text that stays gets cheaper as well.
  const saving = Math.max(0, inputCost(freed + staying) - inputCost(after));
  const rewriting = isCached ? (after * Math.max(0, rates.cacheWrite5m - rates.cacheRead)) / PER_MILLION : 0;
  return { cost, rewriting, saving, paysFrom: saving === 0 ? null : Math.max(1, Math.ceil((cost + rewriting) / saving)) };
}
