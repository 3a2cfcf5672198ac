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
    `${sizeInWords(request)} tokens: ${sharesInWords(shares, request.totalTokens)}`,
    `${percent(totalTokens, budget)} of ${tokens(budget)}: ${tokens(limit)} ${kind} minus ${tokens(reservedTokens)} kept for the reply`,
    ...triggerInWords(summary),
  ].join('\n');
}

/**
 * The bar of the context window, with a mark at the next summary. Hidden from screen readers. It is short, so it has a
 * single segment: visible segments for each kind of content would fill a third of the bar of a nearly empty window.
 */
export function meterBar(request: NextRequestView): TemplateResult {
  const { totalTokens, budget } = request;
  const filled = (100 * totalTokens) / Math.max(budget, totalTokens, 1);
  return html`<span class="meter-bar" aria-hidden="true">
    <span class="share-bar"><span class="share" .style=${`width:${filled}%`}></span></span> ${mark(request)}
  </span>`;
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
 * A bar whose segments are the shares of a request. Hidden from screen readers, because a text gives the same figures.
 */
export function shareBar(shares: readonly Share[]): TemplateResult {
  const filled =
    100 /
    Math.max(
      shares.reduce((sum, share) => sum + share.tokens, 0),
      1,
    );
  return html`<div class="share-bar" aria-hidden="true">
    ${shares.map((share) => html`<span class="share ${share.category}" .style=${`width:${share.tokens * filled}%`}></span>`)}
  </div>`;
}
