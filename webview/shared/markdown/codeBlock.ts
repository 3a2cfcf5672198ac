import { html, nothing, render, type TemplateResult } from 'lit';
import { iconButton } from '../controls/buttons.js';
import { copyButton } from '../controls/copyButton.js';
import { icon } from '../controls/icon.js';
import { post } from '../events.js';
import { revealHidden } from '../hidden.js';
import { visibleNodes } from '../visibleText.js';
import { type CodeInfo, codeInfo } from './codeInfo.js';
import type { Highlighter } from './highlight.js';
import { sanitize } from './sanitize.js';

/** Maximum number of characters in the name of a language. The host rejects longer names. */
const MAX_LANGUAGE_LENGTH = 100;

/** Longer code is folded to about 36 lines (`markdown.css`). A fold hides at least 8 lines. */
const MAX_LINES = 44;

/** A code block with its language or file, and buttons. Appends streamed text. Highlights the code when complete. */
export class CodeBlock {
  readonly element: HTMLElement;
  readonly #head: HTMLElement;
  readonly #code: HTMLElement;
  readonly #foot: HTMLElement;
  readonly #info: CodeInfo;
  #text = '';
  #lines = 1;
  #isComplete = false;
  #isUnfolded = false;

  /** `info`: info string of the fence. */
  constructor(info: string) {
    this.#info = codeInfo(info);
    this.element = document.createElement('div');
    this.element.className = 'code-block';
    this.#head = document.createElement('div');
    this.#head.className = 'code-head';
    const frame = document.createElement('pre');
    // Lets the keyboard scroll the block.
    frame.tabIndex = 0;
    this.#code = document.createElement('code');
    frame.append(this.#code);
    this.#foot = document.createElement('div');
    this.element.append(this.#head, frame, this.#foot);
    this.#renderHead();
  }

  /** Appends the new part of `text`. Returns false when `text` does not start with the visible text. */
  grow(text: string): boolean {
    if (!text.startsWith(this.#text)) {
      return false;
    }
    const added = text.slice(this.#text.length);
    this.#code.append(...visibleNodes(added));
    this.#text = text;
    this.#setLines(this.#lines + added.split('\n').length - 1);
    return true;
  }

  complete(text: string, highlighter: Highlighter): void {
    // Removes the line end before a closing fence, which belongs to the fence.
    this.#text = text.replace(/\n$/, '');
    const highlighted = highlighter.highlight(this.#text, this.#info.language.toLowerCase());
    if (highlighted === null) {
      this.#code.replaceChildren(...visibleNodes(this.#text));
    } else {
      const fragment = sanitize(`<code>${highlighted}</code>`);
      this.#code.replaceChildren(...(fragment.firstElementChild?.childNodes ?? []));
    }
    this.#isComplete = true;
    this.#renderHead();
    this.#setLines(this.#text.split('\n').length);
  }

  #setLines(lines: number): void {
    this.#lines = lines;
    const isLong = lines > MAX_LINES;
    this.element.classList.toggle('folded', isLong && !this.#isUnfolded);
    render(isLong ? this.#foldButton() : nothing, this.#foot);
  }

  #foldButton(): TemplateResult {
    const toggle = (): void => {
      this.#isUnfolded = !this.#isUnfolded;
      this.#setLines(this.#lines);
      if (!this.#isUnfolded) {
        // Folding moves the text below up. The start of the code stays in sight.
        this.element.scrollIntoView({ block: 'nearest' });
      }
    };
    return html`<button type="button" class="code-fold" aria-expanded=${this.#isUnfolded} @click=${toggle}>
      ${icon(this.#isUnfolded ? 'fold-up' : 'fold-down')} ${this.#isUnfolded ? 'Show fewer lines' : `Show all ${String(this.#lines)} lines`}
    </button>`;
  }

  #renderHead(): void {
    const wrap = (): void => {
      this.element.classList.toggle('wrapped');
      this.#renderHead();
    };
    const insert = (): void => {
      post(this.#head, { type: 'insertAtCursor', text: this.#text });
    };
    render(
      html`${this.#name()}
        ${iconButton({ label: 'Wrap lines', icon: 'word-wrap', pressed: this.element.classList.contains('wrapped'), onClick: wrap })}
        ${copyButton(() => this.#text)}
        ${iconButton({ label: 'Insert at Cursor', icon: 'insert', onClick: insert })}
        ${this.#fileButton()}`,
      this.#head,
    );
  }

  #name(): TemplateResult {
    const { language, path } = this.#info;
    return path === null
      ? html`<span class="code-language">${revealHidden(language)}</span>`
      : html`<span class="code-language"><a role="link" tabindex="0" data-href=${path} title=${path}>${revealHidden(path)}</a></span>`;
  }

  /** Applies the code to the file that the model named. Without a name, opens the code as a new file. */
  #fileButton(): TemplateResult {
    const { language, path } = this.#info;
    if (path === null) {
      const createFile = (): void => {
        post(this.#head, { type: 'newFile', text: this.#text, language: language.slice(0, MAX_LANGUAGE_LENGTH) });
      };
      return iconButton({ label: 'New File', icon: 'new-file', onClick: createFile });
    }
    const apply = (): void => {
      post(this.#head, { type: 'applyCode', path, text: this.#text });
    };
    const label = this.#isComplete ? `Apply to ${path}…` : `Apply to ${path}: wait for the whole code`;
    return iconButton({ label, icon: 'diff', disabled: !this.#isComplete, onClick: apply });
  }
}
