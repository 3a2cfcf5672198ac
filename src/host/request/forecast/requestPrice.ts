import type { ChatState } from '../../../engine/chat/state.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import type { NextRequestView } from '../../../protocol/panel/nextRequest.js';
import { mayBeCached } from '../../../engine/next/mayBeCached.js';
import { summaryRewrite } from '../../../engine/next/summaryRewrite.js';
import { typicalReply } from '../../../engine/accounting/usualCosts.js';
import { forecastView } from './forecastView.js';
import { uncachedView } from './uncachedView.js';

export type PriceView = Pick<
  NextRequestView,
  'inputCost' | 'forecast' | 'uncached' | 'mayBeCached' | 'rewritten' | 'reply' | 'isPretended'
>;

/** Returns what a request and its reply cost, and the expected cache use. A partly counted input has no price. */
export function requestPrice(composed: ComposedRequest, state: ChatState): PriceView {
  const { model, isPartial } = composed;
  const forecast = isPartial ? null : composed.forecast;
  const inputCost = isPartial ? null : forecast === null ? composed.inputCost : forecast.costNow;
  return {
    inputCost,
    forecast: forecast === null ? null : forecastView({ ...composed, forecast }, state),
    uncached: isPartial ? null : uncachedView(composed, state),
    mayBeCached: composed.forecast === null && mayBeCached(state, model),
    rewritten: mayBeCached(state, model) ? summaryRewrite(composed, state) : null,
    reply: typicalReply(state, composed),
    isPretended: model.prices?.isPretended === true,
  };
}
