import { figureValue, inputTokens, usageOfOneRequest } from '../model/usage.js';
import type { AttemptState } from '../chat/slices/attempts.js';

/** The largest error of a good forecast, as a share of the input. Token counts are not more precise than this. */
export const GOOD_FORECAST = 0.02;

export interface ForecastAccuracy {
  /** The average error, as a share of the input. Null without such requests. */
  readonly average: number | null;
  /** Number of requests with a forecast and with the provider's report of the cache use. */
  readonly of: number;
}

export function forecastAccuracy(attempts: Iterable<AttemptState>): ForecastAccuracy {
  const errors = [...attempts].map(forecastError).filter((error) => error !== null);
  const sum = errors.reduce((total, error) => total + error, 0);
  return { average: errors.length === 0 ? null : sum / errors.length, of: errors.length };
}

/**
 * Returns the largest error of the three parts of a forecast (cache read, cache write, uncached), as a share of the
 * reported input. Null without a forecast, and when the provider did not report all parts.
 */
export function forecastError({ manifest: { forecast }, end }: Pick<AttemptState, 'manifest' | 'end'>): number | null {
  const usage = usageOfOneRequest(end?.usage ?? null);
  if (forecast === undefined || usage === null || usage.promptTokens?.source === 'estimated') {
    return null;
  }
  const input = inputTokens(usage);
  const [read, written] = [figureValue(usage.cacheReadInputTokens), figureValue(usage.cacheCreationInputTokens)];
  if (input === null || input === 0 || read === null || written === null) {
    return null;
  }
  const parts = [forecast.read - read, forecast.written - written, forecast.fresh - (input - read - written)];
  return Math.max(...parts.map(Math.abs)) / input;
}
