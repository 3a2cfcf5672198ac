import { priceBeforeSending, type Prices } from '../../engine/accounting/price.js';
import type { NeededAgain } from '../../engine/compaction/neededAgain.js';
import type { NeededAgainView, SummaryForecast } from '../../protocol/compaction.js';
import type { SummaryFigures } from '../chat/chatSession.js';

/** What the meter says of the next summary. */
export function summaryForecast({ trigger, plan }: Pick<SummaryFigures, 'trigger' | 'plan'>): SummaryForecast {
  if (plan === null || plan.case === 'none') {
    return { trigger, now: null };
  }
  const { to: upTo, messages, tokens, summaryTokens } = plan;
  return { trigger, now: { upTo, messages, tokens, summaryTokens } };
}

/** Null when nothing was needed again. */
export function neededAgainView({ paths, identifiers: names, tokens }: NeededAgain, prices: Prices | null): NeededAgainView | null {
  const cost = tokens === 0 ? null : priceBeforeSending({ fresh: tokens, fiveMinutes: 0, oneHour: 0 }, prices);
  return paths + names === 0 ? null : { paths, names, tokens, cost };
}
