import type { ChatPanel, PanelPlace, PlaceTold } from './chatPanel.js';
import { ContextKeySender, contextKeys, type SetContext } from './contextKeys.js';

export interface ChatPanelsPorts {
  create(place: PanelPlace, told: PlaceTold): ChatPanel;
  readonly setContext: SetContext;
  /** The user may see a chat that they did not see before. */
  seen(): void;
  /** Another panel is the current one. */
  currentChanged(): void;
  /** The chat on show in the current panel, told at least when it is another one. */
  chatOnShow(chatId: string): void;
}

/** The chat panels of the window: the view, which is always there, and the tabs. Commands act on the one that was used last. */
export class ChatPanels {
  readonly view: ChatPanel;
  readonly #ports: ChatPanelsPorts;
  readonly #keys: ContextKeySender;
  readonly #tabs = new Set<ChatPanel>();
  #current: ChatPanel;

  constructor(view: PanelPlace, ports: ChatPanelsPorts) {
    this.#ports = ports;
    this.#keys = new ContextKeySender(ports.setContext);
    this.view = this.#create(view);
    this.#current = this.view;
  }

  /** The panel that was used last. */
  get current(): ChatPanel {
    return this.#current;
  }

  all(): readonly ChatPanel[] {
    return [this.view, ...this.#tabs];
  }

  /** A panel for a tab, which is the current one from now on. */
  open(place: PanelPlace): ChatPanel {
    const tab = this.#create(place);
    this.#tabs.add(tab);
    this.use(tab);
    return tab;
  }

  /** The tab is closed. */
  close(tab: ChatPanel): void {
    this.#tabs.delete(tab);
    tab.dispose();
    if (tab === this.#current) {
      this.use(this.view);
    }
  }

  dispose(): void {
    for (const panel of this.all()) {
      panel.dispose();
    }
  }

  /** The user has turned to this panel. */
  use(panel: ChatPanel): void {
    if (panel === this.#current) {
      return;
    }
    this.#current = panel;
    const { session } = panel.shown;
    // The page tells when it gets the focus, and the one before may have told nothing yet.
    this.#keys.send({ ...(session === null ? {} : contextKeys(session)), 'loupe.hasFocus': false });
    this.#ports.currentChanged();
    if (session !== null) {
      this.#ports.chatOnShow(session.id);
    }
  }

  /** Whether the user sees what happens in a chat: in the view, which has the list of all chats, or in a tab with this one. */
  isVisible(chatId: string): boolean {
    return this.all().some(({ panel, shown }) => panel.channel.isReady && (panel === this.view.panel || shown.session?.id === chatId));
  }

  /** Brings a chat into sight: in the panel that shows it, else in the current one. */
  async present(chatId: string): Promise<void> {
    const panel = this.all().find(({ shown }) => shown.session?.id === chatId) ?? this.#current;
    await panel.reveal();
    await panel.shown.show(chatId);
  }

  #create(place: PanelPlace): ChatPanel {
    const panel: ChatPanel = this.#ports.create(place, {
      ready: () => {
        this.#ports.seen();
      },
      shows: (session) => {
        place.shows(session);
        this.#ports.seen();
        if (panel === this.#current) {
          this.#keys.send(contextKeys(session));
          this.#ports.chatOnShow(session.id);
        }
      },
      focusChanged: (isFocused) => {
        if (isFocused) {
          this.use(panel);
        }
        if (panel === this.#current) {
          this.#keys.send({ 'loupe.hasFocus': isFocused });
        }
      },
      isElsewhere: (chatId) => this.all().some((other) => other !== panel && other.shown.session?.id === chatId),
      deleted: async (chatId) => {
        await Promise.all(this.all().map(({ shown }) => shown.leave(chatId)));
      },
    });
    return panel;
  }
}
