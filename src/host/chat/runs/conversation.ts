import {
  canContinue,
  endsStopped,
  findUserMessage,
  isPreceded,
  isUnsentAndOvertaken,
  lastRun,
  messageBefore,
} from '../../../engine/chat/branch.js';
import { newId } from '../../../engine/chat/order/ids.js';
import { closedRound, openRound } from '../../../engine/run/interruption.js';
import {
  editedParts,
  imagesOf,
  messageText,
  writtenMessage,
  writtenParts,
  type UserMessage,
  type WrittenContent,
} from '../../../engine/chat/message/message.js';
import type { UserPart } from '../../../engine/model/part.js';
import { endsBrokenOff, keptReply } from '../../../engine/run/brokenOff.js';
import { failure, toLoupeError } from '../../../engine/errors.js';
import { SHUT_DOWN, STOP } from '../../../engine/run/input.js';
import type { NewEvent } from '../../../engine/chat/slices/table.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { SpendLeave } from '../../../engine/spend/limits.js';
import type { BackgroundCount } from '../../request/compose/backgroundCount.js';
import type { LogFollower } from '../windows/logFollower.js';
import { MessageQueue } from './messageQueue.js';
import { restoreEvents, retryEvents, returnEvents, rewindEvents } from './rewindEvents.js';
import type { SpendGate } from '../spend/spendGate.js';
import { RunDriver, type RunBeginning, type RunDriverPorts } from './runDriver.js';

/** What *Continue* says after a reply that was stopped. */
const GO_ON = 'Continue';

export interface ConversationPorts extends Omit<RunDriverPorts, 'poll'> {
  readonly follower: Pick<LogFollower, 'poll' | 'whole'>;
  readonly counting: Pick<BackgroundCount, 'cancel'>;
  /** Cancels the summary that is being written: it may replace what this operation sets aside. */
  readonly cancelSummary: () => Promise<void>;
  readonly spending: Pick<SpendGate, 'permit'>;
  /** Called when a run begins. */
  readonly beforeRun: () => void;
  /** Called when a run has ended. */
  readonly afterRun: () => void;
}

/**
 * Operations on the conversation of an open chat: on runs, on the message queue and on branches. They throw
 * `invalidInput` when the chat is read-only and, where that matters, while a run goes on. Operations that need more
 * of the chat than its end read it whole, and reject as `ChatSession.whole` does.
 */
export class Conversation {
  readonly #ports: ConversationPorts;
  readonly #runs: RunDriver;
  readonly #queue: MessageQueue;
  /** The window closes: nothing more is sent. */
  #isClosing = false;

  constructor(ports: ConversationPorts) {
    const { log, follower } = ports;
    this.#ports = ports;
    this.#runs = new RunDriver({ ...ports, poll: follower.poll.bind(follower) });
    const isIdle = (): boolean => log.isWritable && this.#runs.isIdle && !this.#isClosing;
    this.#queue = new MessageQueue({ log, run: this.#run.bind(this), sent: this.#sent.bind(this), isIdle });
  }

  get isRunning(): boolean {
    return this.#runs.isRunning;
  }

  /** Whether the queue holds a message that this window will send. */
  get isWaiting(): boolean {
    return this.#queue.isWaiting;
  }

  /** Sends a text as `sendParts` sends parts. */
  send(text: string): Promise<void> {
    return this.sendParts(writtenParts({ text, images: [] }));
  }

  /**
   * Sends a message now, or after the run that goes on here or in another window. Resolves when its run has ended,
   * successfully or not, or when the message was taken out of the queue or waits for the user after `stop`.
   */
  async sendParts(parts: readonly UserPart[]): Promise<void> {
    await this.#sendOrQueue(parts, (message) => this.#sent(message));
  }

  /**
   * As `sendParts`, for a message that the caller still has: one whose run is refused before any request is taken back. Rejects with the
   * reason then, and as `sendParts` does; the message is not in the chat whenever it rejects. A message that had to wait stays in the chat.
   */
  async sendDraft(parts: readonly UserPart[]): Promise<void> {
    await this.#sendOrQueue(parts, (message) => ({ ...this.#sent(message), takenBack: (state) => this.#withdrawn(state, message) }));
  }

  async #sendOrQueue(parts: readonly UserPart[], begin: (message: UserMessage) => RunBeginning): Promise<void> {
    this.checkWritable();
    const userMessage = this.#writtenMessage(parts);
    const isFree = !this.#runs.isRunning && !this.#queue.isWaiting;
    if (!isFree || !(await this.#runThenNext(() => begin(userMessage)))) {
      await this.#queue.put(userMessage);
    }
  }

  /** Sends a queued message; resolves as `send` does. */
  async sendQueued(messageId: string): Promise<void> {
    this.checkIdle();
    await this.#queue.send(messageId);
    this.sendNext();
  }

  /** Sends what this window has queued, while the chat is free. A failure is logged. */
  sendNext(): void {
    this.#queue.sendNext().catch((thrown: unknown) => {
      this.#ports.logError(toLoupeError(thrown));
    });
  }

  /** Removes a message from the queue and returns its content. */
  async takeBack(messageId: string): Promise<WrittenContent> {
    this.checkWritable();
    return this.#queue.takeBack(messageId);
  }

  /** Replaces the text of a user message as `editAfter` replaces its parts. The message keeps its images. */
  async edit(messageId: string, text: string): Promise<void> {
    await this.reachMessage(messageId);
    this.checkIdle();
    const message = findUserMessage(this.#ports.log.state, messageId);
    await this.editAfter(messageId, editedParts(message, { text, images: imagesOf(message) }), null);
  }

  /**
   * Replaces a user message and sets aside what followed it. Rejects when the run is refused before any request; all is as it was then.
   * `allowed` is called once it is certain that the message is sent.
   */
  async editAfter(messageId: string, parts: readonly UserPart[], allowed: RunBeginning['allowed']): Promise<void> {
    await this.reachMessage(messageId);
    this.checkIdle();
    const userMessage = this.#writtenMessage(parts);
    await this.#ports.cancelSummary();
    await this.#answer(() => {
      const { state } = this.#ports.log;
      const to = messageBefore(state, findUserMessage(state, messageId));
      return this.#instead('message', userMessage, rewindEvents(state, 'edited', to, this.#newId.bind(this)), allowed);
    });
  }

  /**
   * Answers a user message anew and sets aside what followed it. An unsent message with later ones after it is sent
   * again at the end instead, so nothing is set aside. Rejects when the run is refused before any request; all is as it was then.
   */
  retry(messageId: string): Promise<void> {
    return this.retryAfter(messageId, null);
  }

  /** As `retry`; `allowed` is called once it is certain that the message is answered. */
  async retryAfter(messageId: string, allowed: RunBeginning['allowed']): Promise<void> {
    await this.reachMessage(messageId);
    this.checkIdle();
    await this.#ports.cancelSummary();
    await this.#answer(() => {
      const { state } = this.#ports.log;
      const userMessage = findUserMessage(state, messageId);
      if (isUnsentAndOvertaken(state, messageId)) {
        const again = { ...userMessage, id: this.#newId() };
        return { ...this.#sent(again), takenBack: (now) => this.#withdrawn(now, again) };
      }
      return this.#instead('retry', userMessage, retryEvents(state, messageId, this.#newId.bind(this)), allowed);
    });
  }

  /**
   * Goes on after a run that failed or was interrupted when tools had already run, and after a reply that the user stopped or
   * that broke off, which then becomes part of the chat. A model cannot be made to go on within a reply, so a message asks for that.
   */
  async continueRun(): Promise<void> {
    this.checkIdle();
    const { log } = this.#ports;
    if (endsBrokenOff(log.state)) {
      await log.record(keptReply(log.state, this.#newId.bind(this)), 'durable');
    }
    if (endsStopped(this.#ports.log.state)) {
      await this.send(GO_ON);
      return;
    }
    await this.#continue(null);
  }

  /** As `continueRun`, with one request that may go over the caps of what is spent. */
  async goOnOnce(): Promise<void> {
    this.checkIdle();
    await this.#continue({ usd: null, overCap: true });
  }

  async #continue(leave: SpendLeave | null): Promise<void> {
    const last = lastRun(this.#ports.log.state);
    if (last === undefined || last.userMessageId === null || !canContinue(last)) {
      throw failure('chat.nothingToContinue');
    }
    await this.reachMessage(last.userMessageId);
    this.checkIdle();
    const userMessage = findUserMessage(this.#ports.log.state, last.userMessageId);
    if (leave !== null) {
      this.#ports.spending.permit(messageText(userMessage), leave);
    }
    await this.#answer(() => {
      const open = openRound(this.#ports.log.state);
      return { cause: 'continue', userMessage, open, before: [], allowed: null, takenBack: null };
    });
  }

  /** Returns to the branch that an edit or a retry left. */
  async bringBack(rewindId: string): Promise<void> {
    const { log, follower } = this.#ports;
    const { rewinds } = log.state.rewinds.has(rewindId) ? log.state : await follower.whole();
    this.checkIdle();
    const branch = rewinds.get(rewindId);
    if (branch === undefined) {
      throw failure('chat.branchGone');
    }
    await this.#ports.cancelSummary();
    await log.record(restoreEvents(log.state, rewindId, branch, this.#newId.bind(this)), 'durable');
  }

  /** Loads message `id` and the one before it into memory, if the branch has them. */
  async reachMessage(id: string): Promise<void> {
    if (!isPreceded(this.#ports.log.state, id)) {
      await this.#ports.follower.whole();
    }
  }

  /** Stops one call of the run that goes on here. Does nothing without one. */
  stopCall(callId: string): void {
    this.#runs.stopCall(callId);
  }

  /** Stops the run and waits for its end. What this window has queued then waits for the user. Does nothing without a run. */
  async stop(): Promise<void> {
    if (this.#runs.isRunning) {
      this.#queue.hold();
    }
    await this.#runs.stop(STOP);
  }

  /** As `stop`, because the chat is being deleted: also what waits for another window's reply then waits for the user. */
  async giveUp(): Promise<void> {
    this.#queue.hold();
    await this.#runs.stop(STOP);
  }

  /** Ends the run as interrupted because the window closes, and waits for its end. */
  async shutDown(): Promise<void> {
    this.#isClosing = true;
    await this.#runs.stop(SHUT_DOWN);
  }

  /** Throws `invalidInput` when no run can start now. */
  checkIdle(): void {
    this.checkWritable();
    this.#runs.checkIdle();
  }

  /** Throws `invalidInput` when a message can be neither sent nor queued. */
  checkWritable(): void {
    this.#ports.log.checkWritable();
  }

  /** Rejects with `invalidInput` when another window starts to answer at the same moment. */
  async #answer(begin: () => RunBeginning): Promise<void> {
    if (!(await this.#runThenNext(begin))) {
      throw failure('chat.busyElsewhere');
    }
  }

  /** Runs as `RunDriver.run` does, and sends what was queued meanwhile. */
  async #runThenNext(begin: () => RunBeginning): Promise<boolean> {
    try {
      return await this.#run(begin);
    } finally {
      this.sendNext();
    }
  }

  async #run(begin: () => RunBeginning | null): Promise<boolean> {
    this.#ports.counting.cancel();
    this.#ports.beforeRun();
    const ran = await this.#runs.run(begin);
    if (ran) {
      this.#ports.afterRun();
    }
    return ran;
  }

  /** What starts a run for a new message: what the last one left open is closed. */
  #sent(userMessage: UserMessage): RunBeginning {
    const before = closedRound(this.#ports.log.state, this.#newId.bind(this));
    return { cause: 'message', userMessage, open: null, before, allowed: null, takenBack: null };
  }

  /** What starts a run instead of a part of the conversation, which `before` sets aside. A run that is refused brings it back. */
  #instead(
    cause: 'message' | 'retry',
    userMessage: UserMessage,
    before: readonly NewEvent[],
    allowed: RunBeginning['allowed'],
  ): RunBeginning {
    return { cause, userMessage, open: null, before, allowed, takenBack: () => returnEvents(before, this.#newId.bind(this)) };
  }

  /** Takes a message without an answer out of the conversation. A summary that made room for it stays. */
  #withdrawn(state: ChatState, message: UserMessage): readonly NewEvent[] {
    return [{ type: 'rewound', rewindId: this.#newId(), to: messageBefore(state, message), reason: 'edited' }];
  }

  #writtenMessage(parts: readonly UserPart[]): UserMessage {
    if (parts.length === 0) {
      throw failure('chat.emptyMessage');
    }
    return writtenMessage(this.#newId(), parts);
  }

  #newId(): string {
    return newId(this.#ports.clock, this.#ports.random);
  }
}
