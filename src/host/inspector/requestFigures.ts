import type { Prices } from '../../engine/model/price.js';
import { figureValue } from '../../engine/model/usage.js';
import { usedParts } from '../../engine/model/inputParts.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { CacheParts } from '../../protocol/forecast.js';
import type { InspectedRequest } from '../../protocol/inspector/inspector.js';
import type { ComposedRequest } from '../request/composed.js';
import { forecastRates } from '../request/forecast/forecastView.js';
import { chargedRates, priceOfParts, type TokenRates } from './requestPrices.js';

export interface RequestFigures
  extends Pick<InspectedRequest, 'input' | 'source' | 'parts' | 'inputPrice' | 'reply' | 'replyPrice' | 'isPretended'> {
  /** US dollars per token of the input; null when unknown. */
  readonly rates: CacheParts | null;
  /** Tokens of the blocks and the framing, as Loupe counts them. */
  readonly counted: number;
}

/** Returns a request's usage as far as the provider reported it. `prices` are the current ones. */
export function usedFigures({ manifest, end, isPretended }: AttemptState, prices: Prices | null): RequestFigures {
  const { tokens, counted } = manifest.size;
  const common = { counted, isPretended: isPretended === true };
  const usage = end?.usage ?? null;
  const parts = usage === null ? null : usedParts(usage);
  const reply = usage === null ? null : figureValue(usage.completionTokens);
  if (usage === null || parts === null) {
    return { ...common, input: tokens, source: 'counted', parts: null, rates: null, inputPrice: null, reply, replyPrice: null };
  }
  const rates = chargedRates(usage, end?.cost ?? null, prices);
  return {
    ...common,
    input: parts.read + parts.written + parts.fresh,
    source: usage.promptTokens?.source === 'estimated' ? 'counted' : 'reported',
    parts,
    rates,
    inputPrice: priceOfParts(parts, rates),
    reply,
    replyPrice: priceOfReply(reply, rates),
  };
}

function priceOfReply(reply: number | null, rates: TokenRates | null): number | null {
  return reply === null || rates === null ? null : reply * rates.output;
}

/** Returns the expected usage of the next request. */
export function expectedFigures({ size, model, forecast, inputCost, isPartial }: ComposedRequest): RequestFigures {
  const common = {
    input: size.tokens,
    counted: size.counted,
    reply: null,
    replyPrice: null,
    isPretended: model.prices?.isPretended === true,
  };
  if (forecast === null || isPartial) {
    return { ...common, source: 'counted', parts: null, rates: null, inputPrice: isPartial ? null : inputCost };
  }
  const rates = forecastRates(forecast, model.prices);
  return { ...common, source: 'forecast', parts: forecast.parts, rates, inputPrice: forecast.costNow };
}
