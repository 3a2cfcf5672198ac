import type { Prices, PricesByLength } from '../../../engine/model/price.js';
import type { Json, JsonObject } from '../../../engine/json.js';
import { DEFAULT_SILENCE_SECONDS, type ModelConfig, type ProviderConfig } from './providerConfig.js';

export function rawProvider(provider: ProviderConfig): JsonObject {
  const { id, label, protocol, baseUrl, headers, keyHeader, silenceSeconds, countsTokens, models } = provider;
  return {
    id,
    label,
    protocol,
    baseUrl,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(keyHeader === null ? {} : { keyHeader }),
    ...(silenceSeconds === DEFAULT_SILENCE_SECONDS ? {} : { silenceSeconds }),
    ...(countsTokens ? { countsTokens } : {}),
    models: models.map(rawModel),
  };
}

function rawModel(model: ModelConfig): JsonObject {
  const { id, label, maxInputTokens, maxOutputTokens, prices, capabilities, extraBody } = model;
  return {
    id,
    ...(label === id ? {} : { label }),
    ...(maxInputTokens === null ? {} : { maxInputTokens }),
    ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
    ...(prices === null ? {} : { prices: rawPrices(prices) }),
    ...(Object.keys(capabilities).length === 0 ? {} : { capabilities: capabilities as Record<string, Json> }),
    ...(Object.keys(extraBody).length === 0 ? {} : { extraBody }),
  };
}

function rawPrices({ serviceTiers, ...prices }: Prices): JsonObject {
  const tiers = Object.entries(serviceTiers ?? {}).map(([name, ofTier]) => [name, rawPricesByLength(ofTier)] as const);
  return { ...rawPricesByLength(prices), ...(tiers.length === 0 ? {} : { serviceTiers: Object.fromEntries(tiers) }) };
}

function rawPricesByLength({ longPrompts, ...rates }: PricesByLength): JsonObject {
  return { ...rates, ...(longPrompts === undefined ? {} : { longPrompts: longPrompts.map((each) => ({ ...each })) }) };
}
