import { type TemplateResult, html, nothing } from 'lit';
import type { SummaryForecast } from '../../../src/protocol/panel/compaction.js';
import type { NextRequestView, Share } from '../../../src/protocol/panel/nextRequest.js';
import { revealHidden } from '../../shared/hidden.js';
import { basisMark, counted, percent, tokens } from '../../shared/numbers.js';
import { sharesInWords } from '../rows/categories.js';

/** Returns the used and available tokens: `12,142 of 99,488`. */
export function sizeInWords({ totalTokens, budget, basis }: NextRequestView): string {
  return `${basisMark(basis)}${tokens(totalTokens)} of ${tokens(budget)}`;
}

/** Describes the parts of the context window, its limit, and when Loupe summarizes the chat. */
export function meterInWords(request: NextRequestView): string {
  const { totalTokens, budget, limit, reservedTokens, shares, summary, assumedLimit } = request;
  const kind = assumedLimit === null ? 'limit' : `assumed limit (the context size of ${revealHidden(assumedLimit.label)} is unknown)`;
  return [
    `${sizeInWords(request)} tokens: ${sharesInWords(shares, request)}`,
    `${percent(totalTokens, budget)} of ${tokens(budget)}: ${tokens(limit)} ${kind} minus ${tokens(reservedTokens)} kept for the reply`,
    ...triggerInWords(summary),
  ].join('\n');
}

/** The bar of the context window, with a mark at the next summary. Hidden from screen readers. */
export function meterBar(request: NextRequestView): TemplateResult {
  const { shares, totalTokens, budget } = request;
  return html`<span class="meter-bar" aria-hidden="true">${shareBar(shares, totalTokens, Math.max(budget, totalTokens))} ${mark(request)}</span>`;
}

/** Marks the size at which Loupe summarizes the chat automatically or suggests a summary. */
function mark({ totalTokens, budget, summary: { trigger } }: NextRequestView): TemplateResult | typeof nothing {
  return trigger?.unit === 'tokens' && trigger.then !== 'putOff'
    ? html`<i class="meter-mark" aria-hidden="true" .style=${`left:${100 * Math.min(1, trigger.at / Math.max(budget, totalTokens, 1))}%`}></i>`
    : nothing;
}

function triggerInWords({ trigger }: SummaryForecast): readonly string[] {
  if (trigger === null || trigger.then === 'putOff') {
    return [];
  }
  const what = trigger.then === 'asked' ? 'Loupe asks you to summarize the chat' : 'Loupe summarizes the chat';
  return [`${what} at ${counted(trigger.at, trigger.unit === 'tokens' ? 'token' : 'message')}`];
}

/**
 * A bar for `whole` tokens, filled by the `total` tokens of a request. Its segments are the shares of the request,
 * scaled to add up to `total`. Hidden from screen readers, because a text gives the same figures.
 */
export function shareBar(shares: readonly Share[], total: number, whole: number): TemplateResult {
  const counted = shares.reduce((sum, share) => sum + share.tokens, 0);
  const filled = (100 * total) / Math.max(whole, 1) / Math.max(counted, 1);
  return html`<div class="share-bar" aria-hidden="true">
    ${shares.map((share) => html`<span class="share ${share.category}" .style=${`width:${share.tokens * filled}%`}></span>`)}
  </div>`;
}
