import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import type { ConversationElement } from './conversation.js';
import type { FindBarElement } from '../find/findBar.js';

/** The search in the chat on show, as a part of the panel. */
export class ChatFind {
  readonly #panel: LitElement;
  #isOpen = false;

  constructor(panel: LitElement) {
    this.#panel = panel;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  open(): void {
    this.#isOpen = true;
    this.#panel.requestUpdate();
    void this.#panel.updateComplete.then(() => {
      this.#bar()?.focus();
    });
  }

  /** Returns the message with the match that the user was at, so that the keyboard goes on from there; null without one. */
  close(): HTMLElement | null {
    const bar = this.#bar();
    // What was rendered since may have replaced the text that was found.
    bar?.refresh();
    const match = bar?.current?.startContainer.parentElement ?? null;
    this.#isOpen = false;
    this.#panel.requestUpdate();
    return match?.closest('article') ?? null;
  }

  /** To be called when the conversation has changed. Waits for its rendering. */
  async refresh(): Promise<void> {
    if (this.#isOpen) {
      await this.#panel.updateComplete;
      await this.#conversation()?.entriesRendered();
      this.#bar()?.refresh();
    }
  }

  render(onClose: () => void): TemplateResult | typeof nothing {
    return this.#isOpen
      ? html`<loupe-find
          .root=${this.#root}
          .onShow=${(range: Range) => void this.#conversation()?.show(range)}
          .onClose=${onClose}
        ></loupe-find>`
      : nothing;
  }

  readonly #root = (): Element | null => this.#panel.querySelector('.entries');

  #bar(): FindBarElement | null {
    return this.#panel.querySelector<FindBarElement>('loupe-find');
  }

  #conversation(): ConversationElement | null {
    return this.#panel.querySelector<ConversationElement>('loupe-conversation');
  }
}
