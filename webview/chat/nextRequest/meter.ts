import { type TemplateResult, html, nothing } from 'lit';
import type { NamedModel } from '../../../src/protocol/panel/nextRequest.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import type { ChatUsageView } from '../../../src/protocol/panel/view.js';
import { posting } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';
import { basisMark, counted, markedPrice, price, tokens } from '../../shared/numbers.js';

/** Shows how full the context window is, and the cost of the chat so far, in the line of the title. */
export function contextMeter({ nextRequest: request, chat }: PanelState, onSettings: () => void): TemplateResult {
  return request === null
    ? html`<span class="meter skeleton" aria-hidden="true"></span>`
    : html`<loupe-history-card class="meter" .request=${request} .onSettings=${onSettings}></loupe-history-card>
      ${chat?.spent ? usage(chat.spent, chat.id) : nothing}`;
}

/** Says that the limit of the context window is assumed. Nothing for a known limit. */
export function assumedLimit({ nextRequest: request }: PanelState): TemplateResult | typeof nothing {
  return request === null || request.assumedLimit === null
    ? nothing
    : html`<div class="figures meter-assumed">${tokens(request.limit)} assumed · ${setLimitButton(request.assumedLimit, 'Set it')}</div>`;
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
  </button>`;
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
