import { figureValue, inputTokens, usageOfOneRequest } from '../model/usage.js';
import type { AttemptState } from '../chat/slices/attempts.js';

/** A forecast that is off by no more is a good one: counts of tokens are not better. A share of the input. */
export const GOOD_FORECAST = 0.02;

/** How good the forecasts of requests were. */
export interface ForecastAccuracy {
  /** Those that were off by `GOOD_FORECAST` at most. */
  readonly good: number;
  /** Requests with a forecast of which the provider reported what its cache did. */
  readonly of: number;
}

export function forecastAccuracy(attempts: Iterable<AttemptState>): ForecastAccuracy {
  const errors = [...attempts].map(forecastError).filter((error) => error !== null);
  return { good: errors.filter((error) => error <= GOOD_FORECAST).length, of: errors.length };
}

/**
 * By how much the worst part of a forecast (read, written or fresh) was off, as a share of the input that was reported. Null without a
 * forecast, and where the provider did not report all of it.
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
