import { PER_MILLION, ratesOfUsage, type Cost, type Prices, type Rates } from '../../engine/model/price.js';
import { figureValue, inputTokens, type Usage } from '../../engine/model/usage.js';
import type { CacheParts } from '../../protocol/forecast.js';

export interface TokenRates extends CacheParts {
  readonly output: number;
}

/**
 * Returns what each token of a request cost; null without prices or a known charge.
 * Prices are settings and may have changed. Current prices are then scaled so that the parts add up to the charge.
 */
export function chargedRates(usage: Usage, cost: Cost | null, prices: Prices | null): TokenRates | null {
  const input = inputTokens(usage);
  const output = figureValue(usage.completionTokens);
  if (prices === null || cost === null || input === null || output === null) {
    return null;
  }
  const read = figureValue(usage.cacheReadInputTokens) ?? 0;
  const written = figureValue(usage.cacheCreationInputTokens) ?? 0;
  const rates = todaysRates(usage, ratesOfUsage(usage, prices));
  const today = read * rates.read + written * rates.written + (input - read - written) * rates.fresh + output * rates.output;
  const factor = today === 0 ? 1 : cost.usd / today;
  return {
    read: rates.read * factor,
    written: rates.written * factor,
    fresh: rates.fresh * factor,
    output: rates.output * factor,
  };
}

function todaysRates({ cacheCreation }: Usage, prices: Rates): TokenRates {
  const { fiveMinutes, oneHour } = cacheCreation ?? { fiveMinutes: 1, oneHour: 0 };
  const written = fiveMinutes + oneHour;
  const perWritten = written === 0 ? prices.cacheWrite5m : (fiveMinutes * prices.cacheWrite5m + oneHour * prices.cacheWrite1h) / written;
  return {
    read: prices.cacheRead / PER_MILLION,
    written: perWritten / PER_MILLION,
    fresh: prices.input / PER_MILLION,
    output: prices.output / PER_MILLION,
  };
}

export function priceOfParts(parts: CacheParts | null, rates: CacheParts | null): number | null {
  return parts === null || rates === null ? null : parts.read * rates.read + parts.written * rates.written + parts.fresh * rates.fresh;
}
