import { type TemplateResult, html, nothing } from 'lit';
import type { NamedModel } from '../../../src/protocol/panel/nextRequest.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { posting } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';
import { tokens } from '../../shared/numbers.js';

/** Shows how full the context window is, and the cost of the chat so far, in the line of the title. */
export function contextMeter({ nextRequest: request, chat }: PanelState, onSettings: () => void): TemplateResult {
  return request === null
    ? html`<span class="meter skeleton" aria-hidden="true"></span>`
    : html`<loupe-history-card class="meter" .request=${request} .onSettings=${onSettings}></loupe-history-card>
      ${chat?.spent ? html`<loupe-spent .chatId=${chat.id} .spent=${chat.spent}></loupe-spent>` : nothing}`;
}

/** Says that the limit of the context window is assumed. Nothing for a known limit. */
export function assumedLimit({ nextRequest: request }: PanelState): TemplateResult | typeof nothing {
  return request === null || request.assumedLimit === null
    ? nothing
    : html`<div class="figures meter-assumed">${tokens(request.limit)} assumed · ${setLimitButton(request.assumedLimit, 'Set it')}</div>`;
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
