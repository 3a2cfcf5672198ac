import type { Prices } from '../../engine/accounting/price.js';
import { fullPrices } from '../fullPrices.js';

/** A model in a public price list. It only fills in figures for the user to check. */
export interface CatalogEntry {
  /** In tokens; null when the list does not say. */
  readonly contextWindow: number | null;
  readonly prices: Prices | null;
  /** The source and its gaps, as a sentence for the user. */
  readonly note: string;
}

/** Looks a model up by its id and the address of its provider; null when the list does not contain it. */
export type Catalog = (modelId: string, baseUrl: string) => CatalogEntry | null;

/** A price per million tokens: one for all prompts, or one that rises with the length of the prompt. */
type ListPrice = number | { readonly base: number };

/** The used members of a model in the list. */
export interface ListedPrices {
  readonly provider: string;
  readonly contextWindow: number | null;
  /** By the list's unit names, such as `input_mtok`. */
  readonly prices: Readonly<Record<string, ListPrice | undefined>>;
}

export function catalogEntry({ provider, contextWindow, prices }: ListedPrices): CatalogEntry {
  const isTiered = UNITS.some((unit) => typeof prices[unit] === 'object');
  return {
    contextWindow,
    prices: pricesOf(prices),
    note: `Price of ${provider} from a public list; check it.${isTiered ? ' Long prompts cost more.' : ''}`,
  };
}

const UNITS = ['input_mtok', 'output_mtok', 'cache_read_mtok', 'cache_write_mtok', 'cache_write_1h_mtok'] as const;

/** The prices of the base tier, for prompts of usual length. */
function pricesOf(prices: ListedPrices['prices']): Prices | null {
  const [input, output, cacheRead, cacheWrite5m, cacheWrite1h] = UNITS.map((unit) => {
    const price = prices[unit];
    return typeof price === 'object' ? price.base : price;
  });
  return fullPrices({ input, output, cacheRead, cacheWrite5m, cacheWrite1h });
}

/**
 * Loads the price list in the extension (the package `@pydantic/genai-prices`). Nothing is fetched, so the list is as
 * old as this version of Loupe. `now` chooses between dated prices.
 */
export async function loadCatalog(now: Date): Promise<Catalog> {
  const { calcPrice } = await import('@pydantic/genai-prices');
  const look = (modelId: string, place: { readonly providerApiUrl?: string }): ReturnType<typeof calcPrice> =>
    calcPrice({}, modelId, { ...place, timestamp: now });
  return (modelId, baseUrl) => {
    // An unknown address may be a gateway's: then the price of the model's maker counts.
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
