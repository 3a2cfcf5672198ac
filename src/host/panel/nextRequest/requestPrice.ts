import { typicalReply, unusualPrice } from '../../../engine/accounting/usualCosts.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { Model } from '../../../engine/model/model.js';
import { modelKey } from '../../../engine/model/modelRef.js';
import { promptBlocks } from '../../../engine/model/prompt.js';
import { figureValue } from '../../../engine/model/usage.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import { manifestBase } from '../../../engine/request/base.js';
import { SUMMARY_KEY } from '../../../engine/request/gather.js';
import type { NextRequestView } from '../../../protocol/panel/view.js';
import { forecastView } from '../../request/forecast/forecastView.js';

type PriceView = Pick<NextRequestView, 'inputCost' | 'forecast' | 'mayBeCached' | 'isRewritten' | 'reply' | 'unusual' | 'isPretended'>;

/** Returns what a request and its reply cost, and the expected cache use. A partly counted input has no price. */
export function requestPrice(composed: ComposedRequest, state: ChatState): PriceView {
  const { model, isPartial } = composed;
  const forecast = isPartial ? null : composed.forecast;
  const inputCost = isPartial ? null : forecast === null ? composed.inputCost : forecast.costNow;
  const reply = typicalReply(state, composed);
  return {
    inputCost,
    forecast: forecast === null ? null : forecastView({ ...composed, forecast }, state),
    mayBeCached: composed.forecast === null && mayBeCached(state, model),
    isRewritten: isNewSummary(composed, state) && mayBeCached(state, model),
    reply,
    unusual: unusualPrice(inputCost === null ? null : inputCost + (reply?.median ?? 0), state),
    isPretended: model.prices?.isPretended === true,
  };
}

/** Whether the request contains a summary that is new or different since the last request. */
function isNewSummary({ prompt }: ComposedRequest, state: Pick<ChatState, 'attempts' | 'runs' | 'timeline'>): boolean {
  const summary = promptBlocks(prompt).find(({ key }) => key.startsWith(SUMMARY_KEY));
  const sent = summary === undefined ? undefined : manifestBase(state)?.content?.blocks;
  return sent !== undefined && !sent.some(({ key, hash }) => key === summary?.key && hash === summary.hash);
}

/** Whether the cache may hold a part of the next request, because an earlier request read or wrote cached tokens. */
function mayBeCached({ attempts, config }: Pick<ChatState, 'attempts' | 'config'>, { ref, capabilities }: Model): boolean {
  // A provider without breakpoints caches automatically, with any cache mode of the chat.
  if (config.cacheMode === 'all-off' && capabilities.cache.kind === 'marks') {
    return false;
  }
  const key = modelKey(ref);
  return [...attempts.values()].some(({ model, end }) => {
    const { cacheReadInputTokens = null, cacheCreationInputTokens = null } = end?.usage ?? {};
    return modelKey(model) === key && ((figureValue(cacheReadInputTokens) ?? 0) > 0 || (figureValue(cacheCreationInputTokens) ?? 0) > 0);
  });
}
