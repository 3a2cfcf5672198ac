import type { ChatConfig } from '../../engine/chat/config.js';
import type { EventDraft, RunCause } from '../../engine/chat/event.js';
import type { AttemptState, ChatState } from '../../engine/chat/fold.js';
import { newId } from '../../engine/chat/ids.js';
import { breakdown, interruption } from '../../engine/chat/interruption.js';
import type { RewindReason, UserMessage } from '../../engine/chat/message.js';
import type { ContextItemBase, GivenContent, SessionContextItem } from '../../engine/context/item.js';
import { LoupeError, toLoupeError } from '../../engine/errors.js';
import type { RandomHex, ToolExecutor } from '../../engine/ports.js';
import { SHUT_DOWN, STOP, type RunInput } from '../../engine/run/input.js';
import { run } from '../../engine/run/run.js';
import type { Journal, JournalState } from '../../storage/journal.js';
import { canContinue, findUserMessage, isUnsentAndOvertaken, lastRun, messageBefore, stateBefore } from '../../engine/chat/branch.js';
import type { BackgroundCount } from './backgroundCount.js';
import { BUSY } from './busy.js';
import { attemptBehind, canRebuild, type Composed, type Rebuilt, type Requests } from './requests.js';
import { composeEnd } from './composeEnd.js';
import { faultTexts, type ChatFault } from './faultTexts.js';
import { FragmentTexts } from './fragmentTexts.js';
import { History, type ReadEarlier } from './history.js';
import { restoreDrafts, rewindDrafts } from './rewindDrafts.js';
import { runFailures } from './runFailures.js';
import { SessionLog, type LogStart, type SessionChange, type SessionLogParts, type SessionLogPorts } from './sessionLog.js';
import type { Draft } from '../view/drafts.js';

export interface SessionPorts extends SessionLogPorts {
  readonly random: RandomHex;
  readonly tools: ToolExecutor;
}

export interface SessionParts extends SessionLogParts {
  readonly requests: Requests;
  readonly counting: BackgroundCount;
  /** Why nothing can be written; null when it can. */
  readonly readOnly: string | null;
  readonly faults: readonly ChatFault[];
  readonly readEarlier: ReadEarlier;
}

/** A log as it was read from the disk. */
export type LogRead = LogStart & Pick<SessionParts, 'readOnly' | 'faults'>;

/** What would be sent: an empty `text` for no message, `editing` null for a new one. */
export type DraftToPreview = Pick<Draft, 'text' | 'editing'>;

type RunBase = Pick<RunInput, 'runId' | 'cause' | 'userMessage' | 'signal'>;

/**
 * One open chat: its state, the operations on it, and its run. Chats share nothing; each is driven by its own
 * session. Operations that change something throw `invalidInput` when the chat is read-only or, where that
 * matters, while a run is going on.
 */
export class ChatSession {
  #faults: readonly ChatFault[];
  #readOnly: string | null;
  /** More of the chat, when its end is not enough. */
  readonly history: History;
  readonly #log: SessionLog;
  readonly #journal: Journal;
  readonly #counting: BackgroundCount;
  readonly #requests: Requests;
  readonly #ports: SessionPorts;
  readonly #fragments = new FragmentTexts();
  #isDeleted = false;
  #running: { readonly abort: AbortController; readonly done: Promise<void> } | null = null;

  constructor(parts: SessionParts, ports: SessionPorts) {
    this.#readOnly = parts.readOnly;
    this.#faults = parts.faults;
    this.#log = new SessionLog(parts, ports);
    const read: ReadEarlier = async (before, wanted) => {
      const part = await parts.readEarlier(before, wanted);
      // A part that is not taken, because the log was read anew meanwhile, is read once more and tells again.
      if (this.#log.start === before) {
        this.#faults = [...this.#faults, ...faultTexts(part.faults)];
      }
      return part;
    };
    this.history = new History(this.#log, { read, readingChanged: this.#log.changed.bind(this.#log, 'reading'), lost: parts.outOfOrder });
    this.#journal = parts.journal;
    this.#requests = parts.requests;
    this.#ports = ports;
    this.#counting = parts.counting;
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
    return this.#readOnly;
  }

  /** What is damaged in the log: it was skipped. */
  get faults(): readonly ChatFault[] {
    return this.#faults;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Whether everything is on the disk, and if not, why. */
  get storage(): JournalState {
    return this.#journal.state;
  }

  /** Tries again to save what waits in memory; rejects with `storage` when that fails. */
  async retryStorage(): Promise<void> {
    await this.#journal.retry();
  }

  /** Calls `listener` after each change of the state; returns what ends that. */
  onChange(listener: (change: SessionChange) => void): () => void {
    return this.#log.onChange(listener);
  }

  /** Sends a message; resolves when its run has ended, however it ended. */
  async send(text: string): Promise<void> {
    this.checkIdle();
    if (text.trim() === '') {
      throw new LoupeError('invalidInput', 'The message is empty.');
    }
    await this.#run('message', this.#userMessage(this.#newId(), text), []);
  }

  /** Replaces a user message and sets aside what followed it. */
  async edit(messageId: string, text: string): Promise<void> {
    await this.history.reachMessage(messageId);
    this.checkIdle();
    if (text.trim() === '') {
      throw new LoupeError('invalidInput', 'The message is empty.');
    }
    const to = messageBefore(this.state, findUserMessage(this.state, messageId));
    await this.#run('message', this.#userMessage(this.#newId(), text), this.#rewind('edited', to));
  }

  /**
   * Answers a user message anew; what followed it is set aside. An unsent message with later ones after it is
   * sent again at the end instead, so that nothing has to be set aside.
   */
  async retry(messageId: string): Promise<void> {
    await this.history.reachMessage(messageId);
    this.checkIdle();
    const message = findUserMessage(this.state, messageId);
    if (isUnsentAndOvertaken(this.state, messageId)) {
      await this.#run('message', { ...message, id: this.#newId() }, []);
      return;
    }
    await this.#run('retry', message, this.#rewind('retried', messageId));
  }

  /** Goes on after a run that failed or was interrupted with tools done. */
  async continueRun(): Promise<void> {
    this.checkIdle();
    const last = lastRun(this.state);
    if (last === undefined || !canContinue(last)) {
      throw new LoupeError('invalidInput', 'There is nothing to continue.');
    }
    await this.#run('continue', findUserMessage(this.state, last.userMessageId), []);
  }

  /** Returns to the branch that an edit, a retry or a clearing left. */
  async bringBack(rewindId: string): Promise<void> {
    await this.history.until(({ rewinds }) => rewinds.has(rewindId));
    this.checkIdle();
    const branch = this.state.rewinds.get(rewindId);
    if (branch === undefined) {
      throw new LoupeError('invalidInput', 'That part of the chat is not there any more.');
    }
    await this.record(restoreDrafts(this.state, rewindId, branch, this.#newId.bind(this)));
  }

  /** Sets the whole conversation aside; the context and the settings stay. */
  async clear(): Promise<void> {
    await this.history.whole();
    this.checkIdle();
    await this.record(this.#rewind('cleared', null));
  }

  /** Logs what belongs to no run, and waits for the disk. */
  record(drafts: readonly EventDraft[]): Promise<void> {
    return this.#log.record(drafts, 'durable');
  }

  /** Keeps a text that is given with an item of the context, for `addContext`. */
  keepGiven(text: string): Promise<GivenContent> {
    return this.#requests.keepGiven(text);
  }

  async addContext(item: SessionContextItem): Promise<void> {
    this.#checkWritable();
    await this.record([{ type: 'context-added', item }]);
  }

  async removeContext(item: ContextItemBase): Promise<void> {
    this.#checkWritable();
    await this.record([{ type: 'context-removed', item }]);
  }

  async changeConfig(change: Partial<ChatConfig>): Promise<void> {
    this.#checkWritable();
    await this.record([{ type: 'config-changed', change }]);
  }

  async rename(title: string): Promise<void> {
    this.#checkWritable();
    if (title.trim() === '') {
      throw new LoupeError('invalidInput', 'The title is empty.');
    }
    await this.record([{ type: 'title', title: title.trim(), by: 'user' }]);
  }

  /** Sets a fragment of the system prompt for this activation; null removes it. */
  setFragment(id: string, text: string | null): void {
    this.#fragments.set(id, text);
    this.#log.changed('state');
  }

  /** The next request with `text` as its message, in place of message `editing` and of what follows it. */
  async preview({ text, editing }: DraftToPreview): Promise<Composed> {
    if (editing !== null) {
      await this.history.reachMessage(editing);
    }
    const view = (state: ChatState): ChatState => (editing === null ? state : stateBefore(state, editing));
    const more = text.trim() === '' ? [] : [this.#userMessage('draft', text)];
    const composed = await this.#compose(view, more);
    // While a reply is on its way the next request is not known, and it brings the provider's figures itself.
    this.#counting.want(this.isRunning || this.#isDeleted || composed.isPartial ? null : composed.countable);
    return composed;
  }

  /** The request behind a reply, by the id of its message or of its attempt. */
  async request(id: string): Promise<{ readonly attempt: AttemptState; readonly rebuilt: Rebuilt }> {
    await this.history.until((state) => canRebuild(state, id));
    const attempt = attemptBehind(this.state, id);
    if (attempt === undefined) {
      throw new LoupeError('invalidInput', 'No context data available: that message has no record of a request.');
    }
    return { attempt, rebuilt: await this.#requests.rebuild(this.state, attempt) };
  }

  /** All that a tool answered, also what is too large to be shown. */
  async resultText(messageId: string, callId: string): Promise<string> {
    await this.history.reachEntry(messageId);
    return this.#requests.resultText(this.state, messageId, callId);
  }

  /** Stops the run; resolves when it has ended. Without one it does nothing. */
  async stop(): Promise<void> {
    await this.#abort(STOP);
  }

  /** Stops the run and takes nothing more, because the chat is being deleted; `reopen` takes that back. */
  async closeForDeletion(): Promise<void> {
    this.#isDeleted = true;
    this.#counting.cancel();
    await this.#abort(STOP);
  }

  reopen(): void {
    this.#isDeleted = false;
  }

  /** Ends the run as interrupted, because the window closes. */
  async shutDown(): Promise<void> {
    this.#counting.close();
    await this.#abort(SHUT_DOWN);
  }

  /** The log is about to be read anew: what this window writes meanwhile is kept for `reload`. */
  beginReload(): void {
    this.#log.beginReload();
  }

  /** Takes over the log as it was read since `beginReload`. */
  reload({ readOnly, faults, ...log }: LogRead): void {
    this.#log.reload(log);
    this.history.reopened();
    this.#readOnly = readOnly;
    this.#faults = faults;
    this.#log.changed('state');
  }

  /** Takes in what another window has added to the log: a newer Loupe, it may be. */
  merge({ events, readOnly, faults }: Pick<LogRead, 'events' | 'readOnly' | 'faults'>): void {
    this.#faults = [...this.#faults, ...faults];
    const isNewer = readOnly !== null && this.#readOnly === null;
    this.#readOnly ??= readOnly;
    this.#log.merge(events);
    if (isNewer || faults.length > 0) {
      this.#log.changed('state');
    }
  }

  /** Closes runs whose window has died. */
  async closeInterrupted(runIds: readonly string[]): Promise<void> {
    if (this.readOnly !== null || runIds.length === 0) {
      return;
    }
    await this.record(runIds.flatMap((runId) => interruption(this.state, runId)));
  }

  /** Logs `before` and runs. The chat is busy from here on: nothing else gets in between. */
  async #run(cause: RunCause, userMessage: UserMessage, before: readonly EventDraft[]): Promise<void> {
    const abort = new AbortController();
    const runId = this.#newId();
    const done = this.#drive({ runId, cause, userMessage, signal: abort.signal }, before);
    this.#running = { abort, done };
    this.#counting.cancel();
    this.#log.changed('state');
    try {
      await done;
    } finally {
      this.#running = null;
      this.#log.changed('state');
    }
  }

  async #drive(base: RunBase, before: readonly EventDraft[]): Promise<void> {
    try {
      await this.#log.record(before, 'written');
      for await (const step of run(this.#runInput(base), this.#ports)) {
        await this.#log.record(step.drafts, step.persistence);
        runFailures(step.drafts).forEach((failure) => {
          this.#ports.logError(failure);
        });
      }
    } catch (thrown) {
      // A defect of ours: the run still ends, visibly, with everything that was received.
      const error = toLoupeError(thrown);
      this.#ports.logError(error);
      await this.#log.record(breakdown(this.state, base.runId, error), 'durable');
    }
  }

  #runInput(base: RunBase): RunInput {
    return {
      ...base,
      isNew: base.cause === 'message',
      tools: this.#ports.tools,
      keepBlob: this.#requests.keepBlob.bind(this.#requests),
      reportError: this.#ports.logError.bind(this.#ports),
      // What the run has produced is in the state already: each step is folded before the next is asked for.
      prepare: async (attemptId) => {
        const composed = await this.#compose((state) => state, []);
        return this.#requests.prepare(composed, this.state, attemptId);
      },
    };
  }

  /** The next request; of what was not read of the chat, as much is read as the request has room for. */
  #compose(view: (state: ChatState) => ChatState, more: readonly UserMessage[]): Promise<Composed> {
    return composeEnd({
      state: () => view(this.state),
      compose: (state) => this.#requests.compose(state, this.#fragments.pieces(), more),
      extend: (messages) => this.history.extend(messages),
    });
  }

  async #abort(reason: string): Promise<void> {
    this.#running?.abort.abort(reason);
    await this.#running?.done;
  }

  #rewind(reason: RewindReason, to: string | null): EventDraft[] {
    return rewindDrafts(this.state, reason, to, this.#newId.bind(this));
  }

  #userMessage(id: string, text: string): UserMessage {
    return { role: 'user', id, parts: [{ type: 'text', text }], author: null };
  }

  #newId(): string {
    return newId(this.#ports.clock, this.#ports.random);
  }

  #checkWritable(): void {
    if (this.#isDeleted) {
      throw new LoupeError('invalidInput', 'This chat was deleted.');
    }
    if (this.readOnly !== null) {
      throw new LoupeError('invalidInput', this.readOnly);
    }
  }

  /** Throws `invalidInput` when no run can start now. */
  checkIdle(): void {
    this.#checkWritable();
    if (this.#running !== null) {
      throw new LoupeError('invalidInput', BUSY.here);
    }
    if (lastRun(this.state)?.status === 'running') {
      throw new LoupeError('invalidInput', BUSY.elsewhere);
    }
  }
}
