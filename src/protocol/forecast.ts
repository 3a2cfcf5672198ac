import type { TurnBand } from '../engine/accounting/turnBand.js';
import type { CacheParts } from '../engine/model/inputParts.js';
import type { ForecastAccuracy } from '../engine/diagnosis/forecastAccuracy.js';

export type { CacheParts, TurnBand };

/** Returns the sum of the parts, or null if one is unknown. */
export function sumOfCacheParts(all: readonly (CacheParts | null)[]): CacheParts | null {
  return all.reduce<CacheParts | null>(
    (sums, parts) =>
      sums === null || parts === null
        ? null
        : { read: sums.read + parts.read, written: sums.written + parts.written, fresh: sums.fresh + parts.fresh },
    { read: 0, written: 0, fresh: 0 },
  );
}

/** A forecast with its error. */
export interface ForecastWithError extends CacheParts {
  /** Error of the worst part, as a share of the input. Null if the provider did not report all parts. */
  readonly off: number | null;
}

/** The accuracy of a chat's forecasts. */
export interface AccuracyView extends ForecastAccuracy {
  /** Whether these are all requests of the chat. Of a long chat, only the end may be loaded. */
  readonly isWhole: boolean;
}

/** The expected cache read, cache write and cost of the next request. */
export interface ForecastView {
  /** Tokens of the whole request. */
  readonly parts: CacheParts;
  /** US dollars per token of each part, so that they add up to `inputCost`. Null without prices. */
  readonly rates: CacheParts | null;
  /** US dollars that five-minute instead of one-hour cache writes would save on the input. Null without prices. */
  readonly longWriteCost: number | null;
  /** When the cache that it reads expires, in epoch milliseconds. Null if it reads nothing. */
  readonly expiresAt: number | null;
  /** US dollars for the input after that. Null without prices. */
  readonly costAfter: number | null;
  readonly accuracy: AccuracyView;
  /** Correction of the counts by earlier reports of the provider, as a share of them. 0 without a correction. */
  readonly correction: number;
  /** Range of the turn's cost in 8 of 10 cases, in US dollars. Null without tools, or if too few turns are known. */
  readonly turn: TurnBand | null;
}
