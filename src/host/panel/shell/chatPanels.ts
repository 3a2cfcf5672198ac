import type { ChatPanel, PanelPlace, PlaceCallbacks } from './chatPanel.js';
import { lastRun } from '../../../engine/chat/branch.js';
import type { ChatSession } from '../../chat/chatSession.js';
import { hasMessage } from '../../chat/lastMessage.js';

export interface ChatPanelsPorts {
  create(place: PanelPlace, told: PlaceCallbacks): ChatPanel;
  readonly setContext: SetContext;
  /** Called when the user may see other chats than before. */
  visibilityChanged(): void;
  /** Called when another panel becomes the current panel. */
  currentChanged(): void;
  /** Called when the current panel shows another chat, and sometimes also for the same chat. */
  chatOnShow(chatId: string): void;
}

/** The chat panels of the VS Code window: the view, which always exists, and tabs. Commands use the current panel. */
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

  /** Creates a panel for a tab and makes it the current panel. */
  open(place: PanelPlace): ChatPanel {
    const tab = this.#create(place);
    this.#tabs.add(tab);
    this.use(tab);
    return tab;
  }

  /** Call this when the tab is closed. */
  close(tab: ChatPanel): void {
    this.#tabs.delete(tab);
    tab.dispose();
    this.#ports.visibilityChanged();
    if (tab === this.#current) {
      this.use(this.view);
    }
  }

  dispose(): void {
    for (const panel of this.all()) {
      panel.dispose();
    }
  }

  use(panel: ChatPanel): void {
    if (panel === this.#current) {
      return;
    }
    this.#current = panel;
    const { session } = panel.shown;
    // Resets `hasFocus`: the previous page may report the lost focus late. The new page reports its focus later.
    this.#keys.send({ ...(session === null ? {} : contextKeys(session)), 'loupe.hasFocus': false });
    this.#ports.currentChanged();
    if (session !== null) {
      this.#ports.chatOnShow(session.id);
    }
  }

  /** Whether the user can see a chat: in the view, which lists all chats, or in the chat's tab. */
  isVisible(chatId: string): boolean {
    return this.all().some(({ panel, shown }) => panel.channel.isReady && (panel === this.view.panel || shown.session?.id === chatId));
  }

  /** Shows a chat in the panel that already shows it, or else in the current panel. */
  async present(chatId: string): Promise<void> {
    const panel = this.all().find(({ shown }) => shown.session?.id === chatId) ?? this.#current;
    await panel.reveal();
    await panel.shown.show(chatId);
  }

  #create(place: PanelPlace): ChatPanel {
    const panel: ChatPanel = this.#ports.create(place, {
      visibilityChanged: () => {
        this.#ports.visibilityChanged();
      },
      shows: (session) => {
        place.shows(session);
        this.#ports.visibilityChanged();
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

/**
 * The context keys for `enablement` and `when` in `package.json`. Most keys are negative (`hasNo…`): no key is set
 * before Loupe is loaded, and a missing key must not disable a command.
 */
export interface ContextKeys {
  readonly 'loupe.hasNoFiles': boolean;
  readonly 'loupe.hasNoMessage': boolean;
  readonly 'loupe.hasNoReply': boolean;
  readonly 'loupe.hasNoRequest': boolean;
  /** Whether this VS Code window writes a reply in the chat. */
  readonly 'loupe.isAnswering': boolean;
  /**
   * Whether the panel has the focus, so that its keybindings apply only there. VS Code's own `focusedView` is not set
   * for the page in a view, and not reset when the focus leaves the view.
   */
  readonly 'loupe.hasFocus': boolean;
}

export type SetContext = (key: keyof ContextKeys, value: boolean) => void;

/** Returns the keys that depend on the visible chat. */
function contextKeys({ state, conversation }: ChatSession): Omit<ContextKeys, 'loupe.hasFocus'> {
  return {
    'loupe.hasNoFiles': [...state.context.values()].every(({ type }) => type !== 'file'),
    'loupe.hasNoMessage': !hasMessage(state, 'user'),
    'loupe.hasNoReply': !hasMessage(state, 'assistant'),
    'loupe.hasNoRequest': lastRun(state) === undefined && state.extent === 'whole',
    'loupe.isAnswering': conversation.isRunning,
  };
}

/** Sends each context key to VS Code only when it has changed. */
export class ContextKeySender {
  readonly #set: SetContext;
  #sent: Partial<ContextKeys> = {};

  constructor(set: SetContext) {
    this.#set = set;
  }

  send(keys: Partial<ContextKeys>): void {
    for (const key of Object.keys(keys) as (keyof ContextKeys)[]) {
      const value = keys[key];
      if (value !== undefined && this.#sent[key] !== value) {
        this.#set(key, value);
      }
    }
    this.#sent = { ...this.#sent, ...keys };
  }
}
