import { html, render } from 'lit';
import { iconButton } from '../controls/buttons.js';
import { copyButton } from '../controls/copyButton.js';
import { post } from '../events.js';
import { revealHidden } from '../hidden.js';
import { visibleNodes } from '../visibleText.js';
import type { Highlighter } from './highlight.js';
import { sanitize } from './sanitize.js';

/** The longest language name that the protocol accepts, in characters. */
const MAX_LANGUAGE_LENGTH = 100;

/** A code block with its language and actions. Streamed text is appended; a complete block is highlighted. */
export class CodeBlock {
  readonly element: HTMLElement;
  readonly #code: HTMLElement;
  readonly #language: string;
  #text = '';

  constructor(language: string) {
    this.#language = language;
    this.element = document.createElement('div');
    this.element.className = 'code-block';
    const head = document.createElement('div');
    head.className = 'code-head';
    const frame = document.createElement('pre');
    // Makes a scrolling block reachable by keyboard.
    frame.tabIndex = 0;
    this.#code = document.createElement('code');
    frame.append(this.#code);
    this.element.append(head, frame);
    this.#renderHead(head);
  }

  /** Appends the new part of `text`. Returns false when `text` does not continue the shown text. */
  grow(text: string): boolean {
    if (!text.startsWith(this.#text)) {
      return false;
    }
    this.#code.append(...visibleNodes(text.slice(this.#text.length)));
    this.#text = text;
    return true;
  }

  complete(text: string, highlighter: Highlighter): void {
    // The line end before a closing fence belongs to the fence.
    this.#text = text.replace(/\n$/, '');
    const highlighted = highlighter.highlight(this.#text, this.#language.toLowerCase());
    if (highlighted === null) {
      this.#code.replaceChildren(...visibleNodes(this.#text));
    } else {
      const fragment = sanitize(`<code>${highlighted}</code>`);
      this.#code.replaceChildren(...(fragment.firstElementChild?.childNodes ?? []));
    }
  }

  #renderHead(head: HTMLElement): void {
    const wrap = (): void => {
      this.element.classList.toggle('wrapped');
      this.#renderHead(head);
    };
    const insert = (): void => {
      post(head, { type: 'insertAtCursor', text: this.#text });
    };
    const createFile = (): void => {
      post(head, { type: 'newFile', text: this.#text, language: this.#language.slice(0, MAX_LANGUAGE_LENGTH) });
    };
    render(
      html`<span class="code-language">${revealHidden(this.#language)}</span>
        ${iconButton({ label: 'Wrap lines', icon: 'word-wrap', pressed: this.element.classList.contains('wrapped'), onClick: wrap })}
        ${copyButton(() => this.#text)}
        ${iconButton({ label: 'Insert at Cursor', icon: 'insert', onClick: insert })}
        ${iconButton({ label: 'New File', icon: 'new-file', onClick: createFile })}`,
      head,
    );
  }
}
