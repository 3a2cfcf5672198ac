import { html, type TemplateResult } from 'lit';
import type { ChatSpending, ChatView, NextRequestView } from '../../src/protocol/view.js';
import { posting } from '../shared/events.js';
import { basisMark, counted, percent, price, tokens } from '../shared/numbers.js';
import { sharesInWords } from './categories.js';
import { shareBar } from './shareBar.js';

/** How full the context window is with the next request, and what the chat has cost. */
export function contextMeter(request: NextRequestView | null, chat: ChatView | null): TemplateResult {
  if (request === null) {
    return html`<div class="meter skeleton" aria-hidden="true"></div>`;
  }
  const { totalTokens, budget, limit, reservedTokens, shares, basis } = request;
  const size = `${basisMark(basis)}${tokens(totalTokens)} of ${tokens(budget)}`;
  const words = `${size} tokens: ${sharesInWords(shares)}`;
  return html`<div class="meter">
    <div
      role="meter"
      title="${words}\n${percent(totalTokens, budget)} of ${tokens(budget)}: ${tokens(limit)} limit minus ${tokens(reservedTokens)} kept for the reply"
      aria-label="Context window"
      aria-valuemin="0"
      aria-valuemax=${Math.max(budget, totalTokens)}
      aria-valuenow=${totalTokens}
      aria-valuetext=${words}
    >
      ${shareBar(shares, Math.max(budget, totalTokens))}
      <span class="figures meter-size">${size}<span class="unit"> tokens</span></span>
    </div>
    ${atRight(request, chat)}
  </div>`;
}

/** That the request is too long; else what the chat has cost, which opens the usage; else how full the window is. */
function atRight({ totalTokens, budget }: NextRequestView, chat: ChatView | null): TemplateResult {
  if (totalTokens > budget) {
    return html`<span class="figures meter-right over">&gt; 100%</span>`;
  }
  const spent = chat?.spent ?? null;
  return chat === null || spent === null
    ? html`<span class="figures meter-right">${percent(totalTokens, budget)}</span>`
    : html`<button
        type="button"
        class="link-button figures meter-right"
        title="${inWords(spent)}\nShow usage"
        aria-label="${inWords(spent)}. Show usage"
        @click=${posting({ type: 'showUsage', chatId: chat.id })}
      >
        ${figures(spent)}
      </button>`;
}

function figures({ cost, unknownRequests, inputTokens, outputTokens }: ChatSpending): string {
  return cost === null ? `${tokens(inputTokens)} in, ${tokens(outputTokens)} out` : `${unknownRequests > 0 ? '≥ ' : ''}${price(cost)}`;
}

function inWords({ cost, unknownRequests, inputTokens, outputTokens }: ChatSpending): string {
  const sum = cost === null ? 'has no price' : `cost ${unknownRequests > 0 ? 'at least ' : ''}${price(cost)}`;
  const unknown = unknownRequests === 0 ? '' : `, ${counted(unknownRequests, 'request')} unknown`;
  return `This chat ${sum} until now, discarded replies included: ${tokens(inputTokens)} tokens in, ${tokens(outputTokens)} out${unknown}`;
}
