import type { ChatConfig } from '../../engine/chat/config.js';
import type { ChatEvent, EventDraft, Persistence, RunCause } from '../../engine/chat/event.js';
import type { AttemptState, ChatState } from '../../engine/chat/fold.js';
import { newId } from '../../engine/chat/ids.js';
import { interruption } from '../../engine/chat/interruption.js';
import type { Message, RewindReason, UserMessage } from '../../engine/chat/message.js';
import { ledgerTotals } from '../../engine/accounting/ledger.js';
import type { ContextItemBase, SessionContextItem } from '../../engine/context/item.js';
import { LoupeError, toErrorRecord, toLoupeError } from '../../engine/errors.js';
import type { Clock, RandomHex, ToolExecutor } from '../../engine/ports.js';
import type { SystemPiece } from '../../engine/prompt/fragments.js';
import { SHUT_DOWN, STOP, type RunInput } from '../../engine/run/input.js';
import { run } from '../../engine/run/run.js';
import type { Journal, JournalState } from '../../storage/journal.js';
import { LiveLog } from './liveLog.js';
import {
  canContinue,
  countMessagesAfter,
  countMessagesMissingFrom,
  findMessage,
  findUserMessage,
  isUnsentAndOvertaken,
  lastRun,
  messageBefore,
  stateBefore,
} from '../../engine/chat/branch.js';
import type { Composed, Rebuilt, Requests } from './requests.js';
import type { Draft } from '../view/drafts.js';

export interface SessionPorts {
  readonly clock: Clock;
  readonly random: RandomHex;
  /** This activation of the extension, as the name of its segments. */
  readonly writerId: string;
  readonly tools: ToolExecutor;
  /** Unexpected failures, for the log channel. */
  logError(error: LoupeError): void;
}

export interface SessionParts {
  readonly events: readonly ChatEvent[];
  readonly journal: Journal;
  readonly requests: Requests;
  /** Why nothing can be written; null when it can. */
  readonly readOnly: string | null;
  /** Damaged lines that were skipped, in plain words. */
  readonly faults: readonly string[];
}

/** What would be sent: an empty `text` for no message, `editing` null for a new one. */
export type DraftToPreview = Pick<Draft, 'text' | 'editing'>;

/** What changed: text of a reply that streams in, or anything else. */
export type SessionChange = 'progress' | 'state';

type RunBase = Pick<RunInput, 'runId' | 'cause' | 'userMessage' | 'signal'>;

/**
 * One open chat: its state, the operations on it, and its run. Chats share nothing; each is driven by its own
 * session. Operations that change something throw `invalidInput` when the chat is read-only or, where that
 * matters, while a run is going on.
 */
export class ChatSession {
  readonly faults: readonly string[];
  #readOnly: string | null;
  #log: LiveLog;
  readonly #journal: Journal;
  readonly #requests: Requests;
  readonly #ports: SessionPorts;
  readonly #fragments = new Map<string, string>();
  readonly #listeners = new Set<(change: SessionChange) => void>();
  #isDeleted = false;
  #revision = 0;
  #running: { readonly abort: AbortController; readonly done: Promise<void> } | null = null;

  constructor(parts: SessionParts, ports: SessionPorts) {
    this.#readOnly = parts.readOnly;
    this.faults = parts.faults;
    this.#log = new LiveLog(parts.events);
    this.#journal = parts.journal;
    this.#requests = parts.requests;
    this.#ports = ports;
    this.#journal.onStateChange(() => {
      this.#changed('state');
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

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Grows with everything that this window logs in the chat. */
  get revision(): number {
    return this.#revision;
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
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
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
    this.checkIdle();
    const branch = this.state.rewinds.get(rewindId);
    if (branch === undefined) {
      throw new LoupeError('invalidInput', 'That part of the chat is not there any more.');
    }
    const undoId = this.#newId();
    const discarded = countMessagesMissingFrom(this.state, branch);
    await this.#commit([{ type: 'restored', rewindId, undoId }, this.#accounting('broughtBack', undoId, discarded)]);
  }

  /** Sets the whole conversation aside; the context and the settings stay. */
  async clear(): Promise<void> {
    this.checkIdle();
    await this.#commit(this.#rewind('cleared', null));
  }

  async addContext(item: SessionContextItem): Promise<void> {
    this.#checkWritable();
    await this.#commit([{ type: 'context-added', item }]);
  }

  async removeContext(item: ContextItemBase): Promise<void> {
    this.#checkWritable();
    await this.#commit([{ type: 'context-removed', item }]);
  }

  async changeConfig(change: Partial<ChatConfig>): Promise<void> {
    this.#checkWritable();
    await this.#commit([{ type: 'config-changed', change }]);
  }

  async rename(title: string): Promise<void> {
    this.#checkWritable();
    if (title.trim() === '') {
      throw new LoupeError('invalidInput', 'The title is empty.');
    }
    await this.#commit([{ type: 'title', title: title.trim(), by: 'user' }]);
  }

  /** Sets a fragment of the system prompt for this activation; null removes it. */
  setFragment(id: string, text: string | null): void {
    if (text === null) {
      this.#fragments.delete(id);
    } else {
      this.#fragments.set(id, text);
    }
    this.#changed('state');
  }

  /** The next request with `text` as its message, in place of message `editing` and of what follows it. */
  async preview({ text, editing }: DraftToPreview): Promise<Composed> {
    const state = editing === null ? this.state : stateBefore(this.state, editing);
    const more = text.trim() === '' ? [] : [this.#userMessage('draft', text)];
    return this.#requests.compose(state, this.#systemPieces(), more);
  }

  /** The request behind a reply, by the id of its message or of its attempt. */
  async request(id: string): Promise<{ readonly attempt: AttemptState; readonly rebuilt: Rebuilt }> {
    const message = findMessage(this.state, id);
    const attempt = this.state.attempts.get(message?.role === 'assistant' ? message.attemptId : id);
    if (attempt === undefined) {
      throw new LoupeError('invalidInput', 'No context data available: that message has no record of a request.');
    }
    return { attempt, rebuilt: await this.#requests.rebuild(this.state, attempt) };
  }

  /** Stops the run; resolves when it has ended. Without one it does nothing. */
  async stop(): Promise<void> {
    await this.#abort(STOP);
  }

  /** Stops the run and takes nothing more, because the chat is being deleted; `reopen` takes that back. */
  async closeForDeletion(): Promise<void> {
    this.#isDeleted = true;
    await this.#abort(STOP);
  }

  reopen(): void {
    this.#isDeleted = false;
  }

  /** Ends the run as interrupted, because the window closes. */
  async shutDown(): Promise<void> {
    await this.#abort(SHUT_DOWN);
  }

  /** Takes over the log as it is on the disk now, after another window has written to it: a newer Loupe, it may be. */
  reload({ events, readOnly }: Pick<SessionParts, 'events' | 'readOnly'>): void {
    this.#log = new LiveLog(events);
    this.#readOnly = readOnly;
    this.#changed('state');
  }

  /** Closes runs whose window has died. */
  async closeInterrupted(runIds: readonly string[]): Promise<void> {
    if (this.readOnly !== null || runIds.length === 0) {
      return;
    }
    await this.#commit(runIds.flatMap((runId) => interruption(this.state, runId)));
  }

  /** Logs `before` and runs. The chat is busy from here on: nothing else gets in between. */
  async #run(cause: RunCause, userMessage: UserMessage, before: readonly EventDraft[]): Promise<void> {
    const abort = new AbortController();
    const runId = this.#newId();
    const done = this.#drive({ runId, cause, userMessage, signal: abort.signal }, before);
    this.#running = { abort, done };
    this.#changed('state');
    try {
      await done;
    } finally {
      this.#running = null;
      this.#changed('state');
    }
  }

  async #drive(base: RunBase, before: readonly EventDraft[]): Promise<void> {
    try {
      await this.#record(before, 'written');
      for await (const step of run(this.#runInput(base), this.#ports)) {
        await this.#record(step.drafts, step.persistence);
      }
    } catch (thrown) {
      // A defect of ours: the run still ends, visibly, with everything that was received.
      const error = toLoupeError(thrown);
      this.#ports.logError(error);
      const type = this.state.runs.get(base.runId)?.toolsRan === true ? 'run-failed' : 'run-rolled-back';
      await this.#record([{ type, runId: base.runId, error: toErrorRecord(error) }], 'durable');
    }
  }

  #runInput(base: RunBase): RunInput {
    return {
      ...base,
      isNew: base.cause === 'message',
      tools: this.#ports.tools,
      // What the run has produced is in the state already: each step is folded before the next is asked for.
      prepare: async (attemptId) => {
        const composed = await this.#requests.compose(this.state, this.#systemPieces(), []);
        return this.#requests.prepare(composed, this.state, attemptId);
      },
    };
  }

  /** Folds and logs. A failed write is the journal's to report and retry: the run goes on from memory. */
  async #record(drafts: readonly EventDraft[], persistence: Persistence): Promise<void> {
    if (drafts.length === 0) {
      return;
    }
    if (persistence === 'shown') {
      this.#log.shown(drafts, this.#ports.clock.now(), this.#ports.writerId);
      this.#changed('progress');
      return;
    }
    const { events, written } = this.#journal.append(drafts, persistence);
    this.#revision += 1;
    this.#log.logged(events);
    this.#changed(drafts.every((draft) => draft.type === 'attempt-progress') ? 'progress' : 'state');
    try {
      await written;
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
      this.#changed('state');
    }
  }

  #commit(drafts: readonly EventDraft[]): Promise<void> {
    return this.#record(drafts, 'durable');
  }

  async #abort(reason: string): Promise<void> {
    this.#running?.abort.abort(reason);
    await this.#running?.done;
  }

  #rewind(reason: RewindReason, to: string | null): EventDraft[] {
    const rewindId = this.#newId();
    const discarded = countMessagesAfter(this.state, to);
    return [{ type: 'rewound', rewindId, to, reason }, this.#accounting(reason, rewindId, discarded)];
  }

  #accounting(reason: RewindReason, rewindId: string, discardedMessages: number): EventDraft {
    const totals = ledgerTotals(this.state);
    const id = this.#newId();
    const message: Message = { role: 'accounting', id, reason, discardedMessages, totals, rewindId };
    return { type: 'message', runId: null, message };
  }

  #userMessage(id: string, text: string): UserMessage {
    return { role: 'user', id, parts: [{ type: 'text', text }], author: null };
  }

  #systemPieces(): SystemPiece[] {
    return [...this.#fragments].map(([id, text]) => ({ key: `fragment:${id}`, text }));
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
      throw new LoupeError('invalidInput', 'The chat is still answering. Stop it first, or wait.');
    }
    if (lastRun(this.state)?.status === 'running') {
      throw new LoupeError('invalidInput', 'The chat is being answered in another window.');
    }
  }

  #changed(change: SessionChange): void {
    for (const listener of this.#listeners) {
      listener(change);
    }
  }
}
