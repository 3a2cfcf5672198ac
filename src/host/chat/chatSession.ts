import type { ChatConfig } from '../../engine/chat/config.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { EventDraft } from '../../engine/chat/slices/table.js';
import type { ChatState, WholeChat } from '../../engine/chat/state.js';
import {
  canContinue,
  findMessage,
  findUserMessage,
  isPreceded,
  isUnsentAndOvertaken,
  lastRun,
  messageBefore,
  stateBefore,
} from '../../engine/chat/branch.js';
import { newId } from '../../engine/chat/ids.js';
import type { UserMessage } from '../../engine/chat/message.js';
import type { StoredText } from '../../engine/chat/storedText.js';
import type { ContextItemBase, SessionContextItem } from '../../engine/context/item.js';
import { failure, toLoupeError } from '../../engine/errors.js';
import { SHUT_DOWN, STOP } from '../../engine/run/input.js';
import type { Journal, JournalState } from '../../storage/journal.js';
import type { BackgroundCount } from './backgroundCount.js';
import { attemptBehind, canRebuild, type Composed, type Rebuilt, type Requests } from './requests.js';
import type { ChatFault } from './faultTexts.js';
import { restoreDrafts, rewindDrafts } from './rewindDrafts.js';
import { SessionLog, type SessionChange, type SessionLogParts, type SessionLogPorts } from './sessionLog.js';
import type { Draft } from '../view/drafts.js';
import { Follower, type FollowerPorts, type Reading } from './follower.js';
import { NextRequest, type StateView } from './nextRequest.js';
import { MessageQueue } from './messageQueue.js';
import { RunDriver, type RunBeginning, type RunDriverParts, type RunPorts } from './runDriver.js';

export type SessionPorts = SessionLogPorts & RunPorts;

export interface SessionParts extends SessionLogParts {
  readonly store: FollowerPorts['store'];
  readonly claim: RunDriverParts['claim'];
  readonly requests: Requests;
  readonly counting: BackgroundCount;
}

/** What would be sent: an empty `text` for no message, `editing` null for a new one. */
export type DraftToPreview = Pick<Draft, 'text' | 'editing'>;

/**
 * One open chat: its state and the operations on it. Chats share nothing; each is driven by its own session. Operations
 * that change something throw `invalidInput` when the chat is read-only or, where that matters, while a run is going on.
 * Those that need more of a chat than its end read it whole, and reject as `whole` does.
 */
export class ChatSession {
  readonly #log: SessionLog;
  readonly #follower: Follower;
  readonly #runs: RunDriver;
  readonly #queue: MessageQueue;
  readonly #journal: Journal;
  readonly #counting: BackgroundCount;
  readonly #requests: Requests;
  readonly #ports: SessionPorts;
  readonly #next: NextRequest;
  #isDeleted = false;

  constructor({ store, claim, requests, counting, ...parts }: SessionParts, ports: SessionPorts) {
    this.#ports = ports;
    this.#log = new SessionLog(parts, ports);
    this.#follower = new Follower(this.#log, {
      store,
      newId: this.#newId.bind(this),
      wanted: () => this.#next.neededMessages,
      logError: ports.logError.bind(ports),
    });
    this.#next = new NextRequest(this, requests);
    // What the run has produced is in the state already: each step is folded before the next is asked for.
    const prepare = async (attemptId: string): ReturnType<Requests['prepare']> =>
      requests.prepare(await this.#next.compose(asItIs, []), this.state, attemptId);
    const runRequests = { prepare, keepBlob: requests.keepBlob.bind(requests) };
    this.#runs = new RunDriver({ log: this.#log, claim, look: this.#follower.look.bind(this.#follower), requests: runRequests }, ports);
    this.#queue = new MessageQueue({ log: this.#log, run: this.#run.bind(this), isIdle: () => this.#isWritable && this.#runs.isIdle });
    this.#journal = parts.journal;
    this.#requests = requests;
    this.#counting = counting;
    this.#counting.onCounted(() => {
      this.#log.changed('state');
    });
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

  /** What is damaged in the log: it was skipped. */
  get faults(): readonly ChatFault[] {
    return this.#log.faults;
  }

  get isRunning(): boolean {
    return this.#runs.isRunning;
  }

  /** Whether another window is answering in the chat, as far as it was read, or a message waits until none is. */
  get waitsForOthers(): boolean {
    return this.#log.foreignRuns.length > 0 || this.#queue.isWaiting;
  }

  /** Whether everything is on the disk, and if not, why. */
  get storage(): JournalState {
    return this.#journal.state;
  }

  /** The reading of the whole chat that somebody waits for; null for none. */
  get reading(): Reading | null {
    return this.#follower.reading;
  }

  /** See `NextRequest`. */
  get neededMessages(): number {
    return this.#next.neededMessages;
  }

  /** Tries again to save what waits in memory; rejects with `storage` when that fails. */
  async retryStorage(): Promise<void> {
    await this.#journal.retry();
  }

  /** Calls `listener` after each change of the state; returns what ends that. */
  onChange(listener: (change: SessionChange) => void): () => void {
    return this.#log.onChange(listener);
  }

  /** All of the chat. Rejects with `storage` when it cannot be read, and with `cancelled`. */
  whole(): Promise<WholeChat> {
    return this.#follower.whole();
  }

  /** Takes in what other windows have written, and sends what has waited for them; a failure is logged. */
  async look(): Promise<void> {
    await this.#follower.look();
    this.#queue.sendNext().catch((thrown: unknown) => {
      this.#ports.logError(toLoupeError(thrown));
    });
  }

  /**
   * Sends a message: at once, or when the window that is answering now has answered. Resolves when its run has ended,
   * however it ended, or when it was taken back before.
   */
  async send(text: string): Promise<void> {
    this.checkFree();
    const userMessage = this.#writtenMessage(text);
    const hasRun = !this.#queue.isWaiting && (await this.#run(() => ({ cause: 'message', userMessage, before: [] })));
    if (!hasRun) {
      await this.#queue.put(userMessage);
    }
  }

  /** Sends a message that waits; resolves as `send` does. */
  async sendQueued(messageId: string): Promise<void> {
    this.checkIdle();
    await this.#queue.send(messageId);
  }

  /** Takes a message that waits out of the queue and returns its text. */
  async takeBack(messageId: string): Promise<string> {
    this.#checkWritable();
    return this.#queue.takeBack(messageId);
  }

  /** Replaces a user message and sets aside what followed it. */
  async edit(messageId: string, text: string): Promise<void> {
    await this.reachMessage(messageId);
    this.checkIdle();
    const message = this.#writtenMessage(text);
    await this.#answer(() => {
      const to = messageBefore(this.state, findUserMessage(this.state, messageId));
      return { cause: 'message', userMessage: message, before: rewindDrafts(this.state, 'edited', to, this.#newId.bind(this)) };
    });
  }

  /**
   * Answers a user message anew; what followed it is set aside. An unsent message with later ones after it is
   * sent again at the end instead, so that nothing has to be set aside.
   */
  async retry(messageId: string): Promise<void> {
    await this.reachMessage(messageId);
    this.checkIdle();
    await this.#answer(() => {
      const userMessage = findUserMessage(this.state, messageId);
      return isUnsentAndOvertaken(this.state, messageId)
        ? { cause: 'message', userMessage: { ...userMessage, id: this.#newId() }, before: [] }
        : { cause: 'retry', userMessage, before: rewindDrafts(this.state, 'retried', messageId, this.#newId.bind(this)) };
    });
  }

  /** Goes on after a run that failed or was interrupted with tools done. */
  async continueRun(): Promise<void> {
    this.checkIdle();
    const last = lastRun(this.state);
    if (last === undefined || last.userMessageId === null || !canContinue(last)) {
      throw failure('chat.nothingToContinue');
    }
    await this.reachMessage(last.userMessageId);
    this.checkIdle();
    const userMessage = findUserMessage(this.state, last.userMessageId);
    await this.#answer(() => ({ cause: 'continue', userMessage, before: [] }));
  }

  /** Returns to the branch that an edit or a retry left. */
  async bringBack(rewindId: string): Promise<void> {
    const { rewinds } = this.state.rewinds.has(rewindId) ? this.state : await this.whole();
    this.checkIdle();
    const branch = rewinds.get(rewindId);
    if (branch === undefined) {
      throw failure('chat.branchGone');
    }
    await this.record(restoreDrafts(this.state, rewindId, branch, this.#newId.bind(this)));
  }

  /** Has message `id` and the one before it in memory, if the branch has them. */
  async reachMessage(id: string): Promise<void> {
    if (!isPreceded(this.state, id)) {
      await this.whole();
    }
  }

  /** Logs what belongs to no run, and waits for the disk. */
  record(drafts: readonly EventDraft[]): Promise<void> {
    return this.#log.record(drafts, 'durable');
  }

  /** Keeps a text that is given with an item of the context, for `addContext`. */
  keepGiven(text: string): Promise<StoredText> {
    return this.#requests.keepGiven(text);
  }

  async addContext(item: SessionContextItem): Promise<void> {
    this.#checkWritable();
    await this.record([{ type: 'context-added', item }]);
  }

  async removeContext(item: ContextItemBase): Promise<void> {
    this.#checkWritable();
    await this.record([{ type: 'context-removed', item, leaves: 'now' }]);
  }

  async changeConfig(change: Partial<ChatConfig>): Promise<void> {
    this.#checkWritable();
    await this.record([{ type: 'config-changed', change }]);
  }

  async rename(title: string): Promise<void> {
    this.#checkWritable();
    if (title.trim() === '') {
      throw failure('chat.emptyTitle');
    }
    await this.record([{ type: 'title', title: title.trim(), by: 'user' }]);
  }

  /** Sets a fragment of the system prompt for this activation; null removes it. */
  setFragment(id: string, text: string | null): void {
    this.#next.setFragment(id, text);
    this.#log.changed('state');
  }

  /** The next request with `text` as its message, in place of message `editing` and of what follows it. */
  async preview({ text, editing }: DraftToPreview): Promise<Composed> {
    if (editing !== null) {
      await this.reachMessage(editing);
    }
    const view: StateView = editing === null ? asItIs : (state) => stateBefore(state, editing);
    const more = text.trim() === '' ? [] : [this.#userMessage('draft', text)];
    const composed = await this.#next.preview(view, more);
    // While a reply is on its way the next request is not known, and it brings the provider's figures itself.
    this.#counting.want(this.isRunning || this.#isDeleted || composed.isPartial ? null : composed.countable);
    return composed;
  }

  /** The request behind a reply, by the id of its message or of its attempt. */
  async request(id: string): Promise<{ readonly attempt: AttemptState; readonly rebuilt: Rebuilt }> {
    const state = canRebuild(this.state, id) ? this.state : await this.whole();
    const attempt = attemptBehind(state, id);
    if (attempt === undefined) {
      throw failure('chat.noRequestRecord');
    }
    return { attempt, rebuilt: await this.#requests.rebuild(state, attempt) };
  }

  /** All that a tool answered, also what is too large to be shown. */
  async resultText(messageId: string, callId: string): Promise<string> {
    const state = findMessage(this.state, messageId) === null ? await this.whole() : this.state;
    return this.#requests.resultText(state, messageId, callId);
  }

  /** Saved content of the chat by its SHA-256, such as an image. Rejects with `storage` when it is missing or damaged. */
  blob(sha: string): Promise<Uint8Array> {
    return this.#requests.blob(sha);
  }

  /** Stops the run; resolves when it has ended. Without one it does nothing. */
  async stop(): Promise<void> {
    await this.#runs.stop(STOP);
  }

  /** Stops the run and takes nothing more, because the chat is being deleted; `reopen` takes that back. */
  async closeForDeletion(): Promise<void> {
    this.#isDeleted = true;
    this.#counting.cancel();
    await this.#runs.stop(STOP);
  }

  reopen(): void {
    this.#isDeleted = false;
  }

  /** Ends the run as interrupted, because the window closes. */
  async shutDown(): Promise<void> {
    this.#counting.close();
    await this.#runs.stop(SHUT_DOWN);
  }

  /** Throws `invalidInput` when no run can start now. */
  checkIdle(): void {
    this.#checkWritable();
    this.#runs.checkIdle();
  }

  /** Throws `invalidInput` when no message can be sent, not even later. */
  checkFree(): void {
    this.#checkWritable();
    this.#runs.checkIdleHere();
  }

  /** Rejects with `invalidInput` when another window has begun to answer at the same instant. */
  async #answer(begin: () => RunBeginning): Promise<void> {
    if (!(await this.#run(begin))) {
      throw failure('chat.busyElsewhere');
    }
  }

  async #run(begin: () => RunBeginning | null): Promise<boolean> {
    this.#counting.cancel();
    return this.#runs.run(begin);
  }

  #writtenMessage(text: string): UserMessage {
    if (text.trim() === '') {
      throw failure('chat.emptyMessage');
    }
    return this.#userMessage(this.#newId(), text);
  }

  #userMessage(id: string, text: string): UserMessage {
    return { role: 'user', id, parts: [{ type: 'text', text }], author: null };
  }

  #newId(): string {
    return newId(this.#ports.clock, this.#ports.random);
  }

  get #isWritable(): boolean {
    return !this.#isDeleted && this.readOnly === null;
  }

  #checkWritable(): void {
    if (this.#isDeleted) {
      throw failure('chat.deleted');
    }
    if (this.readOnly !== null) {
      throw failure('chat.readOnly', { reason: this.readOnly });
    }
  }
}

function asItIs(state: ChatState): ChatState {
  return state;
}
