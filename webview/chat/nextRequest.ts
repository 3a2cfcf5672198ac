import { html, nothing, type TemplateResult } from 'lit';
import type { BlockView, NextRequestView, PanelState } from '../../src/protocol/view.js';
import { disclosure, iconButton } from '../shared/controls.js';
import { posting } from '../shared/events.js';
import { icon } from '../shared/icon.js';
import { assertNever } from '../shared/assertNever.js';
import { basisMark, percent, price, tokens } from '../shared/numbers.js';
import { visibleText } from '../shared/visibleText.js';
import { adaptations } from './adaptations.js';
import { blockRows } from './blockRows.js';
import { loading } from './skeleton.js';
import { shareBar, shareLegend } from './shareBar.js';

/** What Send would send now: its size and price in a line, on demand its parts, one click from the exact payload. */
export function nextRequest(
  { nextRequest: request, nextRequestRows: rows }: PanelState,
  chatId: string,
  isOpen: boolean,
  onToggle: () => void,
): TemplateResult {
  return html`<section class="next-request" role="region" aria-label="Next request">
    <div class="next-request-line">
      ${disclosure('Next request', isOpen, onToggle)}
      ${loading(isOpen && request !== null && rows === null)}
      <span class="figures next-request-total">${total(request)}</span>
      ${iconButton({ label: 'Show exact request', icon: 'eye', onClick: posting({ type: 'previewNextRequest', chatId }) })}
    </div>
    ${problem(request?.problem ?? null)} ${adaptations(request?.adaptations ?? [])}
    ${isOpen && request !== null && rows !== null ? details(request, rows) : nothing}
  </section>`;
}

function problem(text: string | null): TemplateResult | typeof nothing {
  return text === null ? nothing : html`<div class="problem">${icon('warning')}<span>${visibleText(text)}</span></div>`;
}

/** What the size rests on, in words; nothing for the model's own tokenizer, which needs none. */
function basis({ basis: kind, error }: NextRequestView): TemplateResult | typeof nothing {
  switch (kind) {
    case 'exact':
      return nothing;
    case 'providerCount':
      return html`<p class="hint">The provider was sent this request to count it; the parts are in proportion to its total.</p>`;
    case 'estimate':
      return html`<p class="hint">
        ${
          error === null
            ? 'An estimate: the first reply of this model will show how far it is off.'
            : `An estimate, corrected by what earlier requests reported; typically off by ${percent(error, 1)}.`
        }
      </p>`;
    case 'atLeast':
      return html`<p class="hint">Only the end of this long chat was counted, until it was over the budget.</p>`;
    default:
      return assertNever(kind);
  }
}

function total(request: NextRequestView | null): TemplateResult | string {
  if (request === null) {
    return 'Counting';
  }
  const size = html`${basisMark(request.basis)}${tokens(request.totalTokens)}<span class="unit"> tokens</span>`;
  return request.inputCost === null
    ? size
    : html`${size} ·
        <span title="Price of the input when nothing is read from a cache">${price(request.inputCost)}</span>`;
}

function details(request: NextRequestView, blocks: readonly BlockView[]): TemplateResult {
  const framing = request.shares.find((share) => share.category === 'framing')?.tokens ?? 0;
  return html`<div class="next-request-details" tabindex="0" role="group" aria-label="Parts of the next request">
    ${shareBar(request.shares, request.totalTokens)} ${shareLegend(request.shares)}
    ${blockRows({ ...request, blocks, framingTokens: framing })} ${basis(request)}
  </div>`;
}
