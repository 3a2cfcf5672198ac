import { type TemplateResult, html, nothing } from 'lit';
import {
  type InspectedRequest,
  type InspectorChart,
  type InspectorHint,
  type InspectorQuery,
  NEXT_REQUEST,
  type Verdict,
} from '../../src/protocol/inspector/inspector.js';
import { iconButton, linkButton } from '../shared/controls/buttons.js';
import { icon } from '../shared/controls/icon.js';
import { counted, dateTime, tokens } from '../shared/numbers.js';
import { visibleText } from '../shared/visibleText.js';

export interface HeadPorts {
  readonly show: (id: string) => void;
  readonly find: (event: Event) => void;
  readonly findNext: (event: KeyboardEvent) => void;
  readonly sendAgain: () => void;
  readonly copyPayload: () => void;
  readonly exportRequest: () => void;
  readonly text: string;
  readonly found: readonly number[] | null;
}

/** Returns the heading of a sent request. Without its place before the host has read the requests of the chat. */
function placeOf(at: number, all: number): TemplateResult | string {
  return at === -1 ? 'Request' : html`Request ${tokens(at + 1)} <span class="of-all">of ${tokens(all)}</span>`;
}

export function inspectorHead(
  chart: InspectorChart | null,
  request: InspectedRequest | null,
  { request: id }: InspectorQuery,
  ports: HeadPorts,
): TemplateResult {
  const ids = [...(chart?.requests.map((each) => each.id) ?? []), NEXT_REQUEST];
  const at = ids.indexOf(id);
  const step = (label: string, name: string, to: string | undefined): TemplateResult =>
    iconButton({
      label,
      icon: name,
      disabled: to === undefined,
      onClick: () => {
        ports.show(to ?? id);
      },
    });
  return html`<header class="head">
    ${step('Request before', 'chevron-left', ids[at - 1])}
    <h1>${id === NEXT_REQUEST ? 'Next request' : placeOf(at, ids.length - 1)}</h1>
    ${step('Request after', 'chevron-right', at === -1 ? undefined : ids[at + 1])}
    <span class="facts">${facts(chart, request)}</span>
    <div class="head-tools">
      <label class="find">
        ${icon('search')}<span class="sr-only">Find in this request</span>
        <input
          type="text"
          placeholder="Find in this request"
          spellcheck="false"
          maxlength="1000"
          .value=${ports.text}
          @input=${ports.find}
          @keydown=${ports.findNext}
        />
        <span class="figures" role="status">${ports.found === null ? '' : counted(ports.found.length, 'block')}</span>
      </label>
      ${request === null || id === NEXT_REQUEST || request.purpose !== 'reply' ? nothing : framed('Send again…', 'debug-restart', ports.sendAgain)}
      ${framed('Copy payload', 'copy', ports.copyPayload)} ${framed('Export', 'export', ports.exportRequest)}
    </div>
  </header>`;
}

function framed(label: string, name: string, onClick: () => void): TemplateResult {
  return html`<button type="button" class="framed" @click=${onClick}>${icon(name)} ${label}</button>`;
}

function facts(chart: InspectorChart | null, request: InspectedRequest | null): TemplateResult | typeof nothing {
  if (request === null) {
    return nothing;
  }
  const { purpose, at, model } = request;
  const words = [purpose, ...(at === null ? [] : [dateTime(at)]), model].join(' · ');
  return html`<span class="chat-title">${visibleText(chart?.chat ?? '')}</span><span class="of-request">&nbsp;· ${visibleText(words)}</span>`;
}

const TONES: Readonly<Record<Verdict['tone'], string>> = { good: 'pass', miss: 'warning', expired: 'history', plain: 'question' };

interface VerdictScope {
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly addPrices: (event: Event) => void;
}

/** The cost of the request with its reason, in one sentence, and a hint. *Details* shows the rest. */
export function verdictLine(
  { tone, cost, reason, providerSays, details, offersPrices }: Verdict,
  hint: RenderedPart,
  { isOpen, toggle, addPrices }: VerdictScope,
): TemplateResult {
  const more = [providerSays ?? '', details].filter((text) => text !== '');
  const button =
    more.length === 0
      ? nothing
      : html`<button type="button" class="link-button" aria-expanded=${isOpen} aria-controls="verdict-details" @click=${toggle}>Details</button>`;
  return html`<section class="verdict ${tone}" aria-label="Verdict">
    ${icon(TONES[tone])}
    <div>
      <p><strong>${cost}:</strong> ${visibleText(reason)} ${offersPrices ? linkButton('Add prices', addPrices) : nothing} ${offersPrices && more.length > 0 ? '·' : nothing} ${button}</p>
      <div id="verdict-details" ?hidden=${!isOpen}>${isOpen ? more.map((text) => html`<p class="hint">${visibleText(text)}</p>`) : nothing}</div>
      ${hint}
    </div>
  </section>`;
}

export type RenderedPart = TemplateResult | typeof nothing;

/** A hint how the request could have cost less. *Use* and *Undo* are the same button, which keeps the focus. */
export function hintLine({ text, offer, done }: InspectorHint, act: (offer: 'use' | 'undo') => void): TemplateResult {
  const button =
    offer === null
      ? nothing
      : linkButton(offer === 'use' ? 'Use this layout from now on' : 'Undo', () => {
          act(offer);
        });
  return html`<p class="hint-line">
    ${icon('lightbulb')}<span>${text} <span role="status">${done}</span> ${button}</span>
  </p>`;
}
