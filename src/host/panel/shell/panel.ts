import { lastRun } from '../../../engine/chat/branch.js';
import { failure, toLoupeError } from '../../../engine/errors.js';
import { PANEL_STATE, type PanelDelta, type PanelState } from '../../../protocol/panel/state.js';
import type { PanelNote } from '../../../protocol/panel/toWebview.js';
import type { ContextChip } from '../../../protocol/panel/composer.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { ReadProgress } from '../../chat/windows/logFollower.js';
import type { SessionChange } from '../../chat/sessionLog.js';
import { BUSY, CHAT_COPIED, DISMISS, FAILURE } from '../../window/banners.js';
import { derived, ViewChannel, type ViewSlices } from '../../window/viewChannel.js';
import type { KnownTokens } from '../../context/itemTokens.js';
import { NOT_ADDED } from '../../context/notAdded.js';
import { CONTEXT_REMOVED } from '../composer/contextRemovals.js';
import { EntryViews, type ShownEntries } from '../conversation/entries.js';
import { heldTokens } from '../manager/managerView.js';
import { NO_PREVIEW, type Preview, previewOf } from '../nextRequest/preview.js';
import { modelName } from './modelView.js';
import { ReadingNotice } from './readingNotice.js';
import type { ChatNow, OpenSections, PanelPorts, PanelRoom, PanelSource } from './slice.js';
import { ShownRange } from '../conversation/shownRange.js';

/** Nothing is open until the webview reports its sections. */
const NOTHING_OPEN: OpenSections = { chips: false, nextRequest: false, contextUsed: [], manager: null };

/** The id of the banner that says what changed between the last preview and *Send*. */
const INPUTS_CHANGED = 'inputsChanged';

/** Maximum number of inputs that this banner names. */
const MOST_NAMED = 3;

/** The part of the panel that gets the focus: the search in the chat, the message box, a question, or a pane. */
type TypingPlace = 'find' | 'focusComposer' | 'focusQuestion' | 'manage' | 'settings';

/** The chat panel. Derives the state of the visible chat and sends it to the webview. */
export class Panel {
  readonly channel: ViewChannel<PanelState, PanelDelta, OpenSections, PanelNote, PanelSource>;
  readonly #ports: PanelPorts;
  readonly #range: ShownRange;
  readonly #reading: ReadingNotice;
  readonly #endsOfListening: readonly (() => void)[];
  #session: ChatSession | null = null;
  /** The progress of opening the next chat, or null. */
  #opening: ReadProgress | null = null;
  /** The entry to scroll to when the webview is ready, with the searched text, or null. */
  #revealed: Omit<Extract<PanelNote, { readonly type: 'reveal' }>, 'type'> | null = null;
  #unsubscribe: () => void = () => undefined;
  /** The last preview of the visible chat's next request. */
  #preview: Preview = NO_PREVIEW;
  #wasRunning = false;
  /** The part to focus when the webview is ready, or null. */
  #typesIn: TypingPlace | null = null;

  constructor(ports: PanelPorts, slicesOf: (room: PanelRoom) => ViewSlices<PanelState, ChatNow | null, PanelSource>) {
    const { chats, models, drafts, banners, openFile, introduction } = ports;
    this.#ports = ports;
    const changed = (...sources: readonly (PanelSource | 'open')[]): void => {
      this.channel.changed(...sources);
    };
    const windowChanged = (): void => {
      changed('window');
    };
    this.#reading = new ReadingNotice(() => this.#opening ?? this.#session?.reading ?? null, windowChanged);
    const slices = slicesOf({ ...ports, changed, reading: () => this.#reading.banners });
    this.channel = new ViewChannel({
      travels: PANEL_STATE,
      open: NOTHING_OPEN,
      derive: (open, sources) => derived(slices, this.#now(open), sources),
    });
    this.#range = new ShownRange(new EntryViews((attempt) => modelName(attempt.model, models.list())));
    banners.onChange(windowChanged);
    this.#endsOfListening = [
      chats.onChange({ changed: windowChanged }),
      introduction.onChange(windowChanged),
      drafts.onChange((chatId, change) => {
        changed('draft');
        if (change === 'content' && chatId === this.#session?.id) {
          this.#session.next.inputsChanged();
        }
      }),
      models.onChange(() => {
        // Entries show the names of models.
        changed('chat');
        this.requestChanged();
      }),
      openFile.onChange(windowChanged),
    ];
  }

  get session(): ChatSession | null {
    return this.#session;
  }

  /** Returns the chips of a chat's items, one per item; empty before its next request was composed. */
  chips(chatId: string): readonly ContextChip[] {
    return chatId === this.#session?.id ? this.#preview.chips : [];
  }

  /** Returns what the next request of a chat says about sizes. Null before it was composed. */
  knownTokens(chatId: string): KnownTokens | null {
    const { managed } = this.#preview;
    return managed === null || chatId !== this.#session?.id ? null : { counter: managed.counter, ofItems: heldTokens(managed.rows.blocks) };
  }

  show(session: ChatSession): void {
    this.#leave();
    this.#preview = session === this.#session ? this.#preview : NO_PREVIEW;
    this.#session = session;
    this.#revealed = null;
    this.#wasRunning = session.conversation.isRunning;
    this.#range.reset();
    const unsubscribe = session.onChange((change) => {
      this.#sessionChanged(session, change);
    });
    const unwatch = session.next.watch(() => this.#ports.drafts.get(session.id));
    this.#unsubscribe = () => {
      unsubscribe();
      unwatch();
    };
    this.#reading.update();
    this.#ports.told.shows(session);
    for (const id of [FAILURE, BUSY, CHAT_COPIED, CONTEXT_REMOVED, NOT_ADDED, INPUTS_CHANGED]) {
      this.#ports.banners.hide(id);
    }
    this.channel.snapshot();
  }

  /** Sets the progress of opening a chat; null when it has ended or the user no longer waits for it. */
  opening(reading: ReadProgress | null): void {
    this.#opening = reading;
    this.#reading.update();
  }

  stopReading(): void {
    (this.#opening ?? this.#session?.reading)?.cancel();
  }

  /** Shows more earlier entries. Rejects like `ChatSession.whole`. */
  async showEarlier(): Promise<void> {
    const session = this.#session;
    if (session === null) {
      return;
    }
    const first = this.#range.growEarlier(session.state);
    this.channel.changed('chat');
    if (!this.#range.isHere(session.state)) {
      await session.whole();
      if (session === this.#session) {
        this.#range.growUntilVisible(session.state, first);
        this.channel.changed('chat');
      }
    }
  }

  showLater(): void {
    this.#range.growLater();
    this.channel.changed('chat');
  }

  /** Returns to the end of the conversation. */
  showLatest(): void {
    this.#range.toLatest();
    this.channel.changed('chat');
  }

  /** Call this when the webview has started or restarted. */
  ready(): void {
    this.#ports.drafts.forgetEdits(this.#ports.id);
    this.channel.ready();
    this.#ports.told.visibilityChanged();
    this.#reveal();
    if (this.#typesIn !== null) {
      this.typeIn(this.#typesIn);
    }
  }

  /** Call this when the webview is hidden or closed. Posts nothing until the next `ready`. */
  hidden(): void {
    this.channel.hidden();
    this.#ports.told.visibilityChanged();
    this.focusChanged(false);
  }

  focusChanged(isFocused: boolean): void {
    this.#ports.told.focusChanged(isFocused);
  }

  focusComposer(): void {
    this.typeIn('focusComposer');
  }

  /** Opens and focuses a part of the panel, now or when the webview is ready. */
  typeIn(type: TypingPlace): void {
    this.#typesIn = this.channel.isReady ? null : type;
    this.channel.tell({ type });
  }

  /**
   * Scrolls to a message of the visible chat, or to an attempt without a message, and highlights `text` in it.
   * Rejects with `invalidInput` when an edit or a retry has replaced it.
   */
  async reveal(id: string, text: string | null): Promise<void> {
    const session = this.#session;
    if (session === null) {
      return;
    }
    const here = this.#range.moveTo(session.state, id);
    const state = here === null ? await session.whole() : session.state;
    if (session !== this.#session) {
      // The user has opened another chat during the read.
      return;
    }
    const entryId = here ?? this.#range.moveTo(state, id);
    if (entryId === null) {
      throw failure('chat.messageSetAside');
    }
    this.#revealed = { entryId, text };
    this.channel.changed('chat');
    this.#reveal();
  }

  /** Call this when something outside of the chat has changed that affects the next request. */
  requestChanged(): void {
    this.channel.changed('window');
    this.#session?.next.inputsChanged();
  }

  dispose(): void {
    // Hides the channel, because running work must not post to a closed webview.
    this.channel.hidden();
    this.#leave();
    this.#ports.drafts.forgetEdits(this.#ports.id);
    for (const end of this.#endsOfListening) {
      end();
    }
    this.channel.dispose();
  }

  #leave(): void {
    this.#unsubscribe();
    this.#reading.end();
  }

  #sessionChanged(session: ChatSession, change: SessionChange): void {
    if (session.conversation.isRunning && !this.#wasRunning) {
      this.#ports.introduction.messageSent();
      this.#ports.banners.hide(NOT_ADDED);
      this.#ports.banners.hide(INPUTS_CHANGED);
      // The new message is at the end of the conversation.
      this.#range.toLatest();
    }
    this.#wasRunning = session.conversation.isRunning;
    if (!session.conversation.isRunning && lastRun(session.state)?.status !== 'running') {
      this.#ports.banners.hide(BUSY);
    }
    switch (change) {
      case 'reading':
        this.#reading.update();
        break;
      case 'progress':
        this.channel.changed('reply', ...(session.compactor.status?.kind === 'running' ? (['summary'] as const) : []));
        break;
      case 'call':
        this.channel.changed('reply', 'call');
        break;
      case 'state':
        this.channel.changed('chat');
        this.#ports.told.shows(session);
        break;
      case 'next':
        this.#preview = this.#previewOf(session);
        this.channel.changed('next');
        break;
      case 'sent':
        this.#showChangedInputs(session.next.changedInputs);
        break;
    }
  }

  #previewOf(session: ChatSession): Preview {
    const { shown } = session.next;
    try {
      if (shown === null || 'composed' in shown) {
        return shown === null ? NO_PREVIEW : previewOf(shown, session, this.#ports);
      }
      throw shown;
    } catch (thrown) {
      return { ...this.#preview, request: null, rows: null, managed: null, error: toLoupeError(thrown) };
    }
  }

  #showChangedInputs(names: readonly string[]): void {
    if (names.length > 0) {
      const more = names.length - MOST_NAMED;
      const named = `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
      const text = `After the preview, ${named} changed. Loupe sent the current content.`;
      this.#ports.banners.show({ id: INPUTS_CHANGED, severity: 'info', text, actions: [DISMISS] });
    }
  }

  /** Scrolls to the entry `#revealed`, but not before the webview is ready. */
  #reveal(): void {
    if (this.channel.isReady && this.#revealed !== null) {
      this.channel.delta();
      this.channel.tell({ type: 'reveal', ...this.#revealed });
      this.#revealed = null;
    }
  }

  #now(open: OpenSections): ChatNow | null {
    const session = this.#session;
    if (session === null) {
      return null;
    }
    const range = this.#range;
    let shown: ShownEntries | null = null;
    return {
      session,
      get shown() {
        return (shown ??= range.derive(session.state));
      },
      next: this.#preview,
      open,
    };
  }
}
