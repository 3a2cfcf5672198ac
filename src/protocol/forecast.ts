import type { TurnBand } from '../engine/accounting/turnBand.js';
import type { Forecast } from '../engine/cache/forecast.js';
import type { CacheParts } from '../engine/model/inputParts.js';
import type { ForecastAccuracy } from '../engine/diagnosis/forecastAccuracy.js';

export type { CacheParts, TurnBand };

/** Returns the sum of cache parts, or null if one of them is unknown. */
export function sumOfCacheParts(all: readonly (CacheParts | null)[]): CacheParts | null {
  return all.reduce<CacheParts | null>(
    (sums, parts) =>
      sums === null || parts === null
        ? null
        : { read: sums.read + parts.read, written: sums.written + parts.written, fresh: sums.fresh + parts.fresh },
    { read: 0, written: 0, fresh: 0 },
  );
}

/** A forecast, and its difference to the provider's report. */
export interface ForecastWithError extends CacheParts {
  /** Largest error of the three parts, as a share of the input. Null if the provider did not report all parts. */
  readonly off: number | null;
}

/** The accuracy of a chat's forecasts. */
export interface AccuracyView extends ForecastAccuracy {
  /** Whether all requests of the chat are included. For a long chat, only the latest requests may be loaded. */
  readonly isWhole: boolean;
}

/** The expected cache read, cache write and cost of the next request. */
export interface ForecastView extends Pick<Forecast, 'parts' | 'longWriteCost' | 'expiresAt' | 'costAfter'> {
  /** US dollars per token of each part. Tokens times rates, summed, are the cost of the input. Null without prices. */
  readonly rates: CacheParts | null;
  readonly accuracy: AccuracyView;
  /** How much Loupe corrects its token counts by the provider's reports, as a share of the counts. 0: no correction. */
  readonly correction: number;
  /** Range of the turn's cost in 8 of 10 cases (US dollars). Null without tools, or if few turns are known. */
  readonly turn: TurnBand | null;
}

/** What Loupe observed in a provider's reports about a model: how the cache works, or what requests cost. */
export interface ObservationView {
  /** One or two sentences. */
  readonly text: string;
  /** Whether this is a warning: cached content was lost or expired early, was not cached, or prices have changed. */
  readonly isAlarm: boolean;
  /** Whether the observation is about charges. The configured prices may then be wrong. */
  readonly isOfPrices: boolean;
  /** The requests that prove the observation, newest first. */
  readonly proofs: readonly { readonly chatId: string; readonly attemptId: string }[];
}
