import type { Prices } from '../../engine/accounting/price.js';

/** What a public price list says of a model. It fills in what the user is about to check, and decides nothing. */
export interface CatalogEntry {
  /** Tokens of the context window; null when the list does not tell. */
  readonly contextWindow: number | null;
  readonly prices: Prices | null;
  /** Where it is from and what it leaves out, for the user: a sentence. */
  readonly note: string;
}

/** Looks a model up, by its id and the address of its provider; null when the list does not have it. */
export type Catalog = (modelId: string, baseUrl: string) => CatalogEntry | null;

/** A price of the list, per million tokens: one for all prompts, or one that rises with the length of the prompt. */
type ListPrice = number | { readonly base: number };

/** A model of the list, as far as it is used. */
export interface ListedPrices {
  readonly provider: string;
  readonly contextWindow: number | null;
  /** By the list's own unit names, such as `input_mtok`. */
  readonly prices: Readonly<Record<string, ListPrice | undefined>>;
}

export function catalogEntry({ provider, contextWindow, prices }: ListedPrices): CatalogEntry {
  const isTiered = UNITS.some((unit) => typeof prices[unit] === 'object');
  return {
    contextWindow,
    prices: pricesOf(prices),
    note: `From the public list of ${provider}'s prices${isTiered ? '; long prompts cost more than this' : ''}.`,
  };
}

const UNITS = ['input_mtok', 'output_mtok', 'cache_read_mtok', 'cache_write_mtok', 'cache_write_1h_mtok'] as const;

/**
 * The base tier: what a prompt of usual length costs. A list without a price for cached tokens means that they cost
 * what other input costs; a write for an hour costs what one for five minutes does when only that is listed.
 */
function pricesOf(prices: ListedPrices['prices']): Prices | null {
  const base = (unit: (typeof UNITS)[number]): number | null => {
    const price = prices[unit];
    return price === undefined ? null : typeof price === 'number' ? price : price.base;
  };
  const input = base('input_mtok');
  const output = base('output_mtok');
  if (input === null || output === null) {
    return null;
  }
  const cacheWrite5m = base('cache_write_mtok') ?? input;
  return {
    input,
    output,
    cacheRead: base('cache_read_mtok') ?? input,
    cacheWrite5m,
    cacheWrite1h: base('cache_write_1h_mtok') ?? cacheWrite5m,
  };
}
