import { catalogEntry, type Catalog } from './catalog.js';

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
