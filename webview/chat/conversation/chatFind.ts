import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import type { ConversationElement } from './conversation.js';
import type { FindBarElement } from '../find/findBar.js';

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

  /** Closes the find bar. Returns the chat message with the current match, which should get the focus, or null. */
  close(): HTMLElement | null {
    const bar = this.#bar();
    // Searches again, because the panel may have replaced elements with matching text since the last search.
    bar?.refresh();
    const match = bar?.current?.startContainer.parentElement ?? null;
    this.#isOpen = false;
    this.#panel.requestUpdate();
    return match?.closest('article') ?? null;
  }

  /** Searches again after rendering. Call this when the conversation has changed. */
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
          .conversation=${this.#conversation}
          .onClose=${onClose}
        ></loupe-find>`
      : nothing;
  }

  #bar(): FindBarElement | null {
    return this.#panel.querySelector('loupe-find');
  }

  readonly #conversation = (): ConversationElement | null => this.#panel.querySelector('loupe-conversation');
}
