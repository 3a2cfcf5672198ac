import { type TemplateResult, html, nothing } from 'lit';
import {
  type DetailKind,
  type DetailLine,
  type InspectedRequest,
  type InspectorDetail,
  LINES_AT_ONCE,
  MOST_LINES,
} from '../../src/protocol/inspector/inspector.js';
import { iconButton, linkButton } from '../shared/controls/buttons.js';
import { icon } from '../shared/controls/icon.js';
import { counted, tokens } from '../shared/numbers.js';
import { visibleText } from '../shared/visibleText.js';
import { iconOf } from './blocksTable.js';
import type { RenderedPart } from './inspectorHead.js';

export interface DetailPorts {
  readonly show: (kind: DetailKind) => void;
  readonly more: (where: 'before' | 'after') => void;
  readonly copy: (block: number) => void;
  readonly showRaw: () => void;
  /** The hint how the request could have cost less, shown at the block where the cache broke. */
  readonly hint: RenderedPart;
}

export function blockDetail(request: InspectedRequest, detail: InspectorDetail, ports: DetailPorts): TemplateResult | typeof nothing {
  const block = request.blocks[detail.block];
  if (block === undefined) {
    return nothing;
  }
  const tabs: readonly (readonly [DetailKind, Label])[] = [
    ...(request.before === null ? [] : [['change', changeSince(request.before.number)] as const]),
    ['payload', 'Exact payload'],
    ['text', 'Text'],
  ];
  return html`<section class="detail" aria-label="Selected block">
    <header>
      ${icon(iconOf(block))}
      <h2>${visibleText(block.name)}</h2>
      ${iconButton({ label: 'Show raw request', icon: 'json', onClick: ports.showRaw })}
      ${iconButton({
        label: 'Copy this block',
        icon: 'copy',
        onClick: () => {
          ports.copy(detail.block);
        },
      })}
    </header>
    <p class="detail-facts hint">${block.tier} · ${visibleText(block.why)}</p>
    <div class="tabs" role="tablist" aria-label="Views of the block" data-roving="tabs">
      ${tabs.map(([kind, name]) => tab(kind, name, kind === detail.kind, ports))}
    </div>
    <div class="tab-panel" role="tabpanel" id="detail-panel" aria-labelledby="tab-${detail.kind}">
      ${detail.note === '' ? nothing : html`<p class="detail-note">${visibleText(detail.note)}</p>`} ${linesPart(detail, ports)}
    </div>
    ${ports.hint}
  </section>`;
}

type Label = string | TemplateResult;

/** A narrow view leaves out the word between, so that all tabs have room in one line. */
function changeSince(number: number): TemplateResult {
  return html`Change since <span class="tab-word">request </span>${tokens(number)}`;
}

function tab(kind: DetailKind, name: Label, isShown: boolean, { show }: DetailPorts): TemplateResult {
  return html`<button
    type="button"
    role="tab"
    id="tab-${kind}"
    aria-selected=${isShown}
    aria-controls="detail-panel"
    @click=${() => {
      show(kind);
    }}
  >
    ${name}
  </button>`;
}

function linesPart(detail: InspectorDetail, { more }: DetailPorts): TemplateResult | typeof nothing {
  const { lines, linesBefore, linesAfter, kind } = detail;
  if (lines.length === 0) {
    return nothing;
  }
  return html`${linesBefore === 0 ? nothing : moreButton(linesBefore, 'before', more)}
    <div class="lines ${kind}" tabindex="0" role="group" aria-label="Lines">${lines.map((line) => lineOf(line, kind))}</div>
    ${linesAfter === 0 ? nothing : moreButton(linesAfter, 'after', more)}`;
}

function moreButton(left: number, where: 'before' | 'after', more: DetailPorts['more']): TemplateResult {
  const count = Math.min(left, LINES_AT_ONCE, MOST_LINES);
  return html`<p class="more-lines">
    ${linkButton(`Show ${counted(count, where === 'before' ? 'earlier line' : 'more line')}`, () => {
      more(where);
    })}
  </p>`;
}

const CLASSES = { '': '', '+': 'added', '−': 'removed', '@': 'same' } as const;

function lineOf({ text, cut, mark, number, numberBefore }: DetailLine, kind: DetailKind): TemplateResult {
  const rest = cut === 0 ? nothing : html`<span class="cut">… ${tokens(cut)} more characters</span>`;
  return html`<div class="line ${CLASSES[mark]}">
    ${kind === 'change' ? html`<span class="line-number">${numberBefore ?? ''}</span>` : nothing}<span class="line-number">${number ?? ''}</span
    >${kind === 'change' ? html`<span class="line-mark">${mark === '@' ? '' : mark}</span>` : nothing}<span class="line-text"
      >${kind === 'payload' ? jsonLine(text) : mark === '@' ? `@@ ${text} @@` : visibleText(text)}${rest}</span
    >
  </div>`;
}

function jsonLine(text: string): TemplateResult {
  return html`${jsonPieces(text).map(({ text: piece, kind }) => (kind === 'plain' ? visibleText(piece) : html`<span class="json-${kind}">${visibleText(piece)}</span>`))}`;
}

interface JsonPiece {
  readonly text: string;
  readonly kind: 'name' | 'string' | 'plain';
}

/** Matches a JSON string, even if cut off. A colon after the string marks a member name and is part of the match. */
const STRINGS = /("(?:[^"\\]|\\.)*(?:"|$))(\s*:)?/g;

/** Splits a line of JSON into pieces. The joined pieces are the whole line. */
export function jsonPieces(line: string): readonly JsonPiece[] {
  const pieces: JsonPiece[] = [];
  let from = 0;
  const plain = (to: number): void => {
    if (to > from) {
      pieces.push({ text: line.slice(from, to), kind: 'plain' });
    }
  };
  for (const match of line.matchAll(STRINGS)) {
    plain(match.index);
    const [, text = '', colon] = match;
    pieces.push({ text, kind: colon === undefined ? 'string' : 'name' });
    from = match.index + text.length;
  }
  plain(line.length);
  return pieces;
}
