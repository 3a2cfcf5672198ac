import { html, nothing, type TemplateResult } from 'lit';
import type { BlockView, NextRequestView, PanelState } from '../../src/protocol/view.js';
import { disclosure, iconButton, linkButton } from '../shared/buttons.js';
import { posting } from '../shared/events.js';
import { icon } from '../shared/icon.js';
import { assertNever } from '../shared/assertNever.js';
import { basisMark, percent, price, tokens } from '../shared/numbers.js';
import { visibleText } from '../shared/visibleText.js';
import { adaptations } from './adaptations.js';
import { blockRows, type RowsScope } from './blockRows.js';
import { nextRequestHint } from './hint.js';
import { loading } from '../shared/skeleton.js';
import { shareBar } from './shareBar.js';

export interface NextRequestOptions {
  readonly chatId: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onSettings: () => void;
  /** Which groups of its rows are open. */
  readonly groups: Pick<RowsScope, 'isOpen' | 'toggle'>;
}

/** The request that Send would make now: one line with size and price, its parts on demand, and a link to the exact payload. */
export function nextRequest(
  { nextRequest: request, nextRequestRows: rows, entries, introduction }: PanelState,
  { chatId, isOpen, onToggle, onSettings, groups }: NextRequestOptions,
): TemplateResult {
  return html`${introduction === 'nextRequest' && entries.length > 0 ? nextRequestHint() : nothing}
  <section class="next-request" role="region" aria-label="Next request">
    <div class="next-request-line">
      ${disclosure('Next request', isOpen, onToggle)}
      ${loading(isOpen && request !== null && rows === null)}
      <span class="figures next-request-total">${total(request)}</span>
      ${iconButton({ label: 'Show next request', icon: 'eye', onClick: posting({ type: 'previewNextRequest', chatId }) })}
    </div>
    ${request === null ? nothing : problem(request, onSettings)} ${adaptations(request?.adaptations ?? [])}
    ${isOpen && request !== null && rows !== null ? details(request, rows, { ...groups, chatId }) : nothing}
  </section>`;
}

/** Where a limit of the chat's own is the cause, the settings are one click away. */
function problem({ problem: text, isOwnLimit }: NextRequestView, onSettings: () => void): TemplateResult | typeof nothing {
  return text === null
    ? nothing
    : html`<div class="problem">
        ${icon('warning')}<span>${visibleText(text)} ${isOwnLimit ? linkButton('Open chat settings', onSettings) : nothing}</span>
      </div>`;
}

/** What the size is based on, in words; nothing for the model's own tokenizer. */
function basis({ basis: kind, error }: NextRequestView): TemplateResult | typeof nothing {
  switch (kind) {
    case 'exact':
      return nothing;
    case 'providerCount':
      return html`<p class="hint">Counted by the provider. The parts are scaled to its total.</p>`;
    case 'estimate':
      return html`<p class="hint">
        ${
          error === null
            ? 'Estimate. It gets more accurate after the first reply.'
            : `Estimate, corrected by earlier replies; usually ${percent(error, 1)} off.`
        }
      </p>`;
    case 'atLeast':
      return html`<p class="hint">Too long to send; only the end was counted.</p>`;
    default:
      return assertNever(kind);
  }
}

function total(request: NextRequestView | null): TemplateResult | string {
  if (request === null) {
    return 'Counting';
  }
  const size = html`${basisMark(request.basis)}${tokens(request.totalTokens)}<span class="unit"> tokens</span>`;
  return request.inputCost === null ? size : html`${size} · ${cost(request.inputCost, request.replyCost)}`;
}

/** The price of the input, and that of a reply as far as this chat tells. */
function cost(input: number, reply: number | null): TemplateResult {
  return html`<span title=${costInWords(input, reply)}
    ><span class="input-word">input </span>${price(input)}<span class="reply-cost"> + reply${reply === null ? '' : ` ≈ ${price(reply)}`}</span></span
  >`;
}

function costInWords(input: number, reply: number | null): string {
  const more = reply === null ? 'The reply comes on top.' : `A reply of this chat typically costs ${price(reply)}.`;
  return `The input costs ${price(input)} when nothing is read from the cache. ${more}`;
}

function details(request: NextRequestView, blocks: readonly BlockView[], scope: RowsScope): TemplateResult {
  const framing = request.shares.find((share) => share.category === 'framing')?.tokens ?? 0;
  return html`<div class="next-request-details" tabindex="0" role="group" aria-label="Parts of the next request">
    ${shareBar(request.shares, request.totalTokens)} ${blockRows({ ...request, blocks, framingTokens: framing }, scope)} ${basis(request)}
    ${request.inputCost === null ? nothing : html`<p class="hint">${costInWords(request.inputCost, request.replyCost)}</p>`}
  </div>`;
}
