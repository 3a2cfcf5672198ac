import { html, type TemplateResult } from 'lit';
import type { SummaryPlanView } from '../../src/protocol/compaction.js';
import { price } from '../shared/numbers.js';

/** What a summary costs and saves. */
export function summaryPriceInWords({ price: of }: Pick<SummaryPlanView, 'price'>): TemplateResult {
  if (of === null) {
    return html`<p class="hint">Price unknown: the model has no prices.</p>`;
  }
  const { cost, isMost, isPretended, rewriting, saving, paysFrom } = of;
  const [costs, saves] = isPretended ? ['Would cost', 'Would save'] : ['Costs', 'Saves'];
  const next = rewriting === 0 ? '' : ` and ${price(rewriting)} with the next request`;
  const gain =
    paysFrom === null ? 'It saves nothing.' : `${saves} ${price(saving)} on each one after: it pays from the ${ordinal(paysFrom)} on.`;
  return html`<p class="hint">${costs} ${isMost ? 'at most ' : ''}${price(cost)} now${next}. ${gain}</p>`;
}

/** `1st`, `2nd`, `11th`. */
export function ordinal(number: number): string {
  const [tens, ones] = [Math.floor((number % 100) / 10), number % 10];
  const ending = tens === 1 ? 'th' : (['th', 'st', 'nd', 'rd'][ones] ?? 'th');
  return `${number.toLocaleString('en-US')}${ending}`;
}
