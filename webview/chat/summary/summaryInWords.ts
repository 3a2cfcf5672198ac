import { html, nothing, type TemplateResult } from 'lit';
import type { SummaryDraftView, SummaryPlanView } from '../../../src/protocol/panel/compaction.js';
import { basisMark, counted, tokens, tokensWithUnit, price } from '../../shared/numbers.js';

/** Describes the sizes of a request before and after the summary, in words and as bars. */
export function summaryInWords(plan: SummaryPlanView, draft: SummaryDraftView | null): TemplateResult {
  const { requestTokens: now, basis } = plan;
  const left = draft === null ? `${counted(plan.summaryTokens, 'token')} at most` : tokensWithUnit(draft.tokens, basis);
  const summary = draft?.tokens ?? plan.summaryTokens;
  const then = now - plan.tokens + summary;
  return html`<p>
      ${tokensWithUnit(plan.tokens, basis)} (${counted(plan.messages, 'message')}${plan.earlierSummary === null ? '' : ' and the earlier summary'})
      become ${left}. The messages stay in the log.
    </p>
    <div class="summary-bars">
      ${bar('now', { all: now, goes: plan.tokens, most: now, figure: `${basisMark(basis)}${tokens(now)}` })}
      ${bar('then', { all: then, goes: 0, most: now, figure: `≈ ${tokens(then)}` })}
    </div>`;
}

interface SummaryBar {
  readonly all: number;
  readonly goes: number;
  readonly most: number;
  /** The size in words. After a summary, the size is approximate: the overhead per message also changes. */
  readonly figure: string;
}

/** A bar of the tokens in a request. Hatching marks the part that the summary replaces. */
function bar(label: string, { all, goes, most, figure }: SummaryBar): TemplateResult {
  const percent = (part: number): string => `width:${(100 * Math.min(1, part / Math.max(1, most))).toFixed(2)}%`;
  return html`<span class="figures">${label}</span>
    <span class="summary-bar" aria-hidden="true">
      <i class="stays" .style=${percent(all - goes)}></i>${goes === 0 ? nothing : html`<i class="goes" .style=${percent(goes)}></i>`}
    </span>
    <span class="figures">${figure}</span>`;
}

export function summaryPriceInWords({ price: of }: Pick<SummaryPlanView, 'price'>): TemplateResult {
  if (of === null) {
    return html`<p class="hint">Price unknown: the model has no prices.</p>`;
  }
  const { cost, isMost, isPretended, rewriting, saving, paysFrom } = of;
  const [costs, saves] = isPretended ? ['Would cost', 'Would save'] : ['Costs', 'Saves'];
  const next = rewriting === 0 ? '' : ` and ${price(rewriting)} with the next request`;
  const gain =
    paysFrom === null ? 'It saves nothing.' : `${saves} ${price(saving)} on each later request. Pays off from the ${ordinal(paysFrom)} on.`;
  return html`<p class="hint">${costs} ${isMost ? 'at most ' : ''}${price(cost)} now${next}. ${gain}</p>`;
}

export function ordinal(number: number): string {
  const [tens, ones] = [Math.floor((number % 100) / 10), number % 10];
  const ending = tens === 1 ? 'th' : (['th', 'st', 'nd', 'rd'][ones] ?? 'th');
  return `${number.toLocaleString('en-US')}${ending}`;
}
