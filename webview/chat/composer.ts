import { html, nothing, type TemplateResult } from 'lit';
import type { ChatView, ModelOption } from '../../src/protocol/view.js';
import { dropdown, iconButton, textArea } from '../shared/controls.js';
import { post } from '../shared/events.js';
import { icon } from '../shared/icon.js';
import { LightElement } from '../shared/lightElement.js';
import { visibleText } from '../shared/visibleText.js';
import { settingChoices } from './choices.js';

/** How long a second Enter is taken for the same one while the host has not answered the first. */
const SEND_AGAIN_MS = 1_000;

/** The message box with what goes with it. Its text is the panel's; it clears when the host says so. */
export class ComposerElement extends LightElement {
  static override properties = {
    chat: { attribute: false },
    models: { attribute: false },
    text: { attribute: false },
    isEditing: { attribute: false },
    isAnsweredElsewhere: { attribute: false },
    hasChoices: { attribute: false },
    onInput: { attribute: false },
  };
  declare chat: ChatView;
  declare models: readonly ModelOption[];
  declare text: string;
  declare isEditing: boolean;
  /** Another window answers in the chat: what is sent here waits for that. */
  declare isAnsweredElsewhere: boolean;
  /** False while the chat settings show the same choices. */
  declare hasChoices: boolean;
  declare onInput: (text: string) => void;
  #sent: { readonly chatId: string; readonly text: string; readonly at: number } | null = null;

  override focus(): void {
    this.querySelector<HTMLElement>('vscode-text-area')?.focus();
  }

  protected override render(): TemplateResult {
    const { chat } = this;
    const isReadOnly = chat.readOnly !== null;
    return html`${this.isAnsweredElsewhere ? elsewhereStrip() : nothing} ${this.isEditing ? this.#editStrip() : nothing}
      <div class="composer ${isReadOnly ? 'disabled' : ''}" @keydown=${this.#keyed}>
        ${isReadOnly ? html`<div class="read-only">${icon('lock')}<span>${visibleText(chat.readOnly)}</span></div>` : nothing}
        ${textArea({
          label: 'Message',
          value: this.text,
          placeholder: isReadOnly ? '' : 'Ask anything',
          disabled: isReadOnly,
          onInput: this.onInput,
          onCommit: () => undefined,
        })}
        <div class="composer-tools">
          ${iconButton({
            label: 'Add files',
            icon: 'add',
            disabled: isReadOnly,
            onClick: () => {
              post(this, { type: 'addFiles', chatId: chat.id });
            },
          })}
          ${this.hasChoices && !isReadOnly ? this.#choices() : nothing}
          <span class="spring"></span>
          ${this.#sendOrStop()}
        </div>
      </div>`;
  }

  #editStrip(): TemplateResult {
    return html`<div class="strip" role="status">
      ${icon('edit')}<span>Editing an earlier message: what follows it is set aside</span>
      <button type="button" class="link-button" @click=${this.#cancelEdit}>Cancel</button>
    </div>`;
  }

  #choices(): TemplateResult[] {
    const { id, settings } = this.chat;
    return settings
      .filter(({ isQuick }) => isQuick)
      .map((row) =>
        dropdown(row.label, String(row.value), settingChoices(row, this.models), (value) => {
          post(this, { type: 'changeSetting', chatId: id, name: row.name, value });
        }),
      );
  }

  #sendOrStop(): TemplateResult {
    return this.chat.running
      ? html`<button type="button" class="send stop" title="Stop" aria-label="Stop" @click=${this.#stop}>
          ${icon('debug-stop')}
        </button>`
      : html`<button
          type="button"
          class="send"
          title="Send (Enter)"
          aria-label="Send"
          ?disabled=${!this.#canSend()}
          @click=${this.#send}
        >
          ${icon('send')}
        </button>`;
  }

  #canSend(): boolean {
    const { chat, text } = this;
    const isFree = !chat.running && !(this.isEditing && this.isAnsweredElsewhere);
    return isFree && chat.readOnly === null && text.trim() !== '';
  }

  readonly #keyed = (event: KeyboardEvent): void => {
    const isInText = event.target instanceof Element && event.target.localName === 'vscode-text-area';
    // While an input method composes, Enter and Escape are its own.
    if (event.isComposing) {
      return;
    }
    if (event.key === 'Escape' && this.isEditing) {
      event.preventDefault();
      this.#cancelEdit();
    } else if (event.key === 'Enter' && isInText && !event.shiftKey) {
      event.preventDefault();
      this.#send();
    }
  };

  readonly #send = (): void => {
    const { chat, text } = this;
    const sent = this.#sent;
    const isRepeated = sent?.chatId === chat.id && sent.text === text && performance.now() - sent.at < SEND_AGAIN_MS;
    if (!this.#canSend() || isRepeated) {
      return;
    }
    this.#sent = { chatId: chat.id, text, at: performance.now() };
    post(this, { type: 'send', chatId: chat.id, text });
    this.focus();
  };

  readonly #stop = (): void => {
    post(this, { type: 'stop', chatId: this.chat.id });
    this.focus();
  };

  readonly #cancelEdit = (): void => {
    post(this, { type: 'cancelEdit', chatId: this.chat.id });
    this.focus();
  };
}

function elsewhereStrip(): TemplateResult {
  return html`<div class="strip" role="status">
    ${icon('multiple-windows')}<span>A reply is being written in another window. What you send waits for it.</span>
  </div>`;
}
