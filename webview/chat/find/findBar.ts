import { html, type TemplateResult } from 'lit';
import { iconButton } from '../../shared/controls/buttons.js';
import { textField } from '../../shared/controls/controls.js';
import { announce } from '../../shared/events.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { tokens } from '../../shared/numbers.js';
import { textRanges } from './textRanges.js';

/** Maximum number of matches to mark. Marking more matches would slow down a long chat. */
const MOST_MATCHES = 1_000;

/** Names of the highlights in `findBar.css`. */
const ALL = 'loupe-find';
const CURRENT = 'loupe-find-current';

/** Finds text in the loaded part of the conversation. VS Code offers no find widget for webview views. */
export class FindBarElement extends LightElement {
  static override properties = reactive(['root', 'onShow', 'onClose'], ['query', 'ranges', 'at']);
  declare root: () => Element | null;
  declare onShow: (range: Range) => void;
  declare onClose: () => void;
  declare private query: string;
  declare private ranges: readonly Range[];
  declare private at: number;

  constructor() {
    super();
    this.query = '';
    this.ranges = [];
    this.at = 0;
  }

  get current(): Range | null {
    return this.ranges[this.at] ?? null;
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
    const root = this.root();
    this.ranges = root === null ? [] : textRanges(root, this.query, MOST_MATCHES);
    this.at = Math.min(this.at, Math.max(0, this.ranges.length - 1));
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
        disabled: this.ranges.length === 0,
        onClick: () => {
          this.#step(-1);
        },
      })}
      ${iconButton({
        label: 'Next match',
        icon: 'arrow-down',
        disabled: this.ranges.length === 0,
        onClick: () => {
          this.#step(1);
        },
      })}
      ${iconButton({ label: 'Close', icon: 'close', onClick: this.onClose })}
    </div>`;
  }

  protected override updated(): void {
    CSS.highlights.set(ALL, new Highlight(...this.ranges));
    CSS.highlights.set(CURRENT, new Highlight(...(this.current === null ? [] : [this.current])));
  }

  #place(): string {
    if (this.query === '') {
      return '';
    }
    const count = this.ranges.length;
    return count === 0 ? 'No match' : `${tokens(this.at + 1)} of ${tokens(count)}${count === MOST_MATCHES ? '+' : ''}`;
  }

  #find(text: string): void {
    this.query = text;
    this.at = 0;
    this.refresh();
    this.#show();
  }

  /** Goes to the next or previous match. The first match follows the last one. */
  #step(by: 1 | -1): void {
    const count = this.ranges.length;
    if (count > 0) {
      this.at = (this.at + by + count) % count;
      this.#show();
    }
  }

  #show(): void {
    announce(this, this.#place());
    if (this.current !== null) {
      this.onShow(this.current);
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
