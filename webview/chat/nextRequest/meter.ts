import { type TemplateResult, html, nothing } from 'lit';
import type { SummaryForecast } from '../../../src/protocol/panel/compaction.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import type { ChatUsageView, ChatView } from '../../../src/protocol/panel/view.js';
import { limitButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';
import { basisMark, counted, markedPrice, percent, price, tokens } from '../../shared/numbers.js';
import { sharesInWords } from '../rows/categories.js';
import { sizeInWords } from './historyCard.js';
import type { NamedModel, NextRequestView, Share } from '../../../src/protocol/panel/nextRequest.js';

/** Shows how full the context window is, when Loupe summarizes the chat, and the cost of the chat so far. */
export function contextMeter({ nextRequest: request, chat }: PanelState, onSettings: () => void): TemplateResult {
  if (request === null) {
    return html`<div class="meter skeleton" aria-hidden="true"></div>`;
  }
  const { totalTokens, budget, limit, reservedTokens, shares, summary, assumedLimit } = request;
  const kind = assumedLimit === null ? 'limit' : `assumed limit (the context size of ${revealHidden(assumedLimit.label)} is unknown)`;
  const words = `${sizeInWords(request)} tokens: ${sharesInWords(shares, request)}`;
  return html`<div class="meter">
    <div
      role="meter"
      title="${words}\n${percent(totalTokens, budget)} of ${tokens(budget)}: ${tokens(limit)} ${kind} minus ${tokens(reservedTokens)} kept for the reply${triggerInWords(summary)}"
      aria-label="Context window"
      aria-valuemin="0"
      aria-valuemax=${Math.max(budget, totalTokens)}
      aria-valuenow=${totalTokens}
      aria-valuetext=${words}
    >
      <div class="meter-bar">
        ${shareBar(shares, totalTokens, Math.max(budget, totalTokens))} ${mark(request)}
      </div>
    </div>
    <loupe-history-card .request=${request}></loupe-history-card>
    ${assumed(request)} ${atRight(request, chat, onSettings)}
  </div>`;
}

function assumed({ limit, assumedLimit }: NextRequestView): TemplateResult | typeof nothing {
  return assumedLimit === null
    ? nothing
    : html`<span class="figures meter-assumed">${tokens(limit)} assumed · ${setLimitButton(assumedLimit, 'Set it')}</span>`;
}

/** Marks the size at which Loupe summarizes the chat automatically or suggests a summary. */
function mark({ totalTokens, budget, summary: { trigger } }: NextRequestView): TemplateResult | typeof nothing {
  return trigger?.unit === 'tokens' && trigger.then !== 'putOff'
    ? html`<i class="meter-mark" aria-hidden="true" .style=${`left:${100 * Math.min(1, trigger.at / Math.max(budget, totalTokens, 1))}%`}></i>`
    : nothing;
}

function triggerInWords({ trigger }: SummaryForecast): string {
  if (trigger === null || trigger.then === 'putOff') {
    return '';
  }
  const what = trigger.then === 'asked' ? 'Loupe asks you to summarize the chat' : 'Loupe summarizes the chat';
  return `\n${what} at ${counted(trigger.at, trigger.unit === 'tokens' ? 'token' : 'message')}`;
}

/**
 * The text on the right of the meter: a warning when the request is too long; otherwise the tokens that a summary would
 * free, and the cost of the chat. Without a possible summary or a cost, how full the context window is.
 */
function atRight(request: NextRequestView, chat: ChatView | null, onSettings: () => void): TemplateResult {
  const { totalTokens, budget, summary } = request;
  if (totalTokens > budget) {
    return html`<span class="figures meter-right over">&gt; 100%</span>`;
  }
  const spent = chat === null || chat.spent === null ? null : usage(chat.spent, chat.id);
  if (summary.now === null) {
    return html`<span class="figures meter-right">${spent ?? percent(totalTokens, budget)}</span>`;
  }
  return html`<span class="figures meter-right">
    <loupe-summary-card .forecast=${summary} .onSettings=${onSettings}></loupe-summary-card>${spent}
  </span>`;
}

function usage(spent: ChatUsageView, chatId: string): TemplateResult {
  return html`<button
    type="button"
    class="link-button figures ${spent.cost === null ? 'no-price' : ''}"
    title="${inWords(spent)}\nShow usage"
    aria-label="${spent.cost === null ? `${figures(spent)}. ` : ''}${inWords(spent)}. Show usage"
    @click=${posting({ type: 'showUsage', chatId })}
  >
    ${figures(spent)}
  </button>${spent.cost === null ? nothing : html`<span class="meter-limit"> · ${limitButton(posting({ type: 'openSpendSettings' }))}</span>`}`;
}

function figures({ cost, unknownRequests, inputTokens, outputTokens, inputEstimated, outputEstimated }: ChatUsageView): string {
  if (cost === null) {
    return `${basisMark(inputEstimated ? 'estimate' : 'exact')}${tokens(inputTokens)} in, ${basisMark(outputEstimated ? 'estimate' : 'exact')}${tokens(outputTokens)} out`;
  }
  return unknownRequests > 0 ? markedPrice('≥', price(cost)) : price(cost);
}

function inWords({ cost, unknownRequests, inputTokens, outputTokens }: ChatUsageView): string {
  const unknown = unknownRequests === 0 ? '' : `, ${counted(unknownRequests, 'request')} of unknown cost`;
  const figures = `replies on other branches included (${tokens(inputTokens)} tokens in, ${tokens(outputTokens)} out${unknown})`;
  if (cost === null) {
    return `${unknownRequests === 0 ? 'Nothing billed' : 'Price unknown'} so far, ${figures}`;
  }
  return `${unknownRequests > 0 ? 'At least ' : ''}${price(cost)} so far, ${figures}`;
}

/** The button that opens the settings of a model with an unknown context size. */
export function setLimitButton({ provider, model, label: name }: NamedModel, label: string): TemplateResult {
  const what = `the context size of ${revealHidden(name)}`;
  return html`<button
    type="button"
    class="link-button"
    title="Set ${what}"
    aria-label="${label}: ${what}"
    @click=${posting({ type: 'setModelLimit', provider, model })}
  >
    ${label}
  </button>`;
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
