import type { CacheUse } from '../cache/providerCache.js';
import type { Figure, Usage } from './usage.js';

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
  /** US dollars, as the provider charged them or at the prices of that time. */
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

/** The price in US dollars of an input of which the cache serves a part. */
export function priceOfUse({ read, written5m, written1h, fresh }: CacheUse, prices: Rates): number {
  return (fresh * prices.input + read * prices.cacheRead + written5m * prices.cacheWrite5m + written1h * prices.cacheWrite1h) / PER_MILLION;
}

/** The price in US dollars of a request's input when no cache serves it; null without prices. */
export function priceBeforeSending({ fresh, fiveMinutes, oneHour }: UncachedInput, prices: Prices | null): number | null {
  return prices === null ? null : priceOfUse({ read: 0, written5m: fiveMinutes, written1h: oneHour, fresh }, prices);
}

/** The price in US dollars of a reply of so many tokens; null without prices. */
export function priceOfReply(tokens: number, prices: Prices | null): number | null {
  return prices === null ? null : (tokens * prices.output) / PER_MILLION;
}

/** Whether prices give what a request cost. The log keeps no prices, so where those of today do not, its parts have none. */
export function givesCost(prices: Prices | null, usage: Usage, usd: number): prices is Prices {
  return prices !== null && costOf(usage, prices)?.usd === usd;
}

/** What an attempt cost: what the provider says it charged, else the cost by the model's prices; null where neither is known. */
export function chargeOf(usage: Usage, prices: Prices | null): Cost | null {
  return usage.charged === undefined ? costOf(usage, prices) : { usd: usage.charged, atLeast: false };
}

/**
 * The cost of an attempt by prices; null when the model has no prices or a part of the usage is unknown. Cache writes without a
 * reported time to live are priced as 5-minute writes, the default of every provider with explicit breakpoints. An
 * unknown cache makes no difference where cached input has the price of other input.
 */
export function costOf(usage: Usage, prices: Prices | null): Cost | null {
  const { promptTokens, completionTokens } = usage;
  const input = prices === null ? null : inputMicroDollars(usage, prices);
  if (prices === null || input === null || promptTokens === null || completionTokens === null) {
    return null;
  }
  return { usd: (input + completionTokens.value * prices.output) / PER_MILLION, atLeast: usage.isMoreBilled === true };
}

/** The price of the input in millionths of a dollar; null when it is unknown. */
function inputMicroDollars(usage: Usage, prices: Prices): number | null {
  const { promptTokens, cacheReadInputTokens, cacheCreationInputTokens } = usage;
  if (isOnePrice(prices)) {
    return sum(promptTokens, cacheReadInputTokens, cacheCreationInputTokens) * prices.input;
  }
  if (promptTokens === null || cacheReadInputTokens === null || cacheCreationInputTokens === null) {
    return null;
  }
  const written = usage.cacheCreation ?? { fiveMinutes: cacheCreationInputTokens.value, oneHour: 0 };
  return (
    promptTokens.value * prices.input +
    cacheReadInputTokens.value * prices.cacheRead +
    written.fiveMinutes * prices.cacheWrite5m +
    written.oneHour * prices.cacheWrite1h
  );
}

function sum(...figures: readonly (Figure | null)[]): number {
  return figures.reduce((total, figure) => total + (figure?.value ?? 0), 0);
}

/** Whether all input costs the same, as in a price list without cache prices. */
function isOnePrice({ input, cacheRead, cacheWrite5m, cacheWrite1h }: Prices): boolean {
  return cacheRead === input && cacheWrite5m === input && cacheWrite1h === input;
}
