import { lastRun } from '../../../engine/chat/branch.js';
import type { Clock } from '../../../engine/ports.js';
import type { ChatConfig } from '../../../engine/chat/settings/config.js';
import { failure } from '../../../engine/errors.js';
import { PANEL_STATE, type PanelDelta, type PanelState } from '../../../protocol/panel/state.js';
import type { PanelNote } from '../../../protocol/panel/toWebview.js';
import type { ContextChip } from '../../../protocol/panel/chips.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { Chats } from '../../chat/chats.js';
import type { CatalogSource } from '../../context/catalog/workspaceCatalog.js';
import type { Drafts } from '../../chat/drafts.js';
import type { ReadProgress } from '../../chat/windows/logFollower.js';
import type { SessionChange } from '../../chat/sessionLog.js';
import { usedChats } from '../../chat/usedChats.js';
import type { ModelRegistry } from '../../models/registry.js';
import { type Banners, BUSY, FAILURE, mostUrgent } from '../../window/banners.js';
import type { OpenFileWatch } from '../../window/openFile.js';
import { ViewChannel } from '../../window/viewChannel.js';
import { NOT_ADDED } from '../../context/notAdded.js';
import { CONTEXT_REMOVED } from '../composer/contextRemovals.js';
import type { EditPreviews } from '../composer/editPreviews.js';
import { EntryViews } from '../conversation/entries.js';
import { EntryRows, NOTHING_OPEN, type OpenSections } from './openRows.js';
import { OpenProof, type OpenProofPorts } from '../manager/openProof.js';
import { OutputCounts } from '../conversation/outputCounts.js';
import type { Introduction } from './introduction.js';
import { ManagerRows } from '../manager/managerRows.js';
import { modelName } from './modelView.js';
import { draftView, panelState } from './panelState.js';
import { NO_PREVIEW, Previews, type PreviewPorts } from './previews.js';
import { ReadingNotice } from './readingNotice.js';
import { sessionBanners } from './sessionBanners.js';
import { ShownRange } from '../conversation/shownRange.js';
import { SpentInChat } from '../conversation/spentInChat.js';

export interface PanelPorts extends OpenProofPorts, Pick<PreviewPorts, 'observed' | 'shownServers'> {
  readonly id: string;
  readonly chats: Pick<Chats, 'list' | 'isUntouched' | 'isListed' | 'learned' | 'onChange'>;
  readonly models: Pick<ModelRegistry, 'list' | 'providers' | 'counter' | 'onChange'>;
  readonly catalog: Pick<CatalogSource, 'ofChat' | 'includesOf'>;
  readonly clock: Clock;
  readonly drafts: Pick<Drafts, 'get' | 'failure' | 'forgetEdits' | 'onChange'>;
  readonly banners: Pick<Banners, 'list' | 'hide' | 'onChange'>;
  readonly openFile: OpenFileWatch;
  readonly restoreOffer: (chatId: string) => PanelState['restoreOffer'];
  readonly edits: Pick<EditPreviews, 'derive'>;
  readonly introduction: Pick<Introduction, 'current' | 'messageSent' | 'onChange'>;
  readonly told: PanelCallbacks;
  /** Returns the text size in pixels, or null for VS Code's own. */
  readonly fontSize: () => number | null;
  readonly defaults: () => ChatConfig;
}

export interface PanelCallbacks {
  /** Called when its webview has started or restarted. */
  ready(): void;
  /** Called when the panel shows another chat, or its chat has changed. */
  shows(session: ChatSession): void;
  focusChanged(isFocused: boolean): void;
  /** Called when the next request of the visible chat was composed again. */
  nextRequest(chatId: string): void;
}

/** The id of the banner that says that a chat was copied. */
export const CHAT_COPIED = 'chatCopied';

/** The part of the page that gets the cursor. */
type TypingPlace = 'find' | 'focusComposer' | 'manage';

/** The chat panel. Derives the state of the visible chat and sends it to the webview. */
export class Panel {
  readonly channel: ViewChannel<PanelState, PanelDelta, OpenSections, PanelNote, never>;
  readonly #ports: PanelPorts;
  readonly #rows = new EntryRows();
  readonly #managers = new ManagerRows();
  readonly #proofs: OpenProof;
  readonly #range: ShownRange;
  readonly #previews: Previews;
  readonly #outputs: OutputCounts;
  readonly #spent = new SpentInChat();
  readonly #reading: ReadingNotice;
  readonly #endsOfListening: readonly (() => void)[];
  #session: ChatSession | null = null;
  /** The progress of opening the next chat, or null. */
  #opening: ReadProgress | null = null;
  /** The entry to scroll to when the webview is ready, with the searched text, or null. */
  #revealed: Omit<Extract<PanelNote, { readonly type: 'reveal' }>, 'type'> | null = null;
  #unsubscribe: () => void = () => undefined;
  #wasRunning = false;
  /** The part to focus when the webview is ready, or null. */
  #typesIn: TypingPlace | null = null;

  constructor(ports: PanelPorts) {
    const { chats, models, drafts, banners, openFile, introduction, told } = ports;
    this.#ports = ports;
    this.channel = new ViewChannel({ travels: PANEL_STATE, open: NOTHING_OPEN, state: this.#state.bind(this) });
    const changed = this.channel.changed.bind(this.channel);
    this.#range = new ShownRange(new EntryViews((attempt) => modelName(attempt.model, models.list())));
    this.#previews = new Previews(ports, (chatId) => {
      changed();
      told.nextRequest(chatId);
    });
    this.#proofs = new OpenProof(ports, changed);
    this.#reading = new ReadingNotice(() => this.#opening ?? this.#session?.reading ?? null, changed);
    this.#outputs = new OutputCounts({ models, calibration: (ref) => chats.learned.calibration(ref), changed });
    banners.onChange(changed);
    this.#endsOfListening = [
      chats.onChange({ changed }),
      introduction.onChange(changed),
      drafts.onChange((chatId, change) => {
        if (change === 'content' && chatId === this.#session?.id) {
          this.requestChanged();
        } else {
          changed();
        }
      }),
      // The model's context window affects the next request.
      models.onChange(this.requestChanged.bind(this)),
      openFile.onChange(changed),
    ];
  }

  get session(): ChatSession | null {
    return this.#session;
  }

  /** Returns the chips of a chat's items, one per item; empty before its next request was composed. */
  chips(chatId: string): readonly ContextChip[] {
    return this.#previews.of(chatId).chips;
  }

  show(session: ChatSession): void {
    this.#leave();
    this.#session = session;
    this.#revealed = null;
    this.#wasRunning = session.conversation.isRunning;
    this.#range.reset();
    this.#unsubscribe = session.onChange((change) => {
      this.#sessionChanged(session, change);
    });
    this.#reading.update();
    this.#ports.told.shows(session);
    this.#spent.changed();
    for (const id of [FAILURE, BUSY, CHAT_COPIED, CONTEXT_REMOVED, NOT_ADDED]) {
      this.#ports.banners.hide(id);
    }
    this.requestChanged();
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
    this.#range.growEarlier();
    this.channel.changed();
    if (this.#session !== null && !this.#range.isHere(this.#session.state)) {
      await this.#session.whole();
    }
  }

  showLater(): void {
    this.#range.growLater();
    this.channel.changed();
  }

  /** Returns to the end of the conversation. */
  showLatest(): void {
    this.#range.toLatest();
    this.channel.changed();
  }

  /** Call this when the webview has started or restarted. */
  ready(): void {
    this.#ports.drafts.forgetEdits(this.#ports.id);
    this.channel.ready();
    this.#ports.told.ready();
    this.#reveal();
    if (this.#typesIn !== null) {
      this.#typeIn(this.#typesIn);
    }
  }

  /** Opens the search in the visible chat. */
  find(): void {
    this.#typeIn('find');
  }

  /** Opens the context pane of the visible chat. */
  manage(): void {
    this.#typeIn('manage');
  }

  /** Call this when the webview is hidden or closed. It stays so until `ready`. */
  hidden(): void {
    this.channel.hidden();
    this.focusChanged(false);
  }

  focusChanged(isFocused: boolean): void {
    this.#ports.told.focusChanged(isFocused);
  }

  focusComposer(): void {
    this.#typeIn('focusComposer');
  }

  /** Focuses now, or when the webview is ready. */
  #typeIn(type: TypingPlace): void {
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
      // The user went to another chat during the reading.
      return;
    }
    const entryId = here ?? this.#range.moveTo(state, id);
    if (entryId === null) {
      throw failure('chat.messageSetAside');
    }
    this.#revealed = { entryId, text };
    this.channel.changed();
    this.#reveal();
  }

  /** Call this when the draft, a model or a file in the context has changed, which changes the next request. */
  requestChanged(): void {
    if (this.#session !== null) {
      const { id } = this.#session;
      this.#previews.schedule(this.#session, () => this.#ports.drafts.get(id));
    }
    this.channel.changed();
  }

  dispose(): void {
    // Work that is still running must not post to a closed webview.
    this.channel.hidden();
    this.#leave();
    this.#ports.drafts.forgetEdits(this.#ports.id);
    for (const end of this.#endsOfListening) {
      end();
    }
    this.#previews.cancel();
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
      // The new message is at the end.
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
        this.channel.changed();
        break;
      case 'state':
        this.#spent.changed();
        this.#ports.told.shows(session);
        this.requestChanged();
        break;
    }
  }

  /** Waits until the webview is ready. */
  #reveal(): void {
    if (this.channel.isReady && this.#revealed !== null) {
      this.channel.delta();
      this.channel.tell({ type: 'reveal', ...this.#revealed });
      this.#revealed = null;
    }
  }

  #state(open: OpenSections): PanelState {
    const { chats, models, drafts, banners, openFile, introduction } = this.#ports;
    const session = this.#session;
    const next = session === null ? NO_PREVIEW : this.#previews.of(session.id);
    const draftError = session === null ? null : drafts.failure(session.id);
    return panelState({
      chats: chats.isListed ? usedChats(this.#ports, session) : null,
      session,
      shown: session === null ? null : this.#range.derive(session.state),
      draft: draftView(session === null ? null : drafts.get(session.id), this.#ports.id),
      next,
      open,
      rows: this.#rows,
      managers: this.#managers,
      proofs: this.#proofs,
      providers: models.providers(),
      learned: chats.learned,
      outputs: this.#outputs,
      serverQuestion: this.#ports.shownServers.startQuestion(),
      restoreOffer: this.#ports.restoreOffer,
      edits: this.#ports.edits,
      hasFolder: openFile.hasFolder(),
      defaults: this.#ports.defaults(),
      fontSize: this.#ports.fontSize(),
      spent: this.#spent,
      openFile: openFile.current(),
      introduction: introduction.current(),
      banners: mostUrgent([
        ...sessionBanners({ session, draftError, previewError: next.error }),
        ...this.#reading.banners,
        ...banners.list(),
      ]),
    });
  }
}
