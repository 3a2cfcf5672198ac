import { isOffered } from '../../../engine/compaction/settings.js';
import { billedPrices, priceOfPart, ratesOf } from '../../../engine/model/price.js';
import type { LostFactsView, SummaryForecast } from '../../../protocol/panel/compaction.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { ShownNext } from '../../chat/shownNext.js';
import type { SummaryFigures } from '../../chat/summary/compactionStatus.js';

/** Returns when the next summary will happen, and what a summary would change now. */
export function summaryForecast(
  { trigger: place, plan }: Pick<SummaryFigures, 'trigger' | 'plan'>,
  { state, compactor }: Pick<ChatSession, 'state' | 'compactor'>,
): SummaryForecast {
  const asked = compactor.isDeclined ? ('putOff' as const) : ('asked' as const);
  const trigger = place === null ? null : { ...place, then: isOffered(state.config) ? asked : ('summarized' as const) };
  if (plan === null || plan.case === 'none') {
    return { trigger, now: null };
  }
  const { to: upTo, messages, tokens, summaryTokens } = plan;
  return { trigger, now: { upTo, messages, tokens, summaryTokens } };
}

/** Returns the lost facts that the model needed again, with the price of uncached tokens; null without such facts. */
export function neededAgainView({ neededAgain: facts }: SummaryFigures, { model, size }: ShownNext['composed']): LostFactsView | null {
  if (facts === null || facts.paths + facts.identifiers === 0) {
    return null;
  }
  const prices = billedPrices(model.prices);
  const part = { fresh: facts.tokens, read: 0, written5m: 0, written1h: 0 };
  return { ...facts, cost: facts.tokens === 0 || prices === null ? null : priceOfPart(part, ratesOf(prices, size.tokens)) };
}
