import type { TurnBand } from '../engine/accounting/turnBand.js';
import type { CacheParts } from '../engine/model/inputParts.js';
import type { ForecastAccuracy } from '../engine/diagnosis/forecastAccuracy.js';

export type { CacheParts, TurnBand };

/** The sum of parts; null when one is unknown. */
export function sumOfCacheParts(all: readonly (CacheParts | null)[]): CacheParts | null {
  return all.reduce<CacheParts | null>(
    (sums, parts) =>
      sums === null || parts === null
        ? null
        : { read: sums.read + parts.read, written: sums.written + parts.written, fresh: sums.fresh + parts.fresh },
    { read: 0, written: 0, fresh: 0 },
  );
}

/** A forecast and what was reported. */
export interface ForecastBeside extends CacheParts {
  /** By how much the worst of the parts was off, as a share of the input; null where the provider did not report all of it. */
  readonly off: number | null;
}

/** How good the forecasts of a chat were. */
export interface AccuracyView extends ForecastAccuracy {
  /** Whether these are all requests of the chat: of a long one only the end may be loaded. */
  readonly isWhole: boolean;
}

/** What the cache is expected to do with the next request. */
export interface ForecastView {
  /** Tokens of the whole request. */
  readonly parts: CacheParts;
  /** US dollars for a token of each of these, so that they add up to `inputCost`; null without prices. */
  readonly rates: CacheParts | null;
  /** How much less the input would cost if what is written for an hour were written for five minutes, in US dollars; null without prices. */
  readonly longWriteCost: number | null;
  /** When what it reads is gone, in epoch milliseconds; null where it reads nothing. */
  readonly expiresAt: number | null;
  /** US dollars for the input after that; null without prices. */
  readonly costAfter: number | null;
  readonly accuracy: AccuracyView;
  /** By how much counts are corrected by what the provider reported before, as a share of them; 0 where they are not. */
  readonly correction: number;
  /** Between what the whole turn costs in 8 of 10 cases, in US dollars; null without tools, and where too few turns are known. */
  readonly turn: TurnBand | null;
}
