import type { Usage } from './usage.js';

/** US dollars per million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
}

/** What an attempt cost. */
export interface Cost {
  /** US dollars at the prices of the time. */
  readonly usd: number;
  /** Whether more may have been billed: a part of the usage is not known. */
  readonly atLeast: boolean;
}

const PER_MILLION = 1_000_000;

/** What the input of a request costs in US dollars when no cache serves it; null without prices. */
export function priceBeforeSending(tokens: number, prices: Prices | null): number | null {
  return prices === null ? null : (tokens * prices.input) / PER_MILLION;
}

/**
 * What an attempt cost; null when the model has no prices or a part of the usage is unknown.
 * Written tokens whose time to live is not reported are priced as 5-minute writes, the default of every
 * provider with explicit breakpoints.
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
