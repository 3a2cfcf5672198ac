import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { FoundMessage, SearchResults } from '../../../src/protocol/panel/toWebview.js';
import { chatPreview, type ChatListItem } from '../../../src/protocol/panel/view.js';
import { iconButton, linkButton } from '../../shared/controls/buttons.js';
import { textField, textOf } from '../../shared/controls/controls.js';
import { announce, post, posting } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { counted } from '../../shared/numbers.js';
import { RovingFocus } from '../../shared/controls/rovingFocus.js';
import { visibleText } from '../../shared/visibleText.js';
import { facts, isReadable, speaker } from './chatFacts.js';
import { chatGroups, filterChats } from './chatGroups.js';
import { chatRowActions, rowKey } from './chatRowActions.js';
import { foundMessages, searchFilter } from '../search/foundMessages.js';
import { MessageSearch, summary } from '../search/messageSearch.js';
import { skeletonRows } from '../../shared/controls/skeleton.js';

/** Maximum number of characters in a title. The host rejects longer titles. */
const MAX_TITLE_LENGTH = 200;

/** Selector of the rows that the user reaches with arrow keys: chats, then found messages. */
const ROWS = '.chat-open, .hit-open';

/** The list of the workspace's chats. The user can search, open, rename, export, import and delete chats here. */
export class ChatListElement extends LightElement {
  static override properties = reactive(['chats', 'currentId', 'onClose'], ['filter', 'renaming']);
  declare chats: readonly ChatListItem[] | null;
  declare currentId: string | null;
  declare onClose: (isChosen: boolean) => void;
  declare private filter: string;
  /** Id of the chat that is being renamed, or null. */
  declare private renaming: string | null;
  readonly #roving = new RovingFocus(() => [...this.querySelectorAll<HTMLElement>(ROWS)]);
  /** The element that sends this list's messages to the host, even after the list was removed from the page. */
  #home: EventTarget = this;
  readonly #search = new MessageSearch({
    post: (message) => {
      post(this.#home, message);
    },
    answered: (results) => {
      announce(this, this.#count(results));
    },
    changed: () => {
      this.requestUpdate();
    },
  });

  constructor() {
    super();
    this.filter = '';
    this.renaming = null;
  }

  found(results: SearchResults): void {
    this.#search.take(results);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#home = this.parentElement ?? this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#search.cancel();
  }

  protected override firstUpdated(): void {
    this.#focusFilter();
  }

  protected override updated(changed: PropertyValues<this>): void {
    this.#roving.refresh('first');
    // The types require the cast, because `PropertyValues` lists no private property such as `renaming`.
    if ((changed as Map<PropertyKey, unknown>).has('renaming') && this.renaming !== null) {
      this.querySelector<HTMLElement>('.chat-rename vscode-text-field')?.focus();
    }
  }

  protected override render(): TemplateResult {
    return html`<section class="pane chat-list" role="region" aria-label="Chat list" @keydown=${this.#keyed}>
      <div class="pane-head">
        ${textField({
          label: 'Search chats',
          value: this.filter,
          placeholder: 'Search chats',
          disabled: false,
          onInput: (text) => {
            this.filter = text;
            this.#search.type(text);
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
      ${searchFilter(this.#search)}
      <div class="pane-body">${this.chats === null ? skeletonRows() : this.#list(this.chats)}</div>
      <div class="pane-foot">${linkButton('Import a chat...', posting({ type: 'askImport' }))}</div>
    </section>`;
  }

  #list(chats: readonly ChatListItem[]): TemplateResult {
    const found = filterChats(chats, this.filter);
    return html`${found.length === 0 ? nothing : this.#chats(found)}
    ${foundMessages(this.#search, this.#openMessage)} ${this.#isNone(found) ? none(chats) : nothing}`;
  }

  /** Whether no chats were found, and the search for messages found nothing or did not run. */
  #isNone(found: readonly ChatListItem[]): boolean {
    const { stage, results } = this.#search;
    const isSearched = stage === 'none' || (stage === 'found' && results?.messages.length === 0);
    return found.length === 0 && isSearched;
  }

  #count(results: SearchResults): string {
    if (results.messages.length > 0) {
      return summary(results);
    }
    const titles = filterChats(this.chats ?? [], this.filter).length;
    return titles === 0 ? 'No chat matches' : `${counted(titles, 'title')}, no messages`;
  }

  #chats(found: readonly ChatListItem[]): TemplateResult {
    const now = Date.now();
    return html`<div @focusin=${this.#focused}>
      ${chatGroups(found, now).map(
        ({ title, chats }) => html`<h2 class="figures chat-group">${title}</h2>
          <ul aria-label=${`Chats: ${title}`}>
            ${repeat(
              chats,
              (chat) => chat.id,
              (chat) => html`<li class=${chat.id === this.currentId ? 'current' : ''}>${this.#item(chat, now)}</li>`,
            )}
          </ul>`,
      )}
    </div>`;
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
    const preview = chatPreview(chat);
    return html`<button
        type="button"
        class="chat-open ${isReadable(chat) ? '' : 'unreadable'}"
        data-chat=${chat.id}
        aria-current=${chat.id === this.currentId ? 'true' : nothing}
        aria-keyshortcuts="F2 Control+Enter Shift+Enter Delete"
        @click=${() => {
          this.#open(chat.id);
        }}
      >
        <span class="chat-title">${isReadable(chat) ? nothing : icon('warning')}${visibleText(chat.title)}</span>
        ${preview === '' ? nothing : html`<span class="chat-preview">${speaker(chat)}${visibleText(preview)}</span>`}
        ${isReadable(chat) ? facts(chat, now) : nothing}
      </button>
      <div class="actions">
        ${chatRowActions(isReadable(chat), {
          onRename: () => {
            this.renaming = chat.id;
          },
          onOpenInEditor: () => {
            post(this, { type: 'openInEditor', chatId: chat.id });
          },
          onExport: () => {
            post(this, { type: 'askExport', chatId: chat.id });
          },
          onDelete: () => {
            this.#delete(chat.id);
          },
        })}
      </div>`;
  }

  /** Moves the focus to the next row, then deletes the chat. The row disappears when the host replies. */
  #delete(chatId: string): void {
    const next = this.#roving.neighbour(this.#row(chatId));
    if (next === null) {
      this.#focusFilter();
    } else {
      next.focus();
    }
    post(this, { type: 'deleteChat', chatId });
  }

  #row(chatId: string): HTMLElement | null {
    return this.querySelector<HTMLElement>(`.chat-open[data-chat="${CSS.escape(chatId)}"]`);
  }

  #open(chatId: string): void {
    post(this, { type: 'openChat', chatId });
    this.onClose(true);
  }

  readonly #openMessage = ({ chatId, messageId }: FoundMessage): void => {
    post(this, { type: 'openMessage', chatId, messageId, found: this.filter });
    this.onClose(true);
  };

  /** Renames a chat. Both Enter and the loss of focus call this function. The second call does nothing. */
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
    const rows = [...this.querySelectorAll<HTMLElement>(ROWS)];
    if (title !== null) {
      this.#keyedInTitle(event);
    } else if (isInFilter(event)) {
      this.#keyedInFilter(event, rows);
    } else {
      this.#keyedAmong(rows, event);
    }
  };

  #keyedInFilter(event: KeyboardEvent, [first]: readonly HTMLElement[]): void {
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      first?.focus();
    } else if (event.key === 'Enter' && this.filter !== '') {
      this.#openFirst(first);
    }
  }

  /** Opens the first chat found by title. Without such a chat, opens the first message that the search finds. */
  #openFirst(first: HTMLElement | undefined): void {
    if (first?.matches('.chat-open') === true) {
      first.click();
      return;
    }
    this.#search.whenFound(() => {
      void this.updateComplete.then(() => {
        this.querySelector<HTMLElement>(ROWS)?.click();
      });
    });
  }

  #keyedAmong(rows: readonly HTMLElement[], event: KeyboardEvent): void {
    const row = rows.find((each) => each === event.target);
    const next = this.#roving.next(event);
    if (row !== undefined && next === row && event.key === 'ArrowUp') {
      event.preventDefault();
      this.#focusFilter();
    } else if (next !== null) {
      event.preventDefault();
      next.focus();
    } else if (row !== undefined) {
      this.#keyedInRow(event, row.dataset['chat'] ?? '');
    }
  }

  readonly #focused = ({ target }: FocusEvent): void => {
    this.#roving.focused(target);
  };

  #keyedInRow(event: KeyboardEvent, chatId: string): void {
    const chat = this.chats?.find(({ id }) => id === chatId);
    const key = rowKey(event);
    if (chat === undefined || key === null) {
      return;
    }
    event.preventDefault();
    if (key === 'delete') {
      this.#delete(chatId);
    } else if (isReadable(chat) && key === 'rename') {
      this.renaming = chatId;
    } else if (isReadable(chat)) {
      post(this, key === 'export' ? { type: 'askExport', chatId } : { type: 'openInEditor', chatId });
    }
  }

  #keyedInTitle(event: KeyboardEvent): void {
    if (event.key !== 'Enter' && event.key !== 'Escape') {
      return;
    }
    event.preventDefault();
    const { renaming } = this;
    if (event.key === 'Enter' && renaming !== null) {
      this.#rename(renaming, textOf(event.target));
    }
    this.renaming = null;
    void this.updateComplete.then(() => {
      this.#row(renaming ?? '')?.focus();
    });
  }

  #focusFilter(): void {
    this.querySelector<HTMLElement>('.pane-head vscode-text-field')?.focus();
  }
}

function isInFilter({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.localName === 'vscode-text-field';
}

function none(chats: readonly ChatListItem[]): TemplateResult {
  return html`<p class="none">${chats.length === 0 ? 'No chats yet' : 'No chat matches'}</p>`;
}
