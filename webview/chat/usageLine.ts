import { html, type TemplateResult } from 'lit';
import type { UsageLine } from '../../src/protocol/view.js';
import { duration, price, tokens } from '../shared/numbers.js';

/**
 * What the reply took, in one line, what matters most first: figures that do not fit are not shown (the tooltip has
 * all). Unknown figures say so; a price that is not known is left out.
 */
export function usageLine(usage: UsageLine): TemplateResult {
  const written = usage.writtenTokens ?? 0;
  const figures = [
    html`<span>${tokens(usage.inputTokens)} in</span>`,
    ...(usage.estimated ? [html`<span>estimate</span>`] : []),
    html`<span class=${(usage.cachedTokens ?? 0) > 0 ? 'cached' : ''}>${tokens(usage.cachedTokens)} cached</span>`,
    html`<span>${tokens(usage.outputTokens)} out</span>`,
    ...(usage.cost === null ? [] : [html`<span>${price(usage.cost)}</span>`]),
    ...(written > 0 ? [html`<span class="written">${tokens(written)} written</span>`] : []),
    html`<span>${duration(usage.durationMs)}</span>`,
  ];
  return html`<div class="usage figures" title=${inWords(usage)}>${figures}</div>`;
}

function inWords(usage: UsageLine): string {
  return [
    `${tokens(usage.inputTokens)} tokens in`,
    `${tokens(usage.cachedTokens)} read from the cache`,
    `${tokens(usage.writtenTokens)} written to it`,
    `${tokens(usage.outputTokens)} out`,
    usage.cost === null ? 'Price unknown' : price(usage.cost),
    duration(usage.durationMs),
    usage.estimated ? 'Estimated: the provider reported no usage' : 'As reported by the provider',
  ].join('\n');
}
