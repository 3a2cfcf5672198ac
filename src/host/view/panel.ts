import { lastRun } from '../../engine/chat/branch.js';
import type { ChatState } from '../../engine/chat/fold.js';
import { LoupeError, toLoupeError } from '../../engine/errors.js';
import type { PanelState } from '../../protocol/view.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { SessionChange } from '../chat/sessionLog.js';
import type { Chats } from '../chat/chats.js';
import type { Learned } from '../chat/learned.js';
import type { ModelRegistry } from '../models.js';
import { Banners } from './banners.js';
import type { Drafts } from './drafts.js';
import { EntryViews } from './entries.js';
import { BUSY, FAILURE, failureBanner } from './failureBanner.js';
import { OutputCounts } from './outputCounts.js';
import { draftView, modelLabel, panelState, type Glimpse } from './panelState.js';
import { type OpenParts, OpenRows } from './openRows.js';
import { NO_PREVIEW, Previews } from './previews.js';
import { ReadingNotice } from './readingNotice.js';
import { sessionBanners } from './sessionBanners.js';
import { ShownPart } from './shownPart.js';
import { ViewChannel, type ViewChannelPorts } from './viewChannel.js';

export interface PanelPorts extends Omit<ViewChannelPorts, 'state' | 'fail'> {
  readonly chats: Chats;
  readonly models: ModelRegistry;
  readonly drafts: Drafts;
  /** Remembers which chat is on show, for the next start. */
  remember(chatId: string): void;
}

/** One chat panel: which chat it shows, and what its webview is told of it. */
export class Panel {
  readonly banners = new Banners();
  readonly #ports: PanelPorts;
  readonly #channel: ViewChannel;
  readonly #rows = new OpenRows();
  readonly #part: ShownPart;
  readonly #previews: Previews;
  readonly #outputs: OutputCounts;
  readonly #reading: ReadingNotice;
  #session: ChatSession | null = null;
  #glimpse: Glimpse | null = null;
  /** The chat of which so much is being read as is to be shown; null for none. */
  #filling: ChatSession | null = null;
  /** The entry that is to be brought into sight once there is a webview. */
  #revealed: string | null = null;
  #unsubscribe: () => void = () => undefined;
  #wasRunning = false;
  #listed = false;
  /** How often the user asked in vain to save what waits in memory. */
  #vainTries = 0;

  constructor(ports: PanelPorts) {
    this.#ports = ports;
    const changed = (): void => {
      this.changed();
    };
    this.#channel = new ViewChannel({
      ...ports,
      state: () => this.#state(),
      fail: (error) => {
        this.fail(error);
      },
    });
    this.#part = new ShownPart(new EntryViews((attempt) => modelLabel(attempt.model, ports.models.list())));
    this.#previews = new Previews(changed);
    this.#reading = new ReadingNotice(changed);
    const calibration: Learned['calibration'] = (ref) => ports.chats.learned.calibration(ref);
    this.#outputs = new OutputCounts({ ...ports, calibration, changed });
    ports.chats.onChange({ changed });
  }

  get session(): ChatSession | null {
    return this.#session;
  }

  /** The chat on show, or the one whose end is; null for neither. */
  get shownId(): string | null {
    return this.#session?.id ?? this.#glimpse?.state.chatId ?? null;
  }

  /** Whether no other chat is on show, nor the end of one. */
  isFreeFor(chatId: string): boolean {
    return this.#session === null && (this.shownId === null || this.shownId === chatId);
  }

  /** Takes whatever a webview posted: what is not valid is logged and dropped. */
  receive(value: unknown): Promise<void> {
    return this.#channel.receive(value);
  }

  /** Shows a failure where the user is, and logs it. */
  fail(error: LoupeError): void {
    this.#ports.logError(error);
    if (error.kind === 'cancelled') {
      // The user did that, and knows.
      return;
    }
    this.banners.show(failureBanner(error));
    this.changed();
  }

  /** Saving was tried again and failed: the banner that offers it says so. */
  triedInVain(error: LoupeError): void {
    this.#ports.logError(error);
    this.#vainTries += 1;
    this.changed();
  }

  /** Reads a chat whole. What cannot be read is logged, and is missing from the conversation. Rejects with `cancelled`. */
  async readWhole({ history }: ChatSession): Promise<void> {
    try {
      await history.whole();
    } catch (thrown) {
      const error = toLoupeError(thrown);
      if (error.kind === 'cancelled') {
        throw error;
      }
      this.#ports.logError(error);
    }
  }

  /** Shows a chat. */
  show(session: ChatSession): void {
    this.#leave();
    this.#session = session;
    this.#glimpse = null;
    this.#revealed = null;
    this.#wasRunning = session.isRunning;
    this.#part.reset();
    this.#unsubscribe = session.onChange((change) => {
      this.#sessionChanged(session, change);
    });
    this.#reading.look(session.history);
    for (const id of [FAILURE, BUSY, 'chatCopied']) {
      this.banners.hide(id);
    }
    this.#vainTries = 0;
    this.#ports.remember(session.id);
    this.draftChanged();
    this.#channel.snapshot();
    void this.#fill();
  }

  /** Shows the end of a long chat while all of it is being read: `note` says so, in place of the composer. */
  glimpse(state: ChatState, note: string): void {
    this.#leave();
    this.#session = null;
    this.#glimpse = { state, isRunning: false, readOnly: note, faults: [] };
    this.#part.reset();
    this.#channel.snapshot();
  }

  /** Changes the note while it is the end of this chat that is on show. */
  annotate(chatId: string, note: string): void {
    if (this.#glimpse?.state.chatId === chatId) {
      this.#glimpse = { ...this.#glimpse, readOnly: note };
      this.changed();
    }
  }

  /** The chats have been read: from now on an empty list means that there are none. */
  listed(): void {
    this.#listed = true;
    this.changed();
  }

  /** These parts are open, and nothing else. */
  showRows(open: OpenParts): void {
    this.#rows.set(open);
    this.changed();
  }

  showEarlier(): void {
    this.#part.growEarlier();
    this.changed();
    void this.#fill();
  }

  showLater(): void {
    this.#part.growLater();
    this.changed();
    void this.#fill();
  }

  /** Goes back to the end of the conversation. */
  showLatest(): void {
    this.#part.toLatest();
    this.changed();
    void this.#fill();
  }

  /** The webview has (re)started. */
  ready(): void {
    this.#ports.drafts.webviewStarted();
    this.#channel.ready();
    this.#reveal();
  }

  resync(): void {
    this.#channel.snapshot();
  }

  /** The webview is gone until it is ready again. */
  hidden(): void {
    this.#channel.hidden();
  }

  focusComposer(): void {
    this.#channel.tell({ type: 'focusComposer' });
  }

  /**
   * Brings a message of the chat on show into sight, or the reply of an attempt that became none. Rejects with
   * `invalidInput` when an edit or a retry has set it aside.
   */
  async reveal(id: string): Promise<void> {
    const session = this.#session;
    if (session === null) {
      return;
    }
    await session.history.reachEntry(id);
    if (session !== this.#session) {
      // Another chat was asked for while this one was being read.
      return;
    }
    this.#revealed = this.#part.moveTo(session.state, id);
    if (this.#revealed === null) {
      throw new LoupeError(
        'invalidInput',
        'That message is not in the conversation any more: an edit, a retry or a clearing has set it aside.',
      );
    }
    this.#reveal();
    void this.#fill();
  }

  /** The draft or a file in the context has changed: the next request is another one. */
  draftChanged(): void {
    if (this.#session !== null) {
      const { id } = this.#session;
      this.#previews.schedule(this.#session, () => this.#ports.drafts.get(id));
    }
    this.changed();
  }

  /** Something on show may have changed: the webview hears of it within 33 ms. */
  changed(): void {
    this.#channel.changed();
  }

  dispose(): void {
    this.#leave();
    this.#previews.cancel();
    this.#channel.dispose();
  }

  /** The chat on show gives way. */
  #leave(): void {
    this.#unsubscribe();
    this.#reading.end();
  }

  #sessionChanged(session: ChatSession, change: SessionChange): void {
    if (session.storage.kind === 'saved') {
      this.#vainTries = 0;
    }
    if (session.isRunning && !this.#wasRunning) {
      // What was just sent is at the end.
      this.#part.toLatest();
    }
    this.#wasRunning = session.isRunning;
    if (!session.isRunning && lastRun(session.state)?.status !== 'running') {
      this.banners.hide(BUSY);
    }
    const isReading = session.history.reading !== null;
    if (change === 'reading') {
      this.#reading.look(session.history);
    }
    if (change === 'progress' || isReading) {
      // With each part that is read the next request would be composed anew, of all that was read.
      this.changed();
    } else {
      this.draftChanged();
    }
    if (change === 'state' && !session.history.isStuck) {
      void this.#fill();
    }
  }

  /** Has so much of the chat read as is to be shown. */
  async #fill(): Promise<void> {
    const session = this.#session;
    if (session === null || session === this.#filling) {
      return;
    }
    this.#filling = session;
    try {
      await session.history.until((state) => session !== this.#session || this.#part.isHere(state));
    } catch (thrown) {
      this.#failedToFill(session, toLoupeError(thrown));
    } finally {
      this.#filling = this.#filling === session ? null : this.#filling;
    }
  }

  #failedToFill(session: ChatSession, error: LoupeError): void {
    if (session === this.#session) {
      this.fail(error);
    } else {
      // It is not on show any more: the log tells.
      this.#ports.logError(error);
    }
  }

  /** A webview that is not there yet is told when it is. */
  #reveal(): void {
    if (this.#channel.isReady && this.#revealed !== null) {
      this.#channel.delta();
      this.#channel.tell({ type: 'reveal', entryId: this.#revealed });
      this.#revealed = null;
    }
  }

  #state(): PanelState {
    const { chats, models, drafts } = this.#ports;
    const session = this.#session;
    const shownChat = this.#glimpse ?? session;
    const next = session === null ? NO_PREVIEW : this.#previews.of(session.id);
    const draftError = session === null ? null : drafts.failure(session.id);
    const saving = { storage: session?.storage ?? null, draftError, vainTries: this.#vainTries, previewError: next.error };
    return panelState({
      chats: this.#listed ? chats.list() : null,
      session,
      glimpse: this.#glimpse,
      shown: shownChat === null ? null : this.#part.derive(shownChat.state),
      draft: draftView(session === null ? null : drafts.get(session.id)),
      next,
      rows: this.#rows,
      models: models.list(),
      learned: chats.learned,
      outputs: this.#outputs,
      banners: [...sessionBanners(saving), ...this.#reading.banners, ...this.banners.list()],
    });
  }
}
