import type { Usage } from './usage.js';

/** US dollars per million tokens. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
}

/** What a model's tokens cost. `isPretended`, where it is there: the rates are only for show, and nobody bills them. */
export interface Prices extends Rates {
  readonly isPretended?: true;
}

/** What an attempt cost. */
export interface Cost {
  /** US dollars at the prices of that time. */
  readonly usd: number;
  /** Whether the provider may have billed more, because a part of the usage is unknown. */
  readonly atLeast: boolean;
}

const PER_MILLION = 1_000_000;

/** The prices that are to be paid; null where there are none, or nobody bills them. */
export function billedPrices(prices: Prices | null): Prices | null {
  return prices?.isPretended === true ? null : prices;
}

/** The tokens of a request's input when no cache serves it: those that its breakpoints write for a time, and the rest. */
export interface UncachedInput {
  readonly fresh: number;
  readonly fiveMinutes: number;
  readonly oneHour: number;
}

/** The price in US dollars of a request's input when no cache serves it; null without prices. */
export function priceBeforeSending({ fresh, fiveMinutes, oneHour }: UncachedInput, prices: Prices | null): number | null {
  return prices === null ? null : (fresh * prices.input + fiveMinutes * prices.cacheWrite5m + oneHour * prices.cacheWrite1h) / PER_MILLION;
}

/** The price in US dollars of a reply of so many tokens; null without prices. */
export function priceOfReply(tokens: number, prices: Prices | null): number | null {
  return prices === null ? null : (tokens * prices.output) / PER_MILLION;
}

/**
 * The cost of an attempt; null when the model has no prices or a part of the usage is unknown. Cache writes without a
 * reported time to live are priced as 5-minute writes, the default of every provider with explicit breakpoints.
 */
export function costOf(usage: Usage, prices: Prices | null): Cost | null {
  const { promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens } = usage;
  if (
    prices === null ||
    promptTokens === null ||
    cacheReadInputTokens === null ||
    cacheCreationInputTokens === null ||
    completionTokens === null
  ) {
    return null;
  }
  const written = usage.cacheCreation ?? { fiveMinutes: cacheCreationInputTokens.value, oneHour: 0 };
  const dollars =
    (promptTokens.value * prices.input +
      cacheReadInputTokens.value * prices.cacheRead +
      written.fiveMinutes * prices.cacheWrite5m +
      written.oneHour * prices.cacheWrite1h +
      completionTokens.value * prices.output) /
    PER_MILLION;
  return { usd: dollars, atLeast: false };
}
