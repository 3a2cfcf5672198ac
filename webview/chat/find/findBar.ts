import { html, type TemplateResult } from 'lit';
import { iconButton } from '../../shared/controls/buttons.js';
import { textField } from '../../shared/controls/controls.js';
import { announce } from '../../shared/events.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { tokens } from '../../shared/numbers.js';
import type { ConversationElement } from '../conversation/conversation.js';
import { type ChatMatch, chatMatches, unfold } from './chatMatches.js';
import type { FoldedMatch } from './foldedText.js';

/** Maximum number of matches to mark. Marking more matches would slow down a long chat. */
const MOST_MATCHES = 1_000;

/** Names of the highlights in `findBar.css`. */
const ALL = 'loupe-find';
const CURRENT = 'loupe-find-current';

/**
 * Finds text in the loaded part of the conversation, also in steps and reasoning that are closed, and opens them.
 * VS Code offers no find widget for webview views.
 */
export class FindBarElement extends LightElement {
  static override properties = reactive(['conversation', 'onClose'], ['query', 'found', 'at']);
  /** Returns null while the panel shows no conversation. */
  declare conversation: () => ConversationElement | null;
  declare onClose: () => void;
  declare private query: string;
  declare private found: readonly ChatMatch[];
  declare private at: number;

  constructor() {
    super();
    this.query = '';
    this.found = [];
    this.at = 0;
  }

  get current(): Range | null {
    const match = this.found[this.at];
    return match instanceof Range ? match : null;
  }

  /** Focuses the search field. If text of the chat is selected, searches for the selected text. */
  override focus(): void {
    const selected = String(document.getSelection()).trim();
    if (selected !== '' && !selected.includes('\n')) {
      this.#find(selected);
    }
    void this.updateComplete.then(() => {
      this.querySelector<HTMLElement>('vscode-text-field')?.focus();
    });
  }

  /** Searches again without scrolling. Call this when the conversation has changed. */
  refresh(): void {
    const conversation = this.conversation();
    this.found = conversation === null || this.query === '' ? [] : chatMatches(conversation, this.query, MOST_MATCHES);
    this.at = Math.min(this.at, Math.max(0, this.found.length - 1));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    CSS.highlights.delete(ALL);
    CSS.highlights.delete(CURRENT);
  }

  protected override render(): TemplateResult {
    return html`<div class="find-bar" role="search" aria-label="Find in chat" @keydown=${this.#keyed}>
      ${textField({
        label: 'Find in chat',
        value: this.query,
        placeholder: 'Find in chat',
        disabled: false,
        onInput: (text) => {
          this.#find(text);
        },
        onCommit: () => undefined,
      })}
      <span class="figures">${this.#place()}</span>
      ${iconButton({
        label: 'Previous match',
        icon: 'arrow-up',
        disabled: this.found.length === 0,
        onClick: () => {
          this.#step(-1);
        },
      })}
      ${iconButton({
        label: 'Next match',
        icon: 'arrow-down',
        disabled: this.found.length === 0,
        onClick: () => {
          this.#step(1);
        },
      })}
      ${iconButton({ label: 'Close', icon: 'close', onClick: this.onClose })}
    </div>`;
  }

  protected override updated(): void {
    CSS.highlights.set(ALL, new Highlight(...this.found.filter((match) => match instanceof Range)));
    CSS.highlights.set(CURRENT, new Highlight(...(this.current === null ? [] : [this.current])));
  }

  #place(): string {
    if (this.query === '') {
      return '';
    }
    const count = this.found.length;
    return count === 0 ? 'No match' : `${tokens(this.at + 1)} of ${tokens(count)}${count === MOST_MATCHES ? '+' : ''}`;
  }

  #find(text: string): void {
    this.query = text;
    this.at = 0;
    this.refresh();
    // Opens nothing for the first letters of a word, as long as other text matches.
    this.at = Math.max(
      0,
      this.found.findIndex((match) => match instanceof Range),
    );
    void this.#show();
  }

  /** Goes to the next or previous match. The first match follows the last one. */
  #step(by: 1 | -1): void {
    const count = this.found.length;
    if (count > 0) {
      this.at = (this.at + by + count) % count;
      void this.#show();
    }
  }

  async #show(): Promise<void> {
    const match = this.found[this.at];
    if (match !== undefined && !(match instanceof Range)) {
      await this.#unfold(match);
    }
    announce(this, this.#place());
    if (this.current !== null) {
      await this.conversation()?.show(this.current);
    }
  }

  /** Opens the row of a match. Opened rows can have more matches than the texts that were searched before. */
  async #unfold(match: FoldedMatch): Promise<void> {
    const { query } = this;
    const conversation = this.conversation();
    const range = conversation === null ? null : await unfold(conversation, match, query);
    if (query === this.query) {
      this.refresh();
      const at = this.found.findIndex((each) => range !== null && each instanceof Range && isSame(each, range));
      this.at = at === -1 ? this.at : at;
    }
  }

  readonly #keyed = (event: KeyboardEvent): void => {
    const isInField = event.target instanceof Element && event.target.localName === 'vscode-text-field';
    if (isInField && event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      this.#step(event.shiftKey ? -1 : 1);
    }
  };
}

function isSame(one: Range, other: Range): boolean {
  return one.compareBoundaryPoints(Range.START_TO_START, other) === 0;
}
