import { html, nothing, type TemplateResult } from 'lit';
import type { AssistantEntry } from '../../../src/protocol/panel/entries.js';
import { iconButton } from '../../shared/controls/buttons.js';
import { icon } from '../../shared/controls/icon.js';
import { revealHidden } from '../../shared/hidden.js';
import { columnPrice, counted, tokens as tokensInWords } from '../../shared/numbers.js';
import { posting } from '../../shared/events.js';
import { visibleText } from '../../shared/visibleText.js';
import type { EntryScope } from '../request/scope.js';
import { showRequest } from './showRequestButton.js';

/** The key that shows the exact request of the focused row. */
const STEP_REQUEST_KEY = 'Ctrl+Enter';

export interface StepRow {
  readonly icon: string;
  readonly verb: string;
  readonly subject: string;
  /** The lines that an edit changed. Empty for other rows. */
  readonly lines: string;
  /** Why there is no usual result. Empty for a usual result. */
  readonly outcome: string;
  /** Estimated tokens of the result, or tokens of the reply. Null without a result. */
  readonly tokens: number | null;
  /** Cost of the request. Empty where another row shows it, and until known. */
  readonly price: string;
}

/** The row of a step, which arrow keys reach from the line. `isOpen`: undefined for a row that opens nothing. */
export function stepButton(row: StepRow, isOpen: boolean | undefined, onClick: (event: Event) => void): TemplateResult {
  const { verb, subject, lines, outcome, tokens, price } = row;
  const figures = [...(tokens === null ? [] : [counted(tokens, 'token')]), ...(price === '' ? [] : [price])];
  const name = [[verb, subject, lines].filter((word) => word !== '').join(' '), ...(outcome === '' ? [] : [outcome]), ...figures].join(
    ', ',
  );
  return html`<button type="button" class="step" tabindex="-1" title=${revealHidden(name)} aria-expanded=${isOpen ?? nothing} aria-keyshortcuts="Control+Enter" @click=${onClick}>
    ${icon(row.icon)}<span class="step-what"><span class="step-verb">${visibleText(verb)}</span> <span class="step-subject">${subjectParts(subject)}</span></span>
    ${lines === '' ? nothing : html`<span class="step-lines">${lines}</span>`}
    ${outcome === '' ? nothing : html`<span class="step-outcome">${outcome}</span>`}
    ${figures.length === 0 ? nothing : columns(tokens, price)}
  </button>`;
}

/** Both columns, also if one is empty, so that the figures of all rows are below each other. */
function columns(tokens: number | null, price: string): TemplateResult {
  const unit = html`<span class="sr-only"> ${tokens === 1 ? 'token' : 'tokens'}</span>`;
  return html`<span class="figures step-tokens">${tokens === null ? nothing : html`${tokensInWords(tokens)}${unit}`}</span>
    <span class="figures step-price">${price}</span>`;
}

/** Returns a subject so that a narrow row cuts the folders of a path, not the name of the file. */
function subjectParts(subject: string): TemplateResult {
  const cut = /\s|:\/\//.test(subject) ? 0 : subject.lastIndexOf('/', subject.length - 2) + 1;
  return cut === 0
    ? html`<span class="step-text">${visibleText(subject)}</span>`
    : html`<span class="step-folder">${visibleText(subject.slice(0, cut))}</span><span class="step-file">${visibleText(subject.slice(cut))}</span>`;
}

/** The button of a row that shows the exact request. */
export function stepRequestButton(attemptId: string, scope: Pick<EntryScope, 'chatId'>): TemplateResult {
  const onClick = posting(showRequest(attemptId, scope));
  return html`<span class="request">${iconButton({ label: 'Show this request', icon: 'inspect', shortcut: STEP_REQUEST_KEY, onClick })}</span>`;
}

/** Returns the cost of a request for its row. Empty until known, and without a record of the usage. */
export function requestPrice({ usage }: Pick<AssistantEntry, 'usage'>): string {
  if (usage === null) {
    return '';
  }
  return usage.inherited ? 'inherited' : usage.cost === null ? 'unknown' : columnPrice(usage.cost, usage.isAtLeast);
}
