import type { Prices } from '../../engine/accounting/price.js';
import type { Forecast } from '../../engine/cache/forecast.js';
import type { ChatState } from '../../engine/chat/state.js';
import { forecastAccuracy } from '../../engine/diagnosis/forecastAccuracy.js';
import { correctionOf } from '../../engine/tokens/requestSize.js';
import type { CacheParts, ForecastView } from '../../protocol/forecast.js';
import type { Composed } from '../request/composed.js';

const PER_MILLION = 1_000_000;

type Forecasted = Pick<Composed, 'model' | 'size'> & { readonly forecast: Forecast };

export function forecastView(
  { forecast, model, size }: Forecasted,
  { attempts, extent }: Pick<ChatState, 'attempts' | 'extent'>,
): ForecastView {
  const { parts, costNow, expiresAt, costAfter } = forecast;
  const { prices } = model;
  return {
    parts,
    rates: prices === null || costNow === null ? null : rates(parts, costNow, prices),
    ...{ expiresAt, costAfter },
    accuracy: { ...forecastAccuracy(attempts.values()), isWhole: extent === 'whole' },
    correction: correctionOf(size),
  };
}

/** What is written may live for different times at different prices: its rate is what the others leave of the whole. */
function rates({ read, written, fresh }: CacheParts, costNow: number, prices: Prices): CacheParts {
  const [ofRead, ofFresh] = [prices.cacheRead / PER_MILLION, prices.input / PER_MILLION];
  return { read: ofRead, fresh: ofFresh, written: written === 0 ? 0 : (costNow - read * ofRead - fresh * ofFresh) / written };
}
