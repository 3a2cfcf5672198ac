import type { Prices } from '../accounting/price.js';

const PER_MILLION = 1_000_000;

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
  return (requestTokens * prices.input + summaryTokens * prices.output) / PER_MILLION;
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
  return mostCostOfSummary(tokens + (requests - 1) * mostTokens, requests * mostTokens, prices);
}

/**
 * With a cache, text that was sent before is read at the price of a cache read; what stands behind the summary is once
 * written again.
 */
export function summaryPrice({ freed, staying, summaryTokens, cost, isCached }: SummaryChange, prices: Prices): SummaryPrice {
  const each = isCached ? prices.cacheRead : prices.input;
  const saving = (Math.max(0, freed - summaryTokens) * each) / PER_MILLION;
  const rewriting = isCached ? ((staying + summaryTokens) * Math.max(0, prices.cacheWrite5m - prices.cacheRead)) / PER_MILLION : 0;
  return { cost, rewriting, saving, paysFrom: saving === 0 ? null : Math.max(1, Math.ceil((cost + rewriting) / saving)) };
}
