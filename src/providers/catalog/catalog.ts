import type { LongPromptRates, Prices, RateFigures } from '../../engine/model/price.js';
import { fullRates } from '../fullRates.js';

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

/**
 * A price per million tokens: one for all prompts, or one that changes with the length of the prompt. The price of the last tier whose
 * `start` the input exceeds applies to the whole request.
 */
type ListPrice = number | { readonly base: number; readonly tiers: readonly { readonly start: number; readonly price: number }[] };

/** The used members of a model in the list. */
export interface ListedPrices {
  readonly provider: string;
  readonly contextWindow: number | null;
  /** By the list's unit names, such as `input_mtok`. */
  readonly prices: Readonly<Record<string, ListPrice | undefined>>;
}

export function catalogEntry({ provider, contextWindow, prices }: ListedPrices): CatalogEntry {
  return { contextWindow, prices: pricesOf(prices), note: `Price of ${provider} from a public list; check it.` };
}

const UNITS = ['input_mtok', 'output_mtok', 'cache_read_mtok', 'cache_write_mtok', 'cache_write_1h_mtok'] as const;

function pricesOf(prices: ListedPrices['prices']): Prices | null {
  const usual = ratesAt(0, prices);
  const longPrompts = startsIn(prices).flatMap((above): LongPromptRates[] => {
    const rates = ratesAt(above + 1, prices);
    return rates === null ? [] : [{ above, ...rates }];
  });
  return usual === null || longPrompts.length === 0 ? usual : { ...usual, longPrompts };
}

/** The numbers of tokens above which a price changes, rising. */
function startsIn(prices: ListedPrices['prices']): readonly number[] {
  const starts = UNITS.flatMap((unit) => {
    const price = prices[unit];
    return typeof price === 'object' ? price.tiers.map(({ start }) => start) : [];
  });
  return [...new Set(starts)].toSorted((a, b) => a - b);
}

/** The rates of a prompt of so many tokens. */
function ratesAt(inputTokens: number, prices: ListedPrices['prices']): RateFigures | null {
  const [input, output, cacheRead, cacheWrite5m, cacheWrite1h] = UNITS.map((unit) => {
    const price = prices[unit];
    return typeof price === 'object' ? (price.tiers.findLast(({ start }) => inputTokens > start)?.price ?? price.base) : price;
  });
  return fullRates({ input, output, cacheRead, cacheWrite5m, cacheWrite1h });
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
