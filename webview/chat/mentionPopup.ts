import { html, nothing, type TemplateResult } from 'lit';
import type { MentionRow, Mentions } from '../../src/protocol/mentions.js';
import { fileIcon } from '../shared/fileIcon.js';
import { revealHidden } from '../shared/hidden.js';
import { icon } from '../shared/icon.js';
import { visibleText } from '../shared/visibleText.js';

/** An `@` with what is typed behind it, and where it stands in the text. */
export interface Mention {
  readonly from: number;
  readonly text: string;
}

export interface MentionPorts {
  readonly ask: (text: string) => void;
  readonly pick: (row: MentionRow, mention: Mention) => void;
  readonly announce: (text: string) => void;
  readonly changed: () => void;
}

const HEADINGS = { file: 'Files', rule: 'Rules', reference: 'References', skill: 'Skills', tool: 'Tools' } as const;
const ICONS = { rule: 'law', reference: 'book', skill: 'mortar-board', tool: 'tools' } as const;

/** The mention that ends at the caret; null without one. An address of e-mail is none. */
export function mentionAt(text: string, caret: number): Mention | null {
  const [, name] = /(?:^|[\s([{"'])@([^\s@]*)$/.exec(text.slice(0, caret)) ?? [];
  return name === undefined ? null : { from: caret - name.length - 1, text: name };
}

/** What `@` in the message box may name, above it. Arrows choose, Enter and Tab take, Escape closes. */
export class MentionPopup {
  readonly #ports: MentionPorts;
  #mention: Mention | null = null;
  /** The mention that the user has closed: the popup stays away while it is typed on. */
  #closedAt: number | null = null;
  #rows: readonly MentionRow[] = [];
  #chosen = 0;

  constructor(ports: MentionPorts) {
    this.#ports = ports;
  }

  get isOpen(): boolean {
    return this.#mention !== null && this.#rows.length > 0;
  }

  /** To be called when the text or the caret has changed. */
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
    } else if (mention.text !== this.#mention?.text || mention.from !== this.#mention.from) {
      this.#mention = mention;
      this.#ports.ask(mention.text);
    }
  }

  /** Takes the host's answer. One to a text that has changed since is dropped. */
  found({ text, rows }: Mentions): void {
    if (text === this.#mention?.text) {
      this.#rows = rows;
      this.#chosen = 0;
      this.#tell(rows.length === 0 ? 'Nothing matches' : this.#chosenInWords());
    }
  }

  /** Whether the key was for the popup. */
  key(key: string): boolean {
    if (!this.isOpen) {
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
    if (!this.isOpen) {
      return nothing;
    }
    const kinds = [...new Set(this.#rows.map(({ kind }) => kind))];
    return html`<div class="mentions" tabindex="0">
      <div role="listbox" aria-label="Add to this chat">${kinds.map((kind) => this.#group(kind))}</div>
      <div class="mention-keys" aria-hidden="true"><kbd>Enter</kbd> add <kbd>Esc</kbd> close</div>
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
      title=${revealHidden([row.about, row.name].filter((part) => part !== '').join(' · '))}
      @mousedown=${(event: Event) => {
        // The message box keeps the focus.
        event.preventDefault();
        this.#pick(at);
      }}
    >
      ${icon(row.kind === 'file' ? fileIcon(row.name) : ICONS[row.kind])}
      <span class="mention-name">${marked(row)}</span>
      <span class="mention-about">${visibleText(row.about)}</span>
      ${row.isIn ? html`<span class="mention-in">in this chat</span>` : nothing}
    </div>`;
  }

  #choose(at: number): void {
    this.#chosen = (at + this.#rows.length) % this.#rows.length;
    this.#tell(this.#chosenInWords());
  }

  #pick(at: number): void {
    const [row, mention] = [this.#rows[at], this.#mention];
    this.#close();
    if (row !== undefined && mention !== null) {
      this.#ports.pick(row, mention);
    }
  }

  #close(): void {
    this.#mention = null;
    this.#rows = [];
    this.#ports.changed();
  }

  #tell(words: string): void {
    this.#ports.announce(words);
    this.#ports.changed();
  }

  #chosenInWords(): string {
    const row = this.#rows[this.#chosen];
    return row === undefined ? '' : `${row.name} ${row.about}, ${row.kind}, ${String(this.#chosen + 1)} of ${String(this.#rows.length)}`;
  }
}

/** The name with the letters that match. */
function marked({ name, matches }: MentionRow): TemplateResult[] {
  const at = new Set(matches);
  return name.split('').map((letter, index) => (at.has(index) ? html`<b>${letter}</b>` : html`${letter}`));
}
