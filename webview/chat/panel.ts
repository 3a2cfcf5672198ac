import { html, nothing, type TemplateResult } from 'lit';
import type { ToHost } from '../../src/protocol/toHost.js';
import type { ToWebview } from '../../src/protocol/toWebview.js';
import type { ChatView, DraftView, PanelState } from '../../src/protocol/view.js';
import { iconButton, linkButton } from '../shared/controls.js';
import { Disclosures } from '../shared/disclosures.js';
import { posting, receive } from '../shared/events.js';
import { icon } from '../shared/icon.js';
import { LightElement, reactive } from '../shared/lightElement.js';
import type { VsCodeApi } from '../shared/vscodeApi.js';
import { isAnsweredElsewhere } from './answeredElsewhere.js';
import { announcement } from './announcement.js';
import { banners } from './banners.js';
import type { ConversationElement } from './conversation.js';
import { contextChips } from './chips.js';
import { modelLabel } from './choices.js';
import { DraftSync } from './draftSync.js';
import { carriesFiles, droppedUris } from './dropFiles.js';
import { emptyState } from './emptyState.js';
import { header, type Pane } from './header.js';
import { nextRequest } from './nextRequest.js';
import { CHIPS, NEXT_REQUEST, OpenRows } from './openRows.js';
import { PanelStore } from './panelStore.js';
import { skeletonRows } from './skeleton.js';

/** Name of the notes on a chat's damaged lines, as what can be opened. */
function damageNotes(chat: ChatView | null): string {
  return `damage:${chat?.id ?? ''}`;
}

/** The chat panel: takes the state from the host, lays its parts out and carries their messages to the host. */
export class PanelElement extends LightElement {
  static override properties = reactive([], ['view', 'text', 'pane', 'status', 'failure', 'isDragging']);
  declare private view: PanelState | null;
  /** What is in the composer. */
  declare private text: string;
  declare private pane: Pane;
  /** For screen readers. */
  declare private status: string;
  /** The panel itself failed, and why. */
  declare private failure: string | null;
  declare private isDragging: boolean;
  readonly #store = new PanelStore();
  readonly #draft = new DraftSync();
  readonly #rows = new OpenRows();
  #disclosures = new Disclosures(null, () => undefined);
  #send: (message: ToHost) => void = () => undefined;
  /** What opened the pane: it gets the focus back. */
  #opener: HTMLElement | null = null;

  constructor() {
    super();
    this.view = null;
    this.text = '';
    this.pane = 'none';
    this.status = '';
    this.failure = null;
    this.isDragging = false;
    this.addEventListener('dragover', this.#draggedOver);
    this.addEventListener('dragleave', this.#dragEnded);
    this.addEventListener('drop', this.#dropped);
  }

  /** Begins the conversation with the host. */
  start(api: VsCodeApi): void {
    this.#send = (message) => {
      if (message.type === 'send') {
        this.#draft.sent(message.text);
      }
      api.postMessage(message);
    };
    this.#disclosures = new Disclosures(api.getState(), (open) => {
      api.setState({ open });
      this.#askForRows(false);
    });
    receive(this, this.#send, (text) => {
      this.status = text;
    });
    this.#send({ type: 'ready' });
  }

  accept(message: ToWebview): void {
    if (message.type === 'focusComposer') {
      this.#focusComposer();
      return;
    }
    if (message.type === 'reveal') {
      void this.#reveal(message.entryId);
      return;
    }
    const before = this.view;
    const outcome = this.#store.accept(message);
    const after = this.#store.state;
    if (outcome === 'resync') {
      this.#send({ type: 'resync' });
    }
    if (after === null || outcome === 'ignored' || outcome === 'resync') {
      return;
    }
    if (after.chat !== null) {
      this.#takeDraft(after.chat.id, after.draft, outcome === 'snapshot');
    }
    if (before !== null && after.draft.editing !== null && after.draft.editing !== before.draft.editing) {
      this.#focusComposer();
    }
    this.status = announcement(before, after) ?? this.status;
    this.view = after;
    this.#askForRows(outcome === 'snapshot');
  }

  #askForRows(isSnapshot: boolean): void {
    const message = this.view === null ? null : this.#rows.due(this.view, this.#disclosures, isSnapshot);
    if (message !== null) {
      this.#send(message);
    }
  }

  #takeDraft(chatId: string, draft: DraftView, isSnapshot: boolean): void {
    const text = this.#draft.resolve(this.text, chatId, draft, isSnapshot);
    if (text === null || text === this.text) {
      return;
    }
    this.text = text;
    if (text !== draft.text) {
      this.#send({ type: 'draft', chatId, text, edit: this.#draft.nextEdit() });
    }
  }

  /** Shows that the panel failed; what is on screen may be out of date. */
  showFailure(message: string): void {
    this.failure = message;
  }

  protected override render(): TemplateResult {
    const { view } = this;
    const chat = view?.chat ?? null;
    return html`${header({
      chat,
      request: view?.nextRequest ?? null,
      pane: this.pane,
      isDamageOpen: this.#disclosures.isOpen(damageNotes(chat)),
      onToggleDamage: this.#toggle(damageNotes(chat)),
      onPane: this.#openPane,
      onNewChat: () => {
        this.#send({ type: 'newChat' });
        this.#closePane(true);
      },
    })}
      <main class="stage">
        <div class="stage-content" ?inert=${this.pane !== 'none'}>
          ${view === null || chat === null ? skeletonRows() : this.#conversation(view, chat)}
        </div>
        ${this.#pane(view, chat)}
      </main>
      <footer class="footer">
        ${this.#failure()} ${banners(view?.banners ?? [])}
        ${view === null || chat === null ? nothing : this.#composing(view, chat)}
      </footer>
      <div class="sr-only" role="status" aria-label="Status">${this.status}</div>`;
  }

  #conversation(view: PanelState, chat: ChatView): TemplateResult {
    if (view.entries.length === 0 && chat.earlierMessages === 0) {
      return emptyState(modelLabel(chat.settings, view.models), this.#suggest, () => {
        this.#openPane('settings', document.activeElement);
      });
    }
    return html`<loupe-conversation
      .chat=${chat}
      .entries=${view.entries}
      .outputs=${view.outputs}
      .contextRows=${view.contextRows}
      .editing=${view.draft.editing}
      .isLocked=${chat.running || chat.readOnly !== null || isAnsweredElsewhere(chat, view.chats)}
      .disclosures=${this.#disclosures}
    ></loupe-conversation>`;
  }

  #pane(view: PanelState | null, chat: ChatView | null): TemplateResult | typeof nothing {
    if (this.pane === 'chats') {
      return html`<loupe-chat-list
        .chats=${view?.chats ?? null}
        .currentId=${chat?.id ?? null}
        .onClose=${this.#closePane}
      ></loupe-chat-list>`;
    }
    return this.pane === 'settings' && chat !== null
      ? html`<loupe-settings
          .chat=${chat}
          .models=${view?.models ?? []}
          .onClose=${() => {
            this.#closePane(false);
          }}
        ></loupe-settings>`
      : nothing;
  }

  #composing(view: PanelState, chat: ChatView): TemplateResult {
    // Of a chat that cannot be continued, perhaps since it is still being read, none may ever be there.
    const hasNext = view.nextRequest !== null || chat.readOnly === null;
    const isOpen = this.#disclosures.isOpen(NEXT_REQUEST);
    return html`${hasNext ? nextRequest(view, chat.id, isOpen, this.#toggle(NEXT_REQUEST)) : nothing}
    ${contextChips(view, chat.id, this.#toggle(CHIPS))}
    ${this.isDragging ? html`<div class="drop-hint">${icon('add')}Drop to add to this chat (keep Shift held)</div>` : nothing}
    <loupe-composer
      .chat=${chat}
      .models=${view.models}
      .text=${this.text}
      .isEditing=${view.draft.editing !== null}
      .isAnsweredElsewhere=${isAnsweredElsewhere(chat, view.chats)}
      .hasChoices=${this.pane !== 'settings'}
      .onInput=${this.#typed}
    ></loupe-composer>`;
  }

  /** Opens or closes what has that name. */
  #toggle(name: string): () => void {
    return () => {
      this.#disclosures.toggle(name);
      this.requestUpdate();
    };
  }

  #failure(): TemplateResult | typeof nothing {
    return this.failure === null
      ? nothing
      : html`<div class="banner error" role="alert">
          ${icon('error')}
          <div class="banner-text">
            The panel failed: ${this.failure}
            <div class="banner-actions">
              ${linkButton('Show log', posting({ type: 'showLog' }))}
            </div>
          </div>
          ${iconButton({
            label: 'Dismiss',
            icon: 'close',
            onClick: () => {
              this.failure = null;
            },
          })}
        </div>`;
  }

  readonly #typed = (text: string): void => {
    const chatId = this.view?.chat?.id;
    if (chatId !== undefined && text !== this.text) {
      this.text = text;
      this.#send({ type: 'draft', chatId, text, edit: this.#draft.nextEdit() });
    }
  };

  readonly #suggest = (text: string): void => {
    this.#typed(text);
    this.#focusComposer();
  };

  readonly #openPane = (pane: 'chats' | 'settings', opener: EventTarget | null): void => {
    if (this.pane === pane) {
      this.#closePane(false);
      return;
    }
    this.#opener = opener instanceof HTMLElement ? opener : null;
    this.pane = pane;
  };

  readonly #closePane = (isChosen: boolean): void => {
    this.pane = 'none';
    if (isChosen) {
      this.#focusComposer();
    } else {
      this.#opener?.focus();
    }
  };

  /** After the rendering that may still bring the entry. */
  async #reveal(entryId: string): Promise<void> {
    await this.updateComplete;
    await this.querySelector<ConversationElement>('loupe-conversation')?.reveal(entryId);
  }

  /** After the rendering that may still bring the composer. */
  #focusComposer(): void {
    void this.updateComplete.then(() => {
      this.querySelector<HTMLElement>('loupe-composer')?.focus();
    });
  }

  readonly #draggedOver = (event: DragEvent): void => {
    if (this.view?.chat?.readOnly === null && carriesFiles(event.dataTransfer?.types ?? [])) {
      event.preventDefault();
      this.isDragging = true;
    }
  };

  readonly #dragEnded = (event: DragEvent): void => {
    // Leaving one element for another inside the panel is no end.
    if (!(event.relatedTarget instanceof Node && this.contains(event.relatedTarget))) {
      this.isDragging = false;
    }
  };

  readonly #dropped = (event: DragEvent): void => {
    const chatId = this.view?.chat?.id;
    const { dataTransfer } = event;
    this.isDragging = false;
    if (chatId === undefined || dataTransfer === null || !carriesFiles(dataTransfer.types)) {
      return;
    }
    event.preventDefault();
    const uris = droppedUris((type) => dataTransfer.getData(type));
    if (uris.length === 0) {
      this.failure = 'the dropped files carry no address. Add them with the + below the message.';
    } else {
      this.#send({ type: 'dropFiles', chatId, uris });
    }
  };
}
