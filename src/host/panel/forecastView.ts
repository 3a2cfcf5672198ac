import type { Prices } from '../../engine/accounting/price.js';
import type { TurnBand } from '../../engine/accounting/turnBand.js';
import type { Forecast } from '../../engine/cache/forecast.js';
import type { CacheParts, ForecastView } from '../../protocol/forecast.js';

const PER_MILLION = 1_000_000;

export function forecastView(
  { parts, costNow, expiresAt, costAfter }: Forecast,
  prices: Prices | null,
  turn: TurnBand | null,
): ForecastView {
  return { parts, rates: prices === null || costNow === null ? null : rates(parts, costNow, prices), expiresAt, costAfter, turn };
}

/** What is written may live for different times at different prices: its rate is what the others leave of the whole. */
function rates({ read, written, fresh }: CacheParts, costNow: number, prices: Prices): CacheParts {
  const [ofRead, ofFresh] = [prices.cacheRead / PER_MILLION, prices.input / PER_MILLION];
  return { read: ofRead, fresh: ofFresh, written: written === 0 ? 0 : (costNow - read * ofRead - fresh * ofFresh) / written };
}
