import type { CacheUse } from './providerCache.js';
import type { Figure, Usage } from './usage.js';

/** US dollars per million tokens. */
export interface RateFigures {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
}

/** The rates of one request, from `ratesOf`. The `never` members make it a type error to pass prices as rates. */
export interface Rates extends RateFigures {
  readonly longPrompts?: never;
  readonly serviceTiers?: never;
}

/** The rates of requests whose whole input has more than `above` tokens. They apply to all tokens of the request. */
export interface LongPromptRates extends RateFigures {
  readonly above: number;
}

export interface PricesByLength extends RateFigures {
  /** Sorted by rising `above`; missing when the length of a prompt does not change the price. */
  readonly longPrompts?: readonly LongPromptRates[];
}

/** The prices of a model's tokens. `isPretended`, when present: the prices are examples, and no provider bills them. */
export interface Prices extends PricesByLength {
  /** Prices by the provider's name of the service tier; missing when no tier has a known price. */
  readonly serviceTiers?: Readonly<Record<string, PricesByLength>>;
  readonly isPretended?: true;
}

export interface Cost {
  /** US dollars: the amount that the provider charged, or the cost by the prices at the time of the request. */
  readonly usd: number;
  /** Whether the provider may have billed more, because a part of the usage or a price is unknown. */
  readonly atLeast: boolean;
}

export const PER_MILLION = 1_000_000;

/** Returns the prices that are billed: null without prices, and for prices that are only examples. */
export function billedPrices(prices: Prices | null): Prices | null {
  return prices?.isPretended === true ? null : prices;
}

/** Input tokens of a request without cache reads: cache writes at breakpoints, by lifetime, and uncached tokens. */
export interface UncachedInput {
  readonly fresh: number;
  readonly fiveMinutes: number;
  readonly oneHour: number;
}

/** Returns the rates of a long prompt, or null when the usual rates apply to this many tokens. */
export function longPromptRates({ longPrompts }: PricesByLength, inputTokens: number): LongPromptRates | null {
  return longPrompts?.findLast(({ above }) => inputTokens > above) ?? null;
}

export function ratesOf(prices: PricesByLength, inputTokens: number): Rates {
  const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = longPromptRates(prices, inputTokens) ?? prices;
  return { input, output, cacheRead, cacheWrite5m, cacheWrite1h };
}

/** Returns the price of a whole input in US dollars, with its cache reads and writes. */
export function priceOfUse(use: CacheUse, prices: Prices): number {
  return priceOfPart(use, ratesOf(prices, use.fresh + use.read + use.written5m + use.written1h));
}

/** Returns the price of a part of an input in US dollars. */
export function priceOfPart({ read, written5m, written1h, fresh }: CacheUse, rates: Rates): number {
  return (fresh * rates.input + read * rates.cacheRead + written5m * rates.cacheWrite5m + written1h * rates.cacheWrite1h) / PER_MILLION;
}

/** Returns the price of a request's input without cache reads, in US dollars; null without prices. */
export function priceBeforeSending({ fresh, fiveMinutes, oneHour }: UncachedInput, prices: Prices | null): number | null {
  return prices === null ? null : priceOfUse({ read: 0, written5m: fiveMinutes, written1h: oneHour, fresh }, prices);
}

/** Returns the price of a reply in US dollars, or null without prices. Both lengths are in tokens. */
export function priceOfReply(tokens: number, inputTokens: number, prices: Prices | null): number | null {
  return prices === null ? null : (tokens * ratesOf(prices, inputTokens).output) / PER_MILLION;
}

/** Returns the service tier of a request if its price is unknown. Null otherwise. */
export function unpricedTier(usage: Usage, prices: Prices): string | null {
  return tierPrices(usage, prices) === null ? (usage.serviceTier ?? null) : null;
}

/** Returns the prices of the service tier of a request, or null when unknown. */
export function tierPrices({ serviceTier }: Usage, prices: Prices): PricesByLength | null {
  if (serviceTier === undefined) {
    return prices;
  }
  return new Map(Object.entries(prices.serviceTiers ?? {})).get(serviceTier) ?? null;
}

/** Whether these prices give the recorded cost. Otherwise Loupe cannot split the cost: the log stores no prices. */
export function givesCost(prices: Prices | null, usage: Usage, usd: number): prices is Prices {
  return prices !== null && unpricedTier(usage, prices) === null && costOf(usage, prices)?.usd === usd;
}

/** Looks up the prices of a model by its id; null when unknown. */
export type PricesOfModel = (model: string) => Prices | null;

/**
 * Returns the cost of an attempt: the reported charge, otherwise the cost by prices. Null when neither is known.
 * `pricesOf` gives the prices of other models that answered a part of the request.
 */
export function chargeOf(usage: Usage, prices: Prices | null, pricesOf: PricesOfModel): Cost | null {
  return usage.charged === undefined ? costBy(usage, prices, pricesOf) : { usd: usage.charged, atLeast: false };
}

/**
 * Returns the cost of an attempt by prices. Null when the model has no prices, or when a part of the usage is unknown.
 *
 * - Cache writes without a reported lifetime have the price of 5-minute writes, the default of every provider with
 *   explicit breakpoints.
 * - Unknown cache use makes no difference when cached input costs the same as other input.
 * - If the provider made several requests from one request, each of them is priced separately. If another model
 *   answered one of these, the cost is a lower bound.
 */
export function costOf(usage: Usage, prices: Prices | null): Cost | null {
  return costBy(usage, prices, () => null);
}

function costBy(usage: Usage, prices: Prices | null, pricesOf: PricesOfModel): Cost | null {
  // Copies the usage only if needed: the usage view prices tens of thousands of attempts at once.
  if (usage.iterations === undefined) {
    return costOfOne(usage, prices);
  }
  const { iterations, ...whole } = usage;
  const costs = iterations.map(({ model, ...figures }) =>
    costOfOne({ ...whole, ...figures }, model === undefined ? prices : pricesOf(model)),
  );
  const known = costs.filter((cost) => cost !== null);
  const usd = known.reduce((sum, cost) => sum + cost.usd, 0);
  return known.length === 0 ? null : { usd, atLeast: known.length < costs.length || known.some(({ atLeast }) => atLeast) };
}

function costOfOne(usage: Usage, prices: Prices | null): Cost | null {
  const { promptTokens, completionTokens } = usage;
  const rates = prices === null ? null : ratesOfUsage(usage, prices);
  const input = rates === null ? null : inputMicroDollars(usage, rates);
  if (prices === null || rates === null || input === null || promptTokens === null || completionTokens === null) {
    return null;
  }
  const tier = unpricedTier(usage, prices);
  const usd = (input + completionTokens.value * rates.output) / PER_MILLION;
  return { usd: tier === null ? usd : usd * leastShare(tier), atLeast: usage.isMoreBilled === true || tier !== null };
}

/**
 * Service tiers that cost more than the usual tier, by the price lists of OpenAI, Groq and Anthropic
 * (https://platform.claude.com/docs/en/about-claude/pricing).
 */
const DEARER: ReadonlySet<string> = new Set(['priority', 'performance', 'fast', 'us']);

/** The largest discount in these price lists: half, for batch and flex. */
const MOST_DISCOUNT = 0.5;

/** Returns the smallest share of the usual price that a tier can cost. */
function leastShare(tier: string): number {
  return tier.split(' + ').every((word) => DEARER.has(word)) ? 1 : MOST_DISCOUNT;
}

/** Returns the rates of a billed request, by its input length and tier. A tier without a price has the usual rates. */
export function ratesOfUsage(usage: Usage, prices: Prices): Rates {
  const { promptTokens, cacheReadInputTokens, cacheCreationInputTokens } = usage;
  return ratesOf(tierPrices(usage, prices) ?? prices, sum(promptTokens, cacheReadInputTokens, cacheCreationInputTokens));
}

/** Returns the price of the input in millionths of a dollar; null when unknown. */
function inputMicroDollars(usage: Usage, prices: Rates): number | null {
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
export function isOnePrice({ input, cacheRead, cacheWrite5m, cacheWrite1h }: RateFigures): boolean {
  return cacheRead === input && cacheWrite5m === input && cacheWrite1h === input;
}
