import { PER_MILLION, ratesOf, type Prices, type Rates } from '../../../engine/model/price.js';
import type { Forecast } from '../../../engine/cache/forecast.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { UntilChange } from '../../../engine/chat/untilChange.js';
import { forecastAccuracy, type ForecastAccuracy } from '../../../engine/diagnosis/forecastAccuracy.js';
import { correctionOf } from '../../../engine/record/requestSize.js';
import type { CacheParts, ForecastView } from '../../../protocol/forecast.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';

/** Cached, because the preview at each key press needs the accuracy of thousands of attempts. */
const ACCURACIES = new UntilChange<ForecastAccuracy>();

export function forecastView(
  { forecast, model, size, turn }: Pick<ComposedRequest, 'model' | 'size' | 'turn'> & { readonly forecast: Forecast },
  state: Pick<ChatState, 'attempts' | 'extent'>,
): ForecastView {
  const { parts, longWriteCost, expiresAt, costAfter } = forecast;
  return {
    parts,
    rates: forecastRates(forecast, model.prices),
    ...{ longWriteCost, expiresAt, costAfter, turn },
    accuracy: { ...ACCURACIES.of(state, () => forecastAccuracy(state.attempts.values())), isWhole: state.extent === 'whole' },
    correction: correctionOf(size),
  };
}

/** Returns the prices per token of cache reads, writes and uncached input, in US dollars. Null without prices. */
export function forecastRates({ parts, costNow }: Forecast, prices: Prices | null): CacheParts | null {
  return prices === null || costNow === null ? null : rates(parts, costNow, ratesOf(prices, parts.read + parts.written + parts.fresh));
}

/** Written tokens may have different lifetimes and prices. Their average price is derived from the rest of the cost. */
function rates({ read, written, fresh }: CacheParts, costNow: number, { cacheRead, input }: Rates): CacheParts {
  const [ofRead, ofFresh] = [cacheRead / PER_MILLION, input / PER_MILLION];
  return { read: ofRead, fresh: ofFresh, written: written === 0 ? 0 : (costNow - read * ofRead - fresh * ofFresh) / written };
}
