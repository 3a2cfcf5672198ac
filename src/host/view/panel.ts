import { lastRun } from '../../engine/chat/branch.js';
import { failure, toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { PanelState } from '../../protocol/view.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { Reading } from '../chat/follower.js';
import type { SessionChange } from '../chat/sessionLog.js';
import type { Chats } from '../chat/chats.js';
import type { Learned } from '../chat/learned.js';
import type { ModelRegistry } from '../models.js';
import { Banners, BUSY, FAILURE, failureBanner } from './banners.js';
import type { Drafts } from './drafts.js';
import { EntryViews } from './entries.js';
import { OutputCounts } from './outputCounts.js';
import { draftView, modelLabel, panelState } from './panelState.js';
import { Previews, NO_PREVIEW } from './previews.js';
import { type OpenParts, OpenRows } from './openRows.js';
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
  /** The chat that is being opened in place of the one on show; null for none. */
  #opening: Reading | null = null;
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
    this.#reading = new ReadingNotice(() => this.#opening ?? this.#session?.reading ?? null, changed);
    const calibration: Learned['calibration'] = (ref) => ports.chats.learned.calibration(ref);
    this.#outputs = new OutputCounts({ ...ports, calibration, changed });
    ports.chats.onChange({ changed });
  }

  get session(): ChatSession | null {
    return this.#session;
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
  async readWhole(session: ChatSession): Promise<void> {
    try {
      await session.whole();
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
    this.#revealed = null;
    this.#wasRunning = session.conversation.isRunning;
    this.#part.reset();
    this.#unsubscribe = session.onChange((change) => {
      this.#sessionChanged(session, change);
    });
    this.#reading.look();
    for (const id of [FAILURE, BUSY, 'chatCopied']) {
      this.banners.hide(id);
    }
    this.#vainTries = 0;
    this.#ports.remember(session.id);
    this.draftChanged();
    this.#channel.snapshot();
  }

  /** A chat is being opened and may take its time; null when it is there, or is not waited for any more. */
  opening(reading: Reading | null): void {
    this.#opening = reading;
    this.#reading.look();
  }

  /** The user does not want to wait for what is being read. */
  stopReading(): void {
    (this.#opening ?? this.#session?.reading)?.cancel();
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

  /** Rejects as `ChatSession.whole` does. */
  async showEarlier(): Promise<void> {
    this.#part.growEarlier();
    this.changed();
    if (this.#session !== null && !this.#part.isHere(this.#session.state)) {
      await this.#session.whole();
    }
  }

  showLater(): void {
    this.#part.growLater();
    this.changed();
  }

  /** Goes back to the end of the conversation. */
  showLatest(): void {
    this.#part.toLatest();
    this.changed();
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
    const here = this.#part.moveTo(session.state, id);
    const state = here === null ? await session.whole() : session.state;
    if (session !== this.#session) {
      // Another chat was asked for while this one was being read.
      return;
    }
    this.#revealed = here ?? this.#part.moveTo(state, id);
    if (this.#revealed === null) {
      throw failure('chat.messageSetAside');
    }
    this.changed();
    this.#reveal();
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
    if (session.conversation.isRunning && !this.#wasRunning) {
      // What was just sent is at the end.
      this.#part.toLatest();
    }
    this.#wasRunning = session.conversation.isRunning;
    if (!session.conversation.isRunning && lastRun(session.state)?.status !== 'running') {
      this.banners.hide(BUSY);
    }
    switch (change) {
      case 'reading':
        this.#reading.look();
        break;
      case 'progress':
        this.changed();
        break;
      case 'state':
        this.draftChanged();
        break;
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
    const next = session === null ? NO_PREVIEW : this.#previews.of(session.id);
    const draftError = session === null ? null : drafts.failure(session.id);
    const saving = { storage: session?.storage ?? null, draftError, vainTries: this.#vainTries, previewError: next.error };
    return panelState({
      chats: this.#listed ? chats.list() : null,
      session,
      shown: session === null ? null : this.#part.derive(session.state),
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
