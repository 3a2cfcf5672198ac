import type { LongPromptRates, Prices, RateFigures } from '../../engine/model/price.js';
import { fullRates } from '../fullRates.js';

/** A model in the public price list. Its figures are suggestions that the user should check. */
export interface PriceListEntry {
  /** The context window in tokens. Null when unknown. */
  readonly contextWindow: number | null;
  readonly prices: Prices | null;
  /** A sentence for the user: the source of the figures, and the missing figures. */
  readonly note: string;
}

/** Finds a model by its id and its provider's address. Returns null for an unknown model. */
export type PriceList = (modelId: string, baseUrl: string) => PriceListEntry | null;

/** A price per million tokens, fixed or by tier. The last tier with a `start` below the input tokens applies. */
type ListPrice = number | { readonly base: number; readonly tiers: readonly { readonly start: number; readonly price: number }[] };

export interface ListedPrices {
  readonly provider: string;
  readonly contextWindow: number | null;
  /** The price of each unit in the list, such as `input_mtok`. */
  readonly prices: Readonly<Record<string, ListPrice | undefined>>;
}

export function priceListEntry({ provider, contextWindow, prices }: ListedPrices): PriceListEntry {
  return { contextWindow, prices: pricesOf(prices), note: `Price of ${provider} from a public list. Check the price.` };
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

/** Returns the token counts at which a price changes, in ascending order. */
function startsIn(prices: ListedPrices['prices']): readonly number[] {
  const starts = UNITS.flatMap((unit) => {
    const price = prices[unit];
    return typeof price === 'object' ? price.tiers.map(({ start }) => start) : [];
  });
  return [...new Set(starts)].toSorted((a, b) => a - b);
}

function ratesAt(inputTokens: number, prices: ListedPrices['prices']): RateFigures | null {
  const [input, output, cacheRead, cacheWrite5m, cacheWrite1h] = UNITS.map((unit) => {
    const price = prices[unit];
    return typeof price === 'object' ? (price.tiers.findLast(({ start }) => inputTokens > start)?.price ?? price.base) : price;
  });
  return fullRates({ input, output, cacheRead, cacheWrite5m, cacheWrite1h });
}

/**
 * Loads the price list of the extension (package `@pydantic/genai-prices`). Uses no network, so the list is as old as
 * this version of Loupe. If a price changed on a known date, `now` selects the price.
 */
export async function loadPriceList(now: Date): Promise<PriceList> {
  const { calcPrice } = await import('@pydantic/genai-prices');
  const look = (modelId: string, place: { readonly providerApiUrl?: string }): ReturnType<typeof calcPrice> =>
    calcPrice({}, modelId, { ...place, timestamp: now });
  return (modelId, baseUrl) => {
    // An unknown address may be a gateway. The price of the company that makes the model then applies.
    const found = look(modelId, { providerApiUrl: baseUrl }) ?? look(modelId, {});
    return found === null
      ? null
      : priceListEntry({
          provider: found.provider.name,
          contextWindow: found.model.context_window ?? null,
          prices: found.model_price,
        });
  };
}
