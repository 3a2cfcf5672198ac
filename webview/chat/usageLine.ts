import { html, type TemplateResult } from 'lit';
import type { OutputSoFar, UsageLine } from '../../src/protocol/view.js';
import { duration, price, tokens } from '../shared/numbers.js';

/**
 * What the reply took, what matters most first: in one line where there is room for it. Unknown figures say so; a price
 * that is not known is left out. One that a fork took over has no price, which counts in the chat that paid it.
 */
export function usageLine(usage: UsageLine): TemplateResult {
  const written = usage.writtenTokens ?? 0;
  const figures = [
    html`<span>${figure(usage.inputTokens, usage.inputEstimated)} in</span>`,
    html`<span class=${(usage.cachedTokens ?? 0) > 0 ? 'cached' : ''}>${tokens(usage.cachedTokens)} cached</span>`,
    html`<span>${figure(usage.outputTokens, usage.outputEstimated)} out</span>`,
    ...charge(usage),
    ...(written > 0 ? [html`<span class="written">${tokens(written)} written</span>`] : []),
    html`<span>${duration(usage.durationMs)}</span>`,
  ];
  return html`<div class="usage figures" title=${inWords(usage)}>${figures}</div>`;
}

/** The output tokens of a reply that has not ended. */
export function outputLine({ tokens: count, isEstimate }: OutputSoFar): TemplateResult {
  const words = `${tokens(count)} output tokens have arrived, ${isEstimate ? 'as estimated here' : "counted here with the model's own tokenizer"}`;
  return html`<div class="usage figures" title=${words}><span>${figure(count, isEstimate)} out so far</span></div>`;
}

function charge({ inherited, cost }: UsageLine): TemplateResult[] {
  if (inherited) {
    return [html`<span>inherited<span class="sr-only"> from another chat, which counts it</span></span>`];
  }
  return cost === null ? [] : [html`<span>${price(cost)}</span>`];
}

/** An estimate is marked with `≈`, as everywhere. */
function figure(count: number | null, isEstimate: boolean): string {
  return `${isEstimate && count !== null ? '≈ ' : ''}${tokens(count)}`;
}

function inWords(usage: UsageLine): string {
  return [
    `${tokens(usage.inputTokens)} tokens in${usage.inputEstimated ? ESTIMATE : ''}`,
    `${tokens(usage.cachedTokens)} read from the cache`,
    `${tokens(usage.writtenTokens)} written to it`,
    `${tokens(usage.outputTokens)} out${usage.outputEstimated ? ESTIMATE : ''}`,
    chargeInWords(usage),
    duration(usage.durationMs),
    usage.inputEstimated || usage.outputEstimated ? 'What is not an estimate was reported by the provider' : 'As reported by the provider',
  ].join('\n');
}

function chargeInWords({ inherited, cost }: UsageLine): string {
  if (inherited) {
    return 'Inherited from the chat that this one was forked from, which counts it';
  }
  return cost === null ? 'Price unknown' : price(cost);
}

const ESTIMATE = ' (estimate: the provider did not report it)';
