import type { Prices } from '../../engine/accounting/price.js';
import { fullPrices } from '../fullPrices.js';

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

/** The base tier: what a prompt of usual length costs. */
function pricesOf(prices: ListedPrices['prices']): Prices | null {
  const [input, output, cacheRead, cacheWrite5m, cacheWrite1h] = UNITS.map((unit) => {
    const price = prices[unit];
    return typeof price === 'object' ? price.base : price;
  });
  return fullPrices({ input, output, cacheRead, cacheWrite5m, cacheWrite1h });
}

/**
 * Loads the price list that is part of the extension (the package `@pydantic/genai-prices`). The list is as old as
 * this version of Loupe: nothing is fetched. `now` chooses between prices with dates.
 */
export async function loadCatalog(now: Date): Promise<Catalog> {
  const { calcPrice } = await import('@pydantic/genai-prices');
  const look = (modelId: string, place: { readonly providerApiUrl?: string }): ReturnType<typeof calcPrice> =>
    calcPrice({}, modelId, { ...place, timestamp: now });
  return (modelId, baseUrl) => {
    // An address that the list does not know may be a gateway's: then the model's own maker has the price.
    const found = look(modelId, { providerApiUrl: baseUrl }) ?? look(modelId, {});
    return found === null
      ? null
      : catalogEntry({
          provider: found.provider.name,
          contextWindow: found.model.context_window ?? null,
          prices: found.model_price,
        });
  };
}
