import { type TemplateResult, html, nothing } from 'lit';
import type { MentionMark, MentionRow, Mentions } from '../../../src/protocol/panel/toWebview.js';
import { fileIcon, icon } from '../../shared/controls/icon.js';
import { basisMark, shortTokens, tokensWithUnit } from '../../shared/numbers.js';
import { revealHidden } from '../../shared/hidden.js';
import { visibleText } from '../../shared/visibleText.js';

/** A mark such as `@` in the message box, the text typed after the mark, and the position of the mark in the text. */
export interface Mention {
  readonly mark: MentionMark;
  readonly from: number;
  readonly text: string;
}

export interface MentionPorts {
  readonly ask: (mention: Mention) => void;
  readonly pick: (row: MentionRow, mention: Mention) => void;
  readonly announce: (text: string) => void;
  readonly changed: () => void;
}

const HEADINGS = {
  file: 'Files',
  rule: 'Rules',
  reference: 'References',
  skill: 'Skills',
  tool: 'Tools',
  page: 'Web pages',
  prompt: 'Prompts',
  server: 'Servers',
  serverLog: 'Logs of servers',
} as const;
const ICONS = {
  rule: 'law',
  reference: 'book',
  skill: 'mortar-board',
  tool: 'tools',
  page: 'globe',
  prompt: 'comment',
  server: 'play',
  serverLog: 'output',
} as const;
const LABELS = { '@': 'Add to this chat', '/': 'Prompts' } as const;
const TAKING = { '@': 'add', '/': 'use' } as const;

/** Returns the mention that ends at the cursor. Null for other text: e-mail addresses and paths are not mentions. */
export function mentionAt(text: string, caret: number): Mention | null {
  const before = text.slice(0, caret);
  const [, item] = /(?:^|[\s([{"'])@([^\s@]*)$/.exec(before) ?? [];
  if (item !== undefined) {
    return { mark: '@', from: caret - item.length - 1, text: item };
  }
  const [, prompt] = /(?:^|\n)\/([^\s/]*)$/.exec(before) ?? [];
  return prompt === undefined ? null : { mark: '/', from: caret - prompt.length - 1, text: prompt };
}

/** The popup that lists items for a mention. Arrow keys move, Enter and Tab insert the chosen item, Escape closes. */
export class MentionPopup {
  readonly #ports: MentionPorts;
  #mention: Mention | null = null;
  /** Position of the mention whose popup the user closed. More typing in this mention does not reopen the popup. */
  #closedAt: number | null = null;
  #rows: readonly MentionRow[] = [];
  #notes: readonly string[] = [];
  #chosen = 0;
  /** The mention for which the host found the visible rows. */
  #answered: Mention | null = null;

  constructor(ports: MentionPorts) {
    this.#ports = ports;
  }

  get isOpen(): boolean {
    return this.#mention !== null && this.#rows.length + this.#notes.length > 0;
  }

  /** Call this when the text or the cursor has changed. */
  typed(text: string, caret: number | null): void {
    const mention = caret === null ? null : mentionAt(text, caret);
    if (mention === null || mention.from !== this.#closedAt) {
      this.#closedAt = null;
      this.#follow(mention);
    }
  }

  #follow(mention: Mention | null): void {
    if (mention === null) {
      this.#close();
    } else if (mention.text !== this.#mention?.text || mention.from !== this.#mention.from || mention.mark !== this.#mention.mark) {
      this.#mention = mention;
      this.#ports.ask(mention);
    }
  }

  /** Shows the rows that the host found, unless the mention has changed. Keeps the choice when rows are added. */
  found({ mark, text, rows, notes }: Mentions): void {
    if (text !== this.#mention?.text || mark !== this.#mention.mark) {
      return;
    }
    const before = this.#told();
    const chosen = this.#rows[this.#chosen]?.key;
    const isSame = this.#answered === this.#mention;
    this.#answered = this.#mention;
    this.#rows = rows;
    this.#notes = notes;
    this.#chosen = isSame
      ? Math.max(
          0,
          rows.findIndex(({ key }) => key === chosen),
        )
      : 0;
    if (isSame && this.#told() === before) {
      this.#ports.changed();
    } else {
      this.#tell(this.#told());
    }
  }

  /** Returns the text for screen readers. Empty for a `/` without matches, which may be ordinary text. */
  #told(): string {
    const words = [this.#chosenInWords(), ...this.#notes].filter((part) => part !== '').join('. ');
    return words === '' && this.#mention?.mark === '@' ? 'Nothing matches' : words;
  }

  key(key: string): boolean {
    if (!this.isOpen || (this.#rows.length === 0 && key !== 'Escape')) {
      return false;
    }
    switch (key) {
      case 'ArrowDown':
        this.#choose(this.#chosen + 1);
        return true;
      case 'ArrowUp':
        this.#choose(this.#chosen - 1);
        return true;
      case 'Enter':
      case 'Tab':
        this.#pick(this.#chosen);
        return true;
      case 'Escape':
        this.#closedAt = this.#mention?.from ?? null;
        this.#close();
        return true;
      default:
        return false;
    }
  }

  render(): TemplateResult | typeof nothing {
    const { mark } = this.#mention ?? { mark: null };
    if (mark === null || !this.isOpen) {
      return nothing;
    }
    const kinds = [...new Set(this.#rows.map(({ kind }) => kind))];
    return html`<div class="mentions" tabindex="0">
      ${kinds.length === 0 ? nothing : html`<div role="listbox" aria-label=${LABELS[mark]}>${kinds.map((kind) => this.#group(kind))}</div>`}
      ${this.#notes.map((note) => html`<div class="mention-note">${visibleText(note)}</div>`)}
      <div class="mention-keys" aria-hidden="true">
        ${kinds.length === 0 ? nothing : html`<kbd>Enter</kbd> ${TAKING[mark]}`} <kbd>Esc</kbd> close
      </div>
    </div>`;
  }

  #group(kind: MentionRow['kind']): TemplateResult {
    return html`<div role="group" aria-label=${HEADINGS[kind]}>
      <div class="mention-heading" aria-hidden="true">${HEADINGS[kind]}</div>
      ${this.#rows.map((row, at) => (row.kind === kind ? this.#option(row, at) : nothing))}
    </div>`;
  }

  #option(row: MentionRow, at: number): TemplateResult {
    const isChosen = at === this.#chosen;
    return html`<div
      class="mention ${isChosen ? 'chosen' : ''}"
      role="option"
      aria-selected=${isChosen ? 'true' : 'false'}
      title=${revealHidden([row.about, row.name, sizeOf(row)].filter((part) => part !== '').join(' · '))}
      @mousedown=${(event: Event) => {
        // Keeps the focus in the message box when the user clicks a row.
        event.preventDefault();
        this.#pick(at);
      }}
    >
      ${icon(row.kind === 'file' ? fileIcon(row.name) : ICONS[row.kind])}
      <span class="mention-name">${marked(row)}</span>
      <span class="mention-about">${visibleText(row.about)}</span>
      ${row.tokens === null ? nothing : html`<span class="figures">${basisMark('estimate')}${shortTokens(row.tokens)}</span>`}
      ${row.isIn ? html`<span class="mention-in">in this chat</span>` : nothing}
    </div>`;
  }

  #choose(at: number): void {
    this.#chosen = (at + this.#rows.length) % this.#rows.length;
    this.#tell(this.#chosenInWords());
  }

  #pick(at: number): void {
    const [row, mention] = [this.#rows[at], this.#mention];
    // For a server, the popup stays open, and shows the server's resources when the server has started.
    if (row?.kind !== 'server') {
      this.#close();
    }
    if (row !== undefined && mention !== null) {
      this.#ports.pick(row, mention);
    }
  }

  #close(): void {
    this.#mention = null;
    this.#rows = [];
    this.#notes = [];
    this.#ports.changed();
  }

  #tell(words: string): void {
    if (words !== '') {
      this.#ports.announce(words);
    }
    this.#ports.changed();
  }

  #chosenInWords(): string {
    const row = this.#rows[this.#chosen];
    if (row === undefined) {
      return '';
    }
    const told = [`${row.name} ${row.about}`, sizeOf(row), row.kind].filter((part) => part !== '').join(', ');
    return `${told}, ${String(this.#chosen + 1)} of ${String(this.#rows.length)}`;
  }
}

function sizeOf({ tokens: size }: MentionRow): string {
  return size === null ? '' : tokensWithUnit(size, 'estimate');
}

function marked({ name, matches }: MentionRow): TemplateResult[] {
  const at = new Set(matches);
  return name.split('').map((letter, index) => (at.has(index) ? html`<b>${letter}</b>` : html`${letter}`));
}
