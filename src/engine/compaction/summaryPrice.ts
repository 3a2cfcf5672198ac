import type { Ttl } from '../model/cacheRules.js';
import { PER_MILLION, ratesOf, type Prices, type Rates } from '../model/price.js';

/**
 * What the provider writes to its cache again because of a new summary:
 *
 * - `afterSummary`: only the summary and the text after it.
 * - `beginning`: also a part of the text before the summary, such as a system prompt without its removed rules.
 * - `whole`: the whole request, because the provider reads nothing from its cache.
 */
export type SummaryRewrite = 'afterSummary' | 'beginning' | 'whole';

/** What a summary costs and saves, in US dollars. */
export interface SummaryPrice {
  /** The cost of writing the summary, in US dollars. */
  readonly cost: number;
  /**
   * Extra cost of the next request: it writes the summary, the text after it and the changed text before it to the
   * cache, as far as it would otherwise read them. 0 without a cache.
   */
  readonly rewriting: number;
  /** How much less each later request costs. */
  readonly saving: number;
  /** Number of later requests after which the savings cover the costs. Null for never. */
  readonly paysFrom: number | null;
}

/** Tokens are by Loupe's count, except `rewritten`. */
export interface SummaryChange {
  /** Tokens of the conversation that the summary replaces. */
  readonly freed: number;
  /** Tokens of the conversation that are kept after the summary. */
  readonly staying: number;
  readonly summaryTokens: number;
  /** See `RewriteFigures`. */
  readonly rewritten: number;
  readonly ttl: Ttl;
  readonly correction: number;
  /** Cost of writing the summary in US dollars. */
  readonly cost: number;
  readonly isCached: boolean;
}

/**
 * Returns the maximum cost of a summary in US dollars: the request without a cache read, at the price of a cache write
 * if that is higher, and the longest reply. `ttl`: the lifetime of what is written.
 */
export function mostCostOfSummary(
  requestTokens: number,
  { summaryTokens, ttl }: Pick<SummaryChange, 'summaryTokens' | 'ttl'>,
  prices: Prices,
): number {
  const rates = ratesOf(prices, requestTokens);
  const input = Math.max(rates.input, ttl === '1h' ? rates.cacheWrite1h : rates.cacheWrite5m);
  return costAt({ ...rates, input }, requestTokens, summaryTokens);
}

function costAt({ input, output }: Rates, inputTokens: number, outputTokens: number): number {
  return (inputTokens * input + outputTokens * output) / PER_MILLION;
}

/**
 * Estimates the cost of shortening a message of `tokens`, in US dollars. Each request has at most `budget` tokens. Each
 * request after the first also contains the shortened text so far.
 */
export function costOfShortening(
  { tokens, mostTokens, budget }: { readonly tokens: number; readonly mostTokens: number; readonly budget: number },
  prices: Prices,
): number {
  const requests = Math.ceil(tokens / Math.max(1, budget - mostTokens));
  const input = tokens + (requests - 1) * mostTokens;
  return costAt(ratesOf(prices, Math.min(input, budget)), input, requests * mostTokens);
}

/** Returns how many US dollars less a request of `after` tokens costs than one of `before`. At least 0. */
export function savingPerRequest(
  { before, after, isCached }: { readonly before: number; readonly after: number; readonly isCached: boolean },
  prices: Prices,
): number {
  const inputCost = (tokens: number): number => {
    const { cacheRead, input } = ratesOf(prices, tokens);
    return (tokens * (isCached ? cacheRead : input)) / PER_MILLION;
  };
  // Some models charge more per token for long prompts. A shorter prompt then also makes the kept text cheaper.
  return Math.max(0, inputCost(before) - inputCost(after));
}

/** Prices a summary. With a cache, text that was sent costs a cache read, except text that is written again. */
export function summaryPrice(
  { freed, staying, summaryTokens, rewritten, ttl, correction, cost, isCached }: SummaryChange,
  prices: Prices,
): SummaryPrice {
  const summary = correction * summaryTokens;
  const after = correction * staying + summary;
  const rates = ratesOf(prices, after);
  const saving = savingPerRequest({ before: correction * (freed + staying), after, isCached }, prices);
  const written = ttl === '1h' ? rates.cacheWrite1h : rates.cacheWrite5m;
  const rewriting = isCached ? (Math.max(0, rewritten + summary) * Math.max(0, written - rates.cacheRead)) / PER_MILLION : 0;
  return { cost, rewriting, saving, paysFrom: saving === 0 ? null : Math.max(1, Math.ceil((cost + rewriting) / saving)) };
}
