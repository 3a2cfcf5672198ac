import { html, type TemplateResult } from 'lit';
import type { NextRequestView } from '../../src/protocol/view.js';
import { basisMark, percent, tokens } from '../shared/numbers.js';
import { sharesInWords } from './categories.js';
import { shareBar } from './shareBar.js';

/** How full the context window is with the next request. */
export function contextMeter(request: NextRequestView | null): TemplateResult {
  if (request === null) {
    return html`<div class="meter skeleton" aria-hidden="true"></div>`;
  }
  const { totalTokens, budget, shares, basis } = request;
  const line = `${basisMark(basis)}${tokens(totalTokens)} of ${tokens(budget)} tokens`;
  const words = sharesInWords(shares);
  return html`<div class="meter" title="${line}: ${words}">
    <div
      role="meter"
      aria-label="Context window"
      aria-valuemin="0"
      aria-valuemax=${Math.max(budget, totalTokens)}
      aria-valuenow=${totalTokens}
      aria-valuetext="${line}: ${words}"
    >
      ${shareBar(shares, Math.max(budget, totalTokens))}
    </div>
    <div class="figures meter-line">
      <span>${line}</span>
      <span class=${totalTokens > budget ? 'over' : ''}>${totalTokens > budget ? '> 100%' : percent(totalTokens, budget)}</span>
    </div>
  </div>`;
}
