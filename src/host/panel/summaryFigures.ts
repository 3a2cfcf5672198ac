import { billedPrices, priceOfPart, ratesOf } from '../../engine/accounting/price.js';
import type { Request } from '../../engine/request/request.js';
import type { NeededAgain } from '../../engine/compaction/neededAgain.js';
import type { NeededAgainView, SummaryForecast } from '../../protocol/compaction.js';
import { isOffered } from '../../engine/compaction/settings.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { SummaryFigures } from '../chat/compactionStatus.js';

/** What the meter says of the next summary of a chat. */
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

/** Null when nothing was needed again. The price is that of tokens in the next request. */
export function neededAgainView(
  { paths, identifiers: names, tokens }: NeededAgain,
  { model, size }: Pick<Request, 'model' | 'size'>,
): NeededAgainView | null {
  const prices = billedPrices(model.prices);
  const part = { fresh: tokens, read: 0, written5m: 0, written1h: 0 };
  const cost = tokens === 0 || prices === null ? null : priceOfPart(part, ratesOf(prices, size.tokens));
  return paths + names === 0 ? null : { paths, names, tokens, cost };
}
