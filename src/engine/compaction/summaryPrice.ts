import { PER_MILLION, ratesOf, type Prices, type Rates } from '../model/price.js';

/** What a summary costs and saves, in US dollars. */
export interface SummaryPrice {
  /** Writing it. */
  readonly cost: number;
  /** What the next request costs more, because what follows the summary is written to the cache again; 0 without a cache. */
  readonly rewriting: number;
  /** What each request after that costs less. */
  readonly saving: number;
  /** The request from which on it has paid; null when it never does. */
  readonly paysFrom: number | null;
}

/** Tokens of a request, and what a summary changes of it. */
export interface SummaryChange {
  /** Tokens of the conversation that go, and that stay behind the summary. */
  readonly freed: number;
  readonly staying: number;
  readonly summaryTokens: number;
  /** US dollars that writing it costs. */
  readonly cost: number;
  readonly isCached: boolean;
}

/** The most that writing a summary costs in US dollars: the whole request at full price, and as many tokens as it may have. */
export function mostCostOfSummary(requestTokens: number, summaryTokens: number, prices: Prices): number {
  return costAt(ratesOf(prices, requestTokens), requestTokens, summaryTokens);
}

function costAt({ input, output }: Rates, inputTokens: number, outputTokens: number): number {
  return (inputTokens * input + outputTokens * output) / PER_MILLION;
}

/**
 * About what shortening a message of `tokens` costs in US dollars: as many requests as it needs within `budget` tokens each, of
 * which each after the first holds what became of the parts before.
 */
export function costOfShortening(
  { tokens, mostTokens, budget }: { readonly tokens: number; readonly mostTokens: number; readonly budget: number },
  prices: Prices,
): number {
  const requests = Math.ceil(tokens / Math.max(1, budget - mostTokens));
  const input = tokens + (requests - 1) * mostTokens;
  return costAt(ratesOf(prices, Math.min(input, budget)), input, requests * mostTokens);
}

/**
 * With a cache, text that was sent before is read at the price of a cache read; what stands behind the summary is once
 * written again.
 */
export function summaryPrice({ freed, staying, summaryTokens, cost, isCached }: SummaryChange, prices: Prices): SummaryPrice {
  const after = staying + summaryTokens;
  const rates = ratesOf(prices, after);
  const inputCost = (tokens: number): number => {
    const { cacheRead, input } = ratesOf(prices, tokens);
    return (tokens * (isCached ? cacheRead : input)) / PER_MILLION;
  };
  // Below the length from which on prompts cost more, the text that stays gets cheaper, too.
  const saving = Math.max(0, inputCost(freed + staying) - inputCost(after));
  const rewriting = isCached ? (after * Math.max(0, rates.cacheWrite5m - rates.cacheRead)) / PER_MILLION : 0;
  return { cost, rewriting, saving, paysFrom: saving === 0 ? null : Math.max(1, Math.ceil((cost + rewriting) / saving)) };
}
