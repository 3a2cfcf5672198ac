import type { ChatConfig } from '../../engine/chat/settings/config.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import { contextAdded } from '../../engine/chat/slices/context.js';
import type { NewEvent } from '../../engine/chat/slices/table.js';
import type { ChatState, WholeChat } from '../../engine/chat/state.js';
import { findMessage } from '../../engine/chat/branch.js';
import { newId } from '../../engine/chat/order/ids.js';
import { type ContextItemBase, type SessionContextItem, type StoredText, itemKey } from '../../engine/record/item.js';
import { failure } from '../../engine/errors.js';
import { manifestBase } from '../../engine/request/base.js';
import { SHUT_DOWN, STOP } from '../../engine/run/input.js';
import { storedText } from '../../engine/run/largeTexts.js';
import type { Blobs } from '../../storage/blobs.js';
import type { OpenedChat } from '../../storage/reading/chatLog.js';
import type { JournalState } from '../../storage/log/journal.js';
import type { BackgroundCount } from '../../engine/next/backgroundCount.js';
import { type RebuiltRequest, attemptOfReply, canRebuild } from '../request/rebuildRequest.js';
import { type Relayout, keepsLayout, relayoutOf } from '../../engine/next/relayout.js';
import type { ComposedRequest } from '../../engine/next/compose.js';
import type { RequestComposer } from '../request/compose/requestComposer.js';
import type { Behaviour } from './behaviours/behaviour.js';
import { type BehaviourChat, type Behaviours, behavioursOf, checkOf } from './behaviours/table.js';
import { ServerHold } from './runs/serverHold.js';
import { SpendGate, type Spending } from './spend/spendGate.js';
import { type ChatFault, type SessionChange, SessionLog, type SessionLogPorts } from './sessionLog.js';
import { ChatNext } from './chatNext.js';
import type { DraftToPreview } from './drafts.js';
import { type FollowerPorts, LogFollower, type ReadProgress } from './windows/logFollower.js';
import { SummaryRequests } from './summary/summaryRequests.js';
import { Conversation, type ConversationPorts } from './runs/conversation.js';
import type { RunPorts } from './runs/runDriver.js';
import { preparing, type RunGatePorts } from './runs/runGate.js';
import { MessageMarks } from './messageMarks.js';
import { ChatTools } from '../tools/chatTools.js';
import { type StartPorts, neededServers } from '../tools/neededServers.js';
import type { Toolbox } from '../tools/toolbox.js';
import { ToolAnswers } from './runs/toolAnswers.js';
import { toolResultText } from './toolResultText.js';

export interface SessionPorts extends Omit<SessionLogPorts, 'behaviours'>, RunPorts, Pick<BehaviourChat, 'learned'> {
  readonly toolbox: Toolbox;
  readonly catalog: StartPorts['catalog'];
  readonly store: FollowerPorts['store'] & BehaviourChat['store'];
  readonly claim: ConversationPorts['claim'];
  readonly summaryClaim: BehaviourChat['claim'];
  readonly blobs: Blobs;
  readonly requests: RequestComposer;
  readonly counting: BackgroundCount;
  readonly spending: Spending;
  /** Builds the request of an earlier attempt again. See `rebuildRequest`. */
  rebuild(state: ChatState, attempt: AttemptState): Promise<RebuiltRequest>;
}

/**
 * One open chat: its state and its operations. An operation that changes the chat throws `invalidInput` when the chat
 * is read-only. An operation that needs messages that are not loaded reads the whole chat first, and rejects as
 * `whole` does.
 */
export class ChatSession {
  readonly conversation: Conversation;
  readonly compactor: Behaviours['compactor'];
  readonly titler: Behaviours['titler'];
  readonly spending: SpendGate;
  readonly servers: ServerHold;
  readonly answers: ToolAnswers;
  readonly marks: MessageMarks;
  readonly next: ChatNext;
  readonly #log: SessionLog;
  readonly #follower: LogFollower;
  readonly #ports: SessionPorts;
  readonly #behaviours: readonly Behaviour[] = [];
  #failedRetries = 0;

  constructor(opened: OpenedChat, ports: SessionPorts) {
    const { requests, blobs, counting, journal } = ports;
    this.#ports = ports;
    this.#log = new SessionLog(opened, { ...ports, behaviours: () => this.#behaviours });
    const neededMessages = (): number => this.next.neededMessages;
    this.#follower = new LogFollower(this.#log, {
      store: ports.store,
      newId: () => newId(ports.clock, ports.random),
      wanted: neededMessages,
      logError: ports.logError.bind(ports),
    });
    this.marks = new MessageMarks({ log: this.#log, whole: this.whole.bind(this) });
    this.spending = new SpendGate({ ...ports, log: this.#log });
    this.servers = new ServerHold({ asks: ports.toolbox, log: this.#log });
    this.next = new ChatNext(this, { ...ports, log: this.#log });
    const gate: RunGatePorts = {
      state: () => this.state,
      next: this.next,
      requests,
      makeRoom: (signal) => this.compactor.makeRoom(signal),
      checkOf: (message) => checkOf(this.#behaviours, message),
      startServers: async (state, signal) =>
        this.servers.start(await neededServers(state, { ...ports, requests: requests.reader }), signal),
      maySpend: async (usd) => (await this.spending.objections({ usd })).length === 0,
      logRequests: (made) => behaviours.sideRequests.add(made),
      toolsOf: (offered) => new ChatTools({ ...ports, offered, state: () => this.state }),
    };
    const common = { ...ports, log: this.#log, follower: this.#follower, spending: this.spending };
    const isRunning = (): boolean => this.conversation.isRunning;
    const ofSummary = { requests: new SummaryRequests(requests, this.next), claim: ports.summaryClaim };
    const behaviours = behavioursOf({ ...common, ...ofSummary, composer: requests, isRunning, neededMessages });
    ({ compactor: this.compactor, titler: this.titler } = behaviours);
    this.#behaviours = Object.values(behaviours);
    this.conversation = new Conversation({
      ...common,
      requests: {
        preparing: (message, allowed) => preparing(message, allowed, gate),
        keepBlob: blobs.put.bind(blobs),
        sending: this.next.sending,
      },
      cancelSummary: () => this.compactor.stop(STOP),
      beforeRun: () => {
        counting.cancel();
        this.compactor.forgetCancelled();
        void behaviours.sideRequests.addCounts();
      },
      afterRun: () => {
        this.#behaviours.forEach((behaviour) => behaviour.turnEnded?.());
      },
    });
    this.answers = new ToolAnswers({ ...common, continueRun: this.conversation.continueRun.bind(this.conversation) });
    journal.onStateChange(({ kind }) => {
      this.#failedRetries = kind === 'saved' ? 0 : this.#failedRetries;
    });
    counting.onCounted(this.#log.changed.bind(this.#log, 'state'));
    this.#log.loaded();
  }

  get state(): ChatState {
    return this.#log.state;
  }

  get id(): string {
    return this.state.chatId;
  }

  get readOnly(): string | null {
    return this.#log.readOnly;
  }

  /** The damaged lines of the log, which were skipped. */
  get faults(): readonly ChatFault[] {
    return this.#log.faults;
  }

  /** Whether another window is answering, as far as this window has read, or this window has queued a message. */
  get waitsForOthers(): boolean {
    return this.#log.foreignRuns.length > 0 || this.conversation.isWaiting;
  }

  /** Whether all events of the chat are saved on disk, or why not. */
  get storage(): JournalState {
    return this.#ports.journal.state;
  }

  /** How far the whole chat has been read, or null when no caller waits for the whole chat. */
  get reading(): ReadProgress | null {
    return this.#follower.reading;
  }

  /** The number of failed attempts to save since the last successful save. */
  get failedRetries(): number {
    return this.#failedRetries;
  }

  /** Tries again to save the events that are only in memory. Rejects with `storage` when saving fails. */
  async retryStorage(): Promise<void> {
    try {
      await this.#ports.journal.retry();
    } catch (thrown) {
      this.#failedRetries += 1;
      this.#log.changed('state');
      throw thrown;
    }
  }

  /** Calls `listener` after each change of the state. Returns a function that removes the listener. */
  onChange(listener: (change: SessionChange) => void): () => void {
    return this.#log.onChange(listener);
  }

  /** Reads the whole chat. Rejects with `storage` when it cannot be read, or with `cancelled`. */
  whole(): Promise<WholeChat> {
    return this.#follower.whole();
  }

  /** Reads what other VS Code windows have written, then sends queued messages if no run is active. Logs failures. */
  async poll(): Promise<void> {
    await this.#follower.poll();
    this.conversation.sendNext();
  }

  /** Logs events that belong to no run. Resolves when the events are on disk. */
  record(drafts: readonly NewEvent[]): Promise<void> {
    return this.#log.record(drafts, 'durable');
  }

  /** Stores the text of an item that the caller then adds with `addContext`. */
  keepGiven(text: string): Promise<StoredText> {
    const ports = this.#ports;
    return storedText(text, { keepBlob: ports.blobs.put.bind(ports.blobs), reportError: ports.logError.bind(ports) });
  }

  async addContext(item: SessionContextItem): Promise<void> {
    this.#log.checkWritable();
    await this.record([{ type: 'context-added', item }]);
  }

  /**
   * Removes items. If sent content keeps its place (`keepsLayout`), a sent file stays in the prompt until the next
   * relayout, or until the user removes the file a second time.
   */
  async removeContext(...items: readonly ContextItemBase[]): Promise<void> {
    this.#log.checkWritable();
    const { config, leaving } = this.state;
    const sent = new Set(keepsLayout(config) ? manifestBase(this.state)?.content?.blocks.map(({ item }) => item) : []);
    const leavesOf = (item: ContextItemBase): 'now' | 'later' => {
      const key = itemKey(item);
      // Other items are removed at once: a note in the conversation revokes their text in the system prompt.
      return item.type === 'file' && sent.has(key) && !leaving.has(key) ? 'later' : 'now';
    };
    await this.record(items.map((item) => ({ type: 'context-removed', item, leaves: leavesOf(item) })));
  }

  /** Returns what `rebuildLayout` would change, or null for no change. Throws `invalidInput` unless `keepsLayout`. */
  async relayout(): Promise<Relayout | null> {
    this.#checkKeepsLayout();
    const now = await this.next.previewAs((state) => state, null);
    const anew = await this.next.previewAs((state) => ({ ...state, relayoutAsked: true }), null);
    return relayoutOf(now, anew, manifestBase(this.state)?.content?.blocks ?? []);
  }

  /** Builds the next request from scratch, without removed items. Throws `invalidInput` unless `keepsLayout`. */
  async rebuildLayout(): Promise<void> {
    this.#log.checkWritable();
    this.#checkKeepsLayout();
    await this.record([{ type: 'relayout-asked' }]);
  }

  #checkKeepsLayout(): void {
    if (!keepsLayout(this.state.config)) {
      throw failure('chat.layoutNotKept');
    }
  }

  /** Replaces the context of the chat with these items, in this order. */
  async putContext(items: readonly SessionContextItem[]): Promise<void> {
    this.#log.checkWritable();
    const removed = [...this.state.context.values()].map((item) => ({ type: 'context-removed', item, leaves: 'now' }) as const);
    await this.record([...removed, ...items.map(contextAdded)]);
  }

  async changeConfig(change: Partial<ChatConfig>): Promise<void> {
    this.#log.checkWritable();
    await this.record([{ type: 'config-changed', change }]);
  }

  async rename(title: string): Promise<void> {
    this.#log.checkWritable();
    if (title.trim() === '') {
      throw failure('chat.emptyTitle');
    }
    await this.record([{ type: 'title', title: title.trim(), by: 'user' }]);
  }

  /** Sets a fragment of the system prompt until the extension restarts. A null text removes the fragment. */
  setFragment(id: string, text: string | null): void {
    this.next.setFragment(id, text);
    this.#log.changed('state');
  }

  /** Returns the next request with this text in place of the draft's text. Rejects as `previewDraft` does. */
  preview(written: Pick<DraftToPreview, 'text' | 'editing'>): Promise<ComposedRequest> {
    return this.previewDraft({ ...written, images: [], messageId: null });
  }

  /** See `ChatNext.preview`. */
  previewDraft(draft: DraftToPreview): Promise<ComposedRequest> {
    return this.next.preview(draft);
  }

  /** Returns the request behind a reply. `id` is the id of the reply's message or of its attempt. */
  async request(id: string): Promise<{ readonly attempt: AttemptState; readonly rebuilt: RebuiltRequest }> {
    const state = canRebuild(this.state, id) ? this.state : await this.whole();
    const attempt = attemptOfReply(state, id);
    if (attempt === undefined) {
      throw failure('chat.noRequestRecord');
    }
    return { attempt, rebuilt: await this.#ports.rebuild(state, attempt) };
  }

  /** Returns the full result of a tool call, even when the panel cannot show all of it. */
  async resultText(messageId: string, callId: string): Promise<string> {
    const state = findMessage(this.state, messageId) === null ? await this.whole() : this.state;
    return toolResultText(state, { messageId, callId }, this.#ports.blobs);
  }

  /** Reads a stored blob, such as an image, by its SHA-256. Rejects with `storage` when missing or damaged. */
  blob(sha: string): Promise<Uint8Array> {
    return this.#ports.blobs.get(sha);
  }

  /** Stops the run and refuses new events, because a VS Code window deletes the chat. `reopen` undoes this. */
  async closeForDeletion(by: 'thisWindow' | 'anotherWindow'): Promise<void> {
    this.#log.deletedBy = by;
    await Promise.all([...this.#stopped(STOP), this.conversation.giveUp()]);
  }

  reopen(): void {
    this.#log.deletedBy = null;
  }

  async shutDown(): Promise<void> {
    await Promise.all([...this.#stopped(SHUT_DOWN), this.conversation.shutDown()]);
  }

  #stopped(reason: string): Promise<void>[] {
    return this.#behaviours.flatMap((behaviour) => behaviour.stop?.(reason) ?? []);
  }
}
