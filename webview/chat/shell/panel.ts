import { html, type TemplateResult } from 'lit';
import { EMPTY_PANEL, PANEL_STATE, type PanelState } from '../../../src/protocol/panel/state.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { ToPanel } from '../../../src/protocol/panel/toWebview.js';
import { receive } from '../../shared/events.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { ViewStore } from '../../shared/viewStore.js';
import type { VsCodeApi } from '../../shared/vscodeApi.js';
import { afterPosting } from '../conversation/afterPosting.js';
import { announcement } from './announcement.js';
import { banners, type PanelNotice, panelNotice } from '../notices/banners.js';
import { composing } from '../composer/composing.js';
import { receiveFiles } from '../composer/dropFiles.js';
import { PendingImages } from '../composer/pendingImages.js';
import { beginsEdit, DraftSync } from './draftSync.js';
import { type EscapeState, escapeState, listenForEscape } from './escape.js';
import { ChatFind } from '../conversation/chatFind.js';
import { damageNotes, header, type Pane } from './header.js';
import { reportFocus } from './reportFocus.js';
import { onOpenManager, onOpenSummary } from '../rows/opening.js';
import { isPaneOpen, openPane } from './panes.js';
import { RowsToShow } from '../entries/rowsToShow.js';
import { focusQuestion, keepQuestionFocus } from '../questions/questionFocus.js';
import { stage } from '../emptyState/emptyState.js';

/** The chat panel. Renders the state from the host, and sends the messages of its elements to the host. */
export class PanelElement extends LightElement {
  static override properties = reactive([], ['view', 'text', 'pane', 'status', 'notice', 'isDragging']);
  declare private view: PanelState;
  declare private text: string;
  declare private pane: Pane;
  declare private status: string;
  declare private notice: PanelNotice | null;
  declare private isDragging: boolean;
  readonly #store = new ViewStore(PANEL_STATE);
  readonly #draft = new DraftSync();
  readonly #rows = new RowsToShow();
  readonly #pendingImages = new PendingImages(() => {
    this.requestUpdate();
  });
  readonly #find = new ChatFind(this);
  #send: (message: ToHost) => void = () => undefined;
  /** The element that opened the pane. It gets the focus again when the pane closes. */
  #opener: HTMLElement | null = null;

  constructor() {
    super();
    this.view = EMPTY_PANEL;
    this.text = '';
    this.pane = 'none';
    this.status = '';
    this.notice = null;
    this.isDragging = false;
    receiveFiles(this, {
      chatId: () => (this.view.chat?.readOnly === null ? this.view.chat.id : null),
      onDragging: (isDragging) => {
        this.isDragging = isDragging;
      },
      send: (message) => {
        this.#send(message);
      },
      onReading: this.#pendingImages.began.bind(this.#pendingImages),
      onRefused: (text) => {
        this.notice = { severity: 'info', text };
        this.status = text;
      },
    });
  }

  start(api: VsCodeApi<ToHost>): void {
    this.#send = (message) => {
      if (message.type === 'send') {
        this.#draft.sent(message.text);
        this.notice = this.notice?.severity === 'info' ? null : this.notice;
      }
      api.postMessage(message);
      afterPosting(message, this, this.#focusComposer);
    };
    this.#rows.start(api, () => {
      this.#askForRows(false);
    });
    receive(this, this.#send, (text) => {
      this.status = text;
    });
    onOpenSummary(this, () => this.view, this.#send);
    onOpenManager(this, this.#openManager);
    window.addEventListener('focus', () => void this.#takeFocus());
    reportFocus(this.#send);
    listenForEscape(this.#escapeState, {
      closeFind: this.#closeFind,
      closePane: this.#closePane.bind(this, false),
      declineSpend: this.#declineSpend,
      cancelEdit: this.#ofChat.bind(this, 'cancelEdit'),
      stop: this.#ofChat.bind(this, 'stop'),
      focusComposer: this.#focusComposer,
    });
    this.#send({ type: 'ready' });
  }

  accept(message: ToPanel): void {
    switch (message.type) {
      case 'focusComposer':
        this.#focusComposer();
        break;
      case 'focusQuestion':
        this.pane = 'none';
        void this.updateComplete.then(() => {
          this.status = focusQuestion(this);
        });
        break;
      case 'reveal':
        // Closes the pane, because an open pane would cover the entry and keep the focus.
        this.pane = 'none';
        void this.#reveal(message.entryId, message.text);
        break;
      case 'searchResults':
        this.querySelector('loupe-chat-list')?.found(message);
        break;
      case 'imagesAdded':
        this.#pendingImages.ended(message.chatId);
        break;
      case 'find':
        this.pane = 'none';
        this.#find.open();
        break;
      case 'manage':
      case 'settings':
        this.#opener = this.#composer();
        this.pane = message.type === 'manage' ? 'manager' : 'settings';
        break;
      default:
        this.#acceptState(message);
    }
  }

  #acceptState(message: Extract<ToPanel, { readonly type: 'snapshot' | 'delta' }>): void {
    const before = this.#store.state;
    const outcome = this.#store.accept(message);
    const after = this.#store.state;
    if (typeof outcome === 'object') {
      this.#send({ type: 'resync', reason: outcome.resync });
    }
    if (after === null || outcome === 'ignored' || typeof outcome === 'object') {
      return;
    }
    this.#takeDraft(after);
    // Focuses only the panel where the user works, not another panel with the same chat.
    if (beginsEdit(before, after) && document.hasFocus()) {
      this.#focusComposer();
    }
    this.status = announcement(before, after) ?? this.status;
    keepQuestionFocus(this, this.#focusComposer);
    this.view = after;
    showFontSize(after.fontSize);
    void this.#find.refresh();
    this.#askForRows(outcome === 'snapshot');
    if (outcome === 'snapshot' || (before !== null && isPaneOpen('none', before))) {
      void this.#takeFocus();
    }
  }

  #askForRows(isSnapshot: boolean): void {
    const { state } = this.#store;
    const message = state === null ? null : this.#rows.nextMessage(state, isSnapshot);
    if (message !== null) {
      this.#send(message);
    }
  }

  #takeDraft({ chat, draft }: PanelState): void {
    const text = chat === null ? null : this.#draft.resolve(this.text, chat.id, draft);
    if (chat === null || text === null || text === this.text) {
      return;
    }
    this.text = text;
    if (text !== draft.text) {
      this.#send({ type: 'draft', chatId: chat.id, text, edit: this.#draft.nextEdit() });
    }
  }

  /** Shows an error of the panel itself. The rest of the panel may be out of date. */
  showFailure(text: string): void {
    this.notice = { severity: 'error', text };
  }

  protected override render(): TemplateResult {
    const { view } = this;
    return html`${header(view, {
      pane: this.pane,
      isDamageOpen: this.#rows.disclosures.isOpen(damageNotes(view.chat)),
      onToggleDamage: this.#toggle(damageNotes(view.chat)),
      onPane: this.#openPane,
      send: this.#send,
      onFind: this.accept.bind(this, { type: 'find' }),
      onNewChat: () => {
        this.#send({ type: 'newChat' });
        this.#closePane(true);
      },
    })}
      <main class="stage">
        <div class="stage-content" ?inert=${isPaneOpen(this.pane, view)}>
          ${stage(view, {
            disclosures: this.#rows.disclosures,
            onSettings: this.#openSettings,
            onSuggest: (text) => {
              this.#typed(text);
              this.#focusComposer();
            },
          })}
        </div>
        ${this.#find.render(this.#closeFind)} ${openPane(this.pane, view, {
          disclosures: this.#rows.disclosures,
          onClose: this.#closePane,
          onManaged: this.#managed,
        })}
      </main>
      <footer class="footer">
        ${panelNotice(this.notice, this.#dismissNotice)} ${banners(view.banners)}
        ${composing(view, {
          text: this.text,
          isDragging: this.isDragging,
          pendingImages: this.#pendingImages.of(view.chat?.id ?? ''),
          isOpen: (name) => this.#rows.disclosures.isOpen(name),
          toggle: this.#toggle,
          send: this.#send,
          onInput: this.#typed,
          onSettings: this.#openSettings,
          onManage: this.#openManager,
          focusComposer: this.#focusComposer,
        })}
      </footer>
      <loupe-limits .limits=${view.limits} .chatId=${view.chat?.id ?? null} .send=${this.#send}></loupe-limits>
      <div class="sr-only" role="status" aria-label="Status">${this.status}</div>`;
  }

  readonly #escapeState = (): EscapeState =>
    escapeState(this.view, { isFinding: this.#find.isOpen, hasPane: isPaneOpen(this.pane, this.view) });

  #inChat(messageOf: (chatId: string) => ToHost): void {
    const chatId = this.view.chat?.id;
    if (chatId !== undefined) {
      this.#send(messageOf(chatId));
    }
  }

  #ofChat(type: 'cancelEdit' | 'stop' | 'dismissSummary'): void {
    this.#inChat((chatId) => ({ type, chatId }));
  }

  readonly #declineSpend = (): void => {
    const questionId = this.view.spendQuestion?.id ?? '';
    this.#inChat((chatId) => ({ type: 'answerSpend', chatId, questionId, isAllowed: false }));
  };

  /** Returns a handler that opens or closes the details with this name. */
  readonly #toggle = (name: string) => (): void => {
    this.#rows.disclosures.toggle(name);
    this.requestUpdate();
  };

  readonly #typed = (text: string): void => {
    if (text !== this.text) {
      this.text = text;
      this.#inChat((chatId) => ({ type: 'draft', chatId, text, edit: this.#draft.nextEdit() }));
    }
  };

  readonly #closeFind = (): void => {
    const message = this.#find.close();
    if (message === null) {
      this.#focusComposer();
    } else {
      message.focus({ preventScroll: true });
    }
  };

  readonly #openPane = (pane: Exclude<Pane, 'none'>, opener: EventTarget | null): void => {
    if (this.pane === pane) {
      this.#closePane(false);
      return;
    }
    this.#opener = opener instanceof HTMLElement ? opener : null;
    this.pane = pane;
    this.#find.close();
  };

  readonly #openSettings = (): void => {
    this.#openPane('settings', document.activeElement);
  };

  readonly #openManager = (): void => {
    this.#openPane('manager', document.activeElement);
  };

  readonly #managed = (sections: RowsToShow['manager']): void => {
    this.#rows.manager = sections;
    this.#askForRows(false);
  };

  readonly #closePane = (isChosen: boolean): void => {
    if (this.pane === 'none') {
      this.#ofChat('dismissSummary');
      this.#focusComposer();
      return;
    }
    this.pane = 'none';
    if (isChosen) {
      this.#focusComposer();
    } else {
      // Waits, because an opener in the conversation is inert while a pane is open.
      void this.updateComplete.then(() => this.#opener?.focus());
    }
  };

  /** Scrolls to an entry after rendering, because the entry may be new. */
  async #reveal(entryId: string, text: string | null): Promise<void> {
    await this.updateComplete;
    await this.querySelector('loupe-conversation')?.reveal(entryId, text);
  }

  /** Focuses the message box when VS Code focuses the page, so that the user can type at once. */
  readonly #takeFocus = async (): Promise<void> => {
    // Waits, because the rendering may focus a message that a search found. This message then keeps the focus.
    await this.updateComplete;
    if (document.hasFocus() && document.activeElement === document.body && !isPaneOpen(this.pane, this.view)) {
      this.#composer()?.focus();
    }
  };

  #composer(): HTMLElement | null {
    return this.querySelector('loupe-composer');
  }

  /** Focuses the message box after rendering, because the message box may be new. */
  readonly #focusComposer = (): void => {
    void this.updateComplete.then(() => this.#composer()?.focus());
  };

  readonly #dismissNotice = (): void => {
    this.notice = null;
    this.#focusComposer();
  };
}

/** Sets the text size of the conversation and the message box, in pixels. Null restores VS Code's size. */
function showFontSize(size: number | null): void {
  document.documentElement.style.setProperty('--loupe-text-size', size === null ? null : `${String(size)}px`);
}
