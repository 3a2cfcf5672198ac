import { type TemplateResult, html, nothing } from 'lit';
import type { MentionRow, Mentions } from '../../../src/protocol/panel/toWebview.js';
import { fileIcon, icon } from '../../shared/controls/icon.js';
import { basisMark, shortTokens, tokensWithUnit } from '../../shared/numbers.js';
import { revealHidden } from '../../shared/hidden.js';
import { visibleText } from '../../shared/visibleText.js';
import { type ChatCommand, isChatCommand } from '../../../src/protocol/panel/chatCommands.js';
import { commandIn, type Mention, mentionAt } from './mention.js';

export interface MentionPorts {
  readonly ask: (mention: Mention) => void;
  readonly pick: (row: MentionRow, mention: Mention) => void;
  /** Sends the message. Called when Enter waited for rows, and the host found none. */
  readonly send: () => void;
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
  command: 'Commands',
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
const LABELS = { '@': 'Add to this chat', '/': 'Commands and prompts' } as const;
const TAKING = { '@': 'add', '/': 'use' } as const;

/** The kinds of rows that a pick adds at once. The panel announces the fetch of a web page when it begins. */
const ADDED: ReadonlySet<MentionRow['kind']> = new Set(['file', 'rule', 'reference', 'skill', 'tool']);

/** The popup that lists items for a mention. Arrow keys move, Enter and Tab insert the chosen item, Escape closes. */
export class MentionPopup {
  readonly #ports: MentionPorts;
  #mention: Mention | null = null;
  /** The text of the message box in which the mention is. */
  #text = '';
  /** Position of the mention whose popup the user closed. More typing in this mention does not reopen the popup. */
  #closedAt: number | null = null;
  #rows: readonly MentionRow[] = [];
  #notes: readonly string[] = [];
  #chosen = 0;
  /** The mention for which the host found the visible rows. */
  #answered: Mention | null = null;
  /** The key that picks the first row of the next answer, because the user pressed it before the answer came. */
  #awaiting: 'Enter' | 'Tab' | null = null;
  /** Where the mouse stopped, and the id of the row there. Rows can move under a resting mouse. */
  #aimed: { readonly x: number; readonly y: number; readonly row: string | null } | null = null;

  constructor(ports: MentionPorts) {
    this.#ports = ports;
  }

  get isOpen(): boolean {
    return this.#mention !== null && this.#rows.length + this.#notes.length > 0;
  }

  /** Call this when the text or the cursor has changed. After Enter, only another text ends the wait for rows. */
  typed(text: string, caret: number | null): void {
    if (this.#awaiting !== null && text === this.#text) {
      return;
    }
    this.#text = text;
    const mention = caret === null ? null : mentionAt(text, caret);
    if (mention === null || mention.from !== this.#closedAt) {
      this.#closedAt = null;
      this.#follow(mention);
    }
  }

  /** Call this when the message box shows a text. Closes the popup over a text that the user did not type. */
  shown(text: string): void {
    if (text !== this.#text) {
      this.typed(text, null);
    }
  }

  /** Uses the chosen row, or the command that is the whole text. Returns false if the text is a message. */
  submit(text: string): boolean {
    const command = commandIn(text);
    const isChoosingItem = this.#mention?.mark === '@' && this.#rows.length > 0;
    if (command !== null && command.from !== this.#closedAt && !isChoosingItem) {
      this.#text = text;
      this.#follow(command);
    }
    return this.key('Enter');
  }

  #follow(mention: Mention | null): void {
    if (mention === null) {
      this.#close();
    } else if (mention.text !== this.#mention?.text || mention.from !== this.#mention.from || mention.mark !== this.#mention.mark) {
      this.#mention = mention;
      this.#awaiting = null;
      this.#ports.ask(mention);
    }
  }

  /** Shows the rows that the host found, unless the mention has changed. Keeps the choice when rows are added. */
  found({ mark, text, rows, notes }: Mentions): void {
    if (text !== this.#mention?.text || mark !== this.#mention.mark) {
      return;
    }
    // Sizes come later, and do not repeat the announcement.
    const before = this.#told(false);
    const chosen = this.#rows[this.#chosen];
    const isSame = this.#answered === this.#mention;
    this.#answered = this.#mention;
    this.#rows = rows;
    this.#notes = notes;
    this.#chosen = isSame
      ? Math.max(
          0,
          rows.findIndex((row) => chosen !== undefined && rowId(row) === rowId(chosen)),
        )
      : 0;
    if (this.#awaiting !== null) {
      this.#takeAwaited(this.#awaiting);
    } else if (isSame && this.#told(false) === before) {
      this.#ports.changed();
    } else {
      this.#tell(this.#told(true));
    }
  }

  #takeAwaited(key: 'Enter' | 'Tab'): void {
    this.#awaiting = null;
    if (this.#rows.length > 0) {
      this.#pick(this.#rows[this.#chosen]);
    } else {
      this.#ports.changed();
      if (key === 'Enter') {
        this.#ports.send();
      }
    }
  }

  /** Returns the text for screen readers. Empty for a `/` without matches, which may be ordinary text. */
  #told(withSize: boolean): string {
    const words = [this.#chosenInWords(withSize), ...this.#notes].filter((part) => part !== '').join('. ');
    return words === '' && this.#mention?.mark === '@' ? 'Nothing matches' : words;
  }

  key(key: string): boolean {
    if ((key === 'Enter' || key === 'Tab') && this.#isAwaitingRows()) {
      this.#awaiting = key;
      return true;
    }
    if (!this.isOpen || (this.#rows.length === 0 && key !== 'Escape')) {
      return false;
    }
    switch (key) {
      case 'ArrowDown':
        return this.#choose(this.#chosen + 1);
      case 'ArrowUp':
        return this.#choose(this.#chosen - 1);
      case 'Enter':
      case 'Tab':
        this.#pick(this.#rows[this.#chosen]);
        return true;
      case 'Escape':
        this.#closedAt = this.#mention?.from ?? null;
        this.#close();
        return true;
      default:
        return false;
    }
  }

  /** Whether Enter must wait: the visible rows are those of an earlier text, or the text is a command. */
  #isAwaitingRows(): boolean {
    const mention = this.#mention;
    return (
      mention !== null && mention !== this.#answered && (this.#rows.length > 0 || (mention.mark === '/' && isChatCommand(mention.text)))
    );
  }

  render(): TemplateResult | typeof nothing {
    const { mark } = this.#mention ?? { mark: null };
    if (mark === null || !this.isOpen) {
      return nothing;
    }
    const kinds = [...new Set(this.#rows.map(({ kind }) => kind))];
    return html`<div class="mentions" tabindex="0" @mousemove=${this.#moved} @mousedown=${this.#pressed}>
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
      class="mention ${row.kind} ${isChosen ? 'chosen' : ''}"
      role="option"
      aria-selected=${isChosen ? 'true' : 'false'}
      aria-disabled=${row.problem === null ? 'false' : 'true'}
      title=${revealHidden([row.about, row.problem ?? '', row.name, sizeOf(row)].filter((part) => part !== '').join(' · '))}
      data-row=${rowId(row)}
    >
      ${icon(iconOf(row))}
      <span class="mention-name">${marked(row)}</span>
      <span class="mention-about">${visibleText(row.problem ?? row.about)}</span>
      ${row.tokens === null ? nothing : html`<span class="figures">${basisMark('estimate')}${shortTokens(row.tokens)}</span>`}
      ${row.isIn ? html`<span class="mention-in">${icon('check')}<span class="figure-words">in this chat</span></span>` : nothing}
    </div>`;
  }

  /** Ignores the events that a browser sends when rows move under a resting mouse. */
  readonly #moved = ({ clientX: x, clientY: y, target }: MouseEvent): void => {
    if (this.#aimed?.x !== x || this.#aimed.y !== y) {
      this.#aimed = { x, y, row: rowAt(target) };
    }
  };

  /** Picks the row at which the user aimed, also when an answer of the host has just moved the rows. */
  readonly #pressed = (event: MouseEvent): void => {
    // Keeps the focus in the message box, because the popup closes without the focus.
    event.preventDefault();
    const isAimed = this.#aimed?.x === event.clientX && this.#aimed.y === event.clientY;
    const aimed = isAimed ? this.#aimed?.row : rowAt(event.target);
    const row = this.#rows.find((each) => rowId(each) === aimed);
    if (event.button === 0 && row !== undefined) {
      this.#pick(row);
    }
  };

  /** Returns whether the key is used up. In a text of several lines, arrows move the cursor. */
  #choose(at: number): boolean {
    if (this.#mention?.text.includes('\n') === true) {
      return false;
    }
    this.#chosen = (at + this.#rows.length) % this.#rows.length;
    this.#tell(this.#chosenInWords(true));
    return true;
  }

  #pick(row: MentionRow | undefined): void {
    const mention = this.#mention;
    if (row !== undefined && row.problem !== null) {
      this.#ports.announce(row.problem);
      return;
    }
    // For a server, the popup stays open, and shows the server's resources when the server has started.
    if (row?.kind !== 'server') {
      this.#close();
    }
    if (row !== undefined && mention !== null) {
      if (ADDED.has(row.kind) && !row.isIn) {
        this.#ports.announce([`${row.name} added`, sizeOf(row)].filter((part) => part !== '').join(', '));
      }
      this.#ports.pick(row, mention);
    }
  }

  #close(): void {
    this.#mention = null;
    this.#awaiting = null;
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

  #chosenInWords(withSize: boolean): string {
    const row = this.#rows[this.#chosen];
    if (row === undefined) {
      return '';
    }
    const size = withSize ? sizeOf(row) : '';
    const isIn = row.isIn ? 'in this chat' : '';
    const told = [`${row.name} ${row.problem ?? row.about}`, size, row.problem === null ? '' : 'not available', row.kind, isIn]
      .filter((part) => part !== '')
      .join(', ');
    return `${told}, ${String(this.#chosen + 1)} of ${String(this.#rows.length)}`;
  }
}

const COMMAND_ICONS: Readonly<Record<ChatCommand, string>> = {
  summarize: 'fold',
  new: 'add',
  model: 'chip',
  usage: 'graph',
  export: 'export',
  clear: 'clear-all',
  fork: 'copy',
};

function iconOf({ kind, key, name }: MentionRow): string {
  if (kind === 'command') {
    return COMMAND_ICONS[key as ChatCommand];
  }
  return kind === 'file' ? fileIcon(name) : ICONS[kind];
}

/** Returns the id of a row. The rows of a server and of its log have the same key. */
function rowId({ kind, key }: MentionRow): string {
  return `${kind} ${key}`;
}

/** Returns the id of the row with an element. Null outside of rows. */
function rowAt(target: EventTarget | null): string | null {
  return target instanceof Element ? (target.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? null) : null;
}

function sizeOf({ tokens: size }: MentionRow): string {
  return size === null ? '' : tokensWithUnit(size, 'estimate');
}

function marked({ name, matches }: MentionRow): TemplateResult[] {
  const at = new Set(matches);
  return name.split('').map((letter, index) => (at.has(index) ? html`<b>${letter}</b>` : html`${letter}`));
}
