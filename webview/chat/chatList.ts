import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ChatListItem } from '../../src/protocol/view.js';
import { iconButton, textField, textOf } from '../shared/controls.js';
import { post } from '../shared/events.js';
import { icon } from '../shared/icon.js';
import { LightElement, reactive } from '../shared/lightElement.js';
import { age, counted } from '../shared/numbers.js';
import { visibleText } from '../shared/visibleText.js';
import { filterChats } from './filterChats.js';
import { skeletonRows } from './skeleton.js';

/** What the host takes as a title. */
const MAX_TITLE_LENGTH = 200;

/** All chats of the workspace: to find, open, rename, delete. */
export class ChatListElement extends LightElement {
  static override properties = reactive(['chats', 'currentId', 'onClose'], ['filter', 'renaming']);
  declare chats: readonly ChatListItem[] | null;
  declare currentId: string | null;
  declare onClose: (isChosen: boolean) => void;
  declare private filter: string;
  /** Id of the chat whose title is being typed. */
  declare private renaming: string | null;

  constructor() {
    super();
    this.filter = '';
    this.renaming = null;
  }

  protected override firstUpdated(): void {
    this.#focusFilter();
  }

  protected override updated(changed: PropertyValues<this>): void {
    // `renaming` is private, which PropertyValues does not list.
    if ((changed as Map<PropertyKey, unknown>).has('renaming') && this.renaming !== null) {
      this.querySelector<HTMLElement>('.chat-rename vscode-text-field')?.focus();
    }
  }

  protected override render(): TemplateResult {
    return html`<section class="pane chat-list" role="region" aria-label="Chat list" @keydown=${this.#keyed}>
      <div class="pane-head">
        ${textField({
          label: 'Filter chats',
          value: this.filter,
          placeholder: 'Filter chats',
          disabled: false,
          onInput: (text) => {
            this.filter = text;
          },
          onCommit: () => undefined,
        })}
        ${iconButton({
          label: 'Close',
          icon: 'close',
          onClick: () => {
            this.onClose(false);
          },
        })}
      </div>
      <div class="pane-body">${this.chats === null ? skeletonRows() : this.#list(this.chats)}</div>
    </section>`;
  }

  #list(chats: readonly ChatListItem[]): TemplateResult {
    const found = filterChats(chats, this.filter);
    if (found.length === 0) {
      return html`<p class="none">${chats.length === 0 ? 'No chats yet' : 'No chat matches'}</p>`;
    }
    const now = Date.now();
    return html`<ul aria-label="Chats">
      ${repeat(
        found,
        (chat) => chat.id,
        (chat) => html`<li class=${chat.id === this.currentId ? 'current' : ''}>${this.#item(chat, now)}</li>`,
      )}
    </ul>`;
  }

  #item(chat: ChatListItem, now: number): TemplateResult {
    if (this.renaming === chat.id) {
      return html`<div class="chat-rename" @focusout=${this.#leaveTitle}>
        ${textField({
          label: 'Title',
          value: chat.title,
          placeholder: 'Title',
          disabled: false,
          onInput: () => undefined,
          onCommit: (title) => {
            this.#rename(chat.id, title);
          },
        })}
      </div>`;
    }
    return html`<button
        type="button"
        class="chat-open ${isReadable(chat) ? '' : 'unreadable'}"
        aria-current=${chat.id === this.currentId ? 'true' : nothing}
        @click=${() => {
          this.#open(chat.id);
        }}
      >
        <span class="chat-title">${isReadable(chat) ? nothing : icon('warning')}${visibleText(chat.title)}</span>
        ${chat.preview === '' || chat.preview === chat.title ? nothing : html`<span class="chat-preview">${visibleText(chat.preview)}</span>`}
        ${isReadable(chat) ? facts(chat, now) : nothing}
      </button>
      <div class="actions">${this.#actions(chat)}</div>`;
  }

  #actions(chat: ChatListItem): TemplateResult {
    return html`${
      isReadable(chat)
        ? iconButton({
            label: 'Rename',
            icon: 'edit',
            onClick: () => {
              this.renaming = chat.id;
            },
          })
        : nothing
    }
    ${iconButton({
      label: 'Delete',
      icon: 'trash',
      onClick: () => {
        post(this, { type: 'deleteChat', chatId: chat.id });
        this.#focusFilter();
      },
    })}`;
  }

  #open(chatId: string): void {
    post(this, { type: 'openChat', chatId });
    this.onClose(true);
  }

  /** Once for each renaming: Enter and the loss of the focus both end it. */
  #rename(chatId: string, typed: string): void {
    const title = typed.trim().slice(0, MAX_TITLE_LENGTH);
    const isOpen = this.renaming === chatId;
    this.renaming = null;
    if (isOpen && title !== '') {
      post(this, { type: 'renameChat', chatId, title });
    }
  }

  readonly #leaveTitle = (): void => {
    this.renaming = null;
  };

  readonly #keyed = (event: KeyboardEvent): void => {
    const title = event.target instanceof Element ? event.target.closest('.chat-rename') : null;
    if (event.isComposing) {
      return;
    }
    if (title !== null) {
      this.#keyedInTitle(event);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      this.onClose(false);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      this.#move(event.key === 'ArrowDown' ? 1 : -1);
    }
  };

  #keyedInTitle(event: KeyboardEvent): void {
    if (event.key !== 'Enter' && event.key !== 'Escape') {
      return;
    }
    event.preventDefault();
    if (event.key === 'Enter' && this.renaming !== null) {
      this.#rename(this.renaming, textOf(event.target));
    }
    this.renaming = null;
    this.#focusFilter();
  }

  /** Moves the focus along the chats; above the first one is the filter. */
  #move(step: 1 | -1): void {
    const items = [...this.querySelectorAll<HTMLElement>('.chat-open')];
    const row = document.activeElement?.closest('li') ?? null;
    const next = items.findIndex((item) => item.closest('li') === row) + step;
    if (next < 0) {
      this.#focusFilter();
    } else {
      items[Math.min(next, items.length - 1)]?.focus();
    }
  }

  #focusFilter(): void {
    this.querySelector<HTMLElement>('.pane-head vscode-text-field')?.focus();
  }
}

/** A chat that cannot be read is listed without a time, and its preview says why. */
function isReadable({ updatedAt }: ChatListItem): boolean {
  return updatedAt > 0;
}

function facts({ running, updatedAt, messageCount }: ChatListItem, now: number): TemplateResult {
  return html`<span class="figures chat-facts">
    ${running ? html`<span class="running">${icon('loading')}Running</span>` : nothing}
    <span>${age(updatedAt, now)}</span><span>${counted(messageCount, 'message')}</span>
  </span>`;
}
