import {
  canContinue,
  findUserMessage,
  isPreceded,
  isUnsentAndOvertaken,
  lastRun,
  messageBefore,
  unfinishedReplyId,
} from '../../../engine/chat/branch.js';
import { nextAuthor } from '../../../engine/chat/authors.js';
import { newId } from '../../../engine/chat/order/ids.js';
import { closedStep, openStep } from '../../../engine/run/interruption.js';
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
import { endsBrokenOff, keepReplyEvents } from '../../../engine/run/brokenOff.js';
import { failure, logFailure } from '../../../engine/errors.js';
import { SHUT_DOWN, STOP } from '../../../engine/run/input.js';
import type { NewEvent } from '../../../engine/chat/slices/table.js';
import type { Participant } from '../../../engine/chat/slices/participants.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { SpendPermission } from '../../../engine/spend/limits.js';
import type { LogFollower } from '../windows/logFollower.js';
import type { Behaviour } from '../behaviours/behaviour.js';
import type { Behaviours } from '../behaviours/table.js';
import { MessageQueue } from './messageQueue.js';
import { restoreEvents, retryEvents, returnEvents, rewindEvents } from './rewindEvents.js';
import { type BeginRun, RunDriver, type RunBeginning, type RunDriverPorts } from './runDriver.js';

/** Text of the message that Loupe sends when the user clicks *Continue* after a reply that ended early. */
const GO_ON = 'Continue';

export interface ConversationPorts extends Omit<RunDriverPorts, 'poll'> {
  readonly follower: Pick<LogFollower, 'poll' | 'whole'>;
  readonly behaviours: Behaviours;
}

/**
 * Operations on the conversation of an open chat: runs, message queue, branches. Methods throw `invalidInput` when the
 * chat is read-only and, where needed, during a run. A method that needs messages that are not loaded reads the
 * whole chat first, and rejects as `ChatSession.whole` does.
 */
export class Conversation {
  readonly #ports: ConversationPorts;
  readonly #runs: RunDriver;
  readonly #queue: MessageQueue;
  /** Whether the window is closing. Then no more messages are sent. */
  #isClosing = false;

  constructor(ports: ConversationPorts) {
    const { log, follower } = ports;
    this.#ports = ports;
    this.#runs = new RunDriver({ ...ports, poll: follower.poll.bind(follower) });
    const isIdle = (): boolean => log.isWritable && this.#runs.isIdle && !this.#isClosing;
    this.#queue = new MessageQueue({ log, run: this.#run.bind(this), beginningFor: this.#sent.bind(this), isIdle });
  }

  get isRunning(): boolean {
    return this.#runs.isRunning;
  }

  get isWaiting(): boolean {
    return this.#queue.isWaiting;
  }

  send(text: string): Promise<void> {
    return this.sendParts(writtenParts({ text, images: [] }));
  }

  /**
   * Sends a message now, or queues it while any VS Code window runs this chat. Resolves when the message's run has
   * ended, even after a failure. Also resolves when the message leaves the queue, or when `stop` holds it there.
   */
  async sendParts(parts: readonly UserPart[]): Promise<void> {
    const message = this.#writtenMessage(parts);
    await this.#sendOrQueue(message, (me) => this.#sent(message, me));
  }

  /**
   * Works like `sendParts`, except when the run is refused before its first request: then the message is removed from
   * the chat, and this rejects with the reason. A message that had to wait in the queue is not removed.
   */
  async sendDraft(message: UserMessage): Promise<void> {
    await this.#sendOrQueue(message, (me) => ({
      ...this.#sent(message, me),
      withdrawalEvents: (state) => this.#withdrawn(state, message),
    }));
  }

  async #sendOrQueue(message: UserMessage, begin: BeginRun): Promise<void> {
    this.checkWritable();
    const isFree = !this.#runs.isRunning && !this.#queue.isWaiting;
    if (!isFree || !(await this.#runThenNext(begin))) {
      await this.#queue.put(message);
    }
  }

  /** Sends a queued message. Resolves as `sendParts` does. */
  async sendQueued(messageId: string): Promise<void> {
    this.checkIdle();
    await this.#queue.send(messageId);
    this.sendNext();
  }

  /** Sends the messages that this VS Code window queued, while no run is active. A failure is logged. */
  sendNext(): void {
    this.#queue.sendNext().catch(logFailure(this.#ports));
  }

  async takeBack(messageId: string): Promise<WrittenContent> {
    this.checkWritable();
    return this.#queue.takeBack(messageId);
  }

  /** Replaces the text of a user message but not its images. Otherwise works like `editAfter`. */
  async edit(messageId: string, text: string): Promise<void> {
    await this.reachMessage(messageId);
    this.checkIdle();
    const message = findUserMessage(this.#ports.log.state, messageId);
    const edited = editedParts(message, { text, images: imagesOf(message) });
    await this.editAfter(messageId, this.#writtenMessage(edited), null);
  }

  /**
   * Replaces a user message and everything after it with `userMessage`. The user can restore the old branch. If the run
   * is refused before its first request, restores the branch and rejects. Calls `allowed` when the first request is
   * certain to be sent.
   */
  async editAfter(messageId: string, userMessage: UserMessage, allowed: RunBeginning['onAllowed']): Promise<void> {
    await this.reachMessage(messageId);
    this.checkIdle();
    await this.#cancelSummary();
    await this.#answer((me) => {
      const { state } = this.#ports.log;
      const to = messageBefore(state, findUserMessage(state, messageId));
      const { author, joined } = nextAuthor(state, me);
      const begun = this.#instead(
        'message',
        { ...userMessage, author },
        rewindEvents(state, 'edited', to, this.#newId.bind(this)),
        allowed,
      );
      return { ...begun, before: [...begun.before, ...joined] };
    });
  }

  /**
   * Requests a new reply to a user message. The reply replaces everything after the message, and the user can restore
   * the old branch. A message that was never answered and has later messages is sent again at the end instead. If the
   * run is refused before its first request, restores everything and rejects.
   */
  retry(messageId: string): Promise<void> {
    return this.retryAfter(messageId, null);
  }

  /** Works like `retry`. Calls `allowed` when the first request is certain to be sent. */
  async retryAfter(messageId: string, allowed: RunBeginning['onAllowed']): Promise<void> {
    await this.reachMessage(messageId);
    this.checkIdle();
    await this.#cancelSummary();
    await this.#answer((me) => {
      const { state } = this.#ports.log;
      const userMessage = findUserMessage(state, messageId);
      if (isUnsentAndOvertaken(state, messageId)) {
        const again = { ...userMessage, id: this.#newId() };
        return { ...this.#sent(again, me), withdrawalEvents: (now) => this.#withdrawn(now, again) };
      }
      return this.#instead('retry', userMessage, retryEvents(state, messageId, this.#newId.bind(this)), allowed);
    });
  }

  /**
   * Continues a failed or interrupted run whose tools had run, or a reply that was stopped, broke off or reached its
   * maximum length. The partial reply becomes part of the chat. A new message asks the model to continue, because
   * models cannot resume a reply.
   */
  async continueRun(): Promise<void> {
    this.checkIdle();
    const { log } = this.#ports;
    if (endsBrokenOff(log.state)) {
      await this.keepReply();
    }
    if (unfinishedReplyId(this.#ports.log.state) !== null) {
      await this.send(GO_ON);
      return;
    }
    await this.#continue(null);
  }

  /** Keeps a reply that broke off, like a stopped reply. Excluding its turn from requests undoes this. */
  async keepReply(): Promise<void> {
    this.checkIdle();
    const { log } = this.#ports;
    if (!endsBrokenOff(log.state)) {
      throw failure('chat.nothingToContinue');
    }
    await log.record(keepReplyEvents(log.state, this.#newId.bind(this)), 'durable');
  }

  /** Works like `continueRun`, and lets one request exceed the spend caps. */
  async goOnOnce(): Promise<void> {
    this.checkIdle();
    await this.#continue({ usd: null, overCap: true });
  }

  async #continue(leave: SpendPermission | null): Promise<void> {
    const last = lastRun(this.#ports.log.state);
    if (last === undefined || last.userMessageId === null || !canContinue(last)) {
      throw failure('chat.nothingToContinue');
    }
    await this.reachMessage(last.userMessageId);
    this.checkIdle();
    const userMessage = findUserMessage(this.#ports.log.state, last.userMessageId);
    if (leave !== null) {
      this.#ports.behaviours.spending.permit(messageText(userMessage), leave);
    }
    await this.#answer(() => {
      const open = openStep(this.#ports.log.state);
      return { cause: 'continue', userMessage, open, before: [], onAllowed: null, withdrawalEvents: null };
    });
  }

  /** Restores the branch that an edit or a retry replaced. */
  async restoreBranch(rewindId: string): Promise<void> {
    const { log, follower } = this.#ports;
    const { rewinds } = log.state.rewinds.has(rewindId) ? log.state : await follower.whole();
    this.checkIdle();
    const branch = rewinds.get(rewindId);
    if (branch === undefined) {
      throw failure('chat.branchGone');
    }
    await this.#cancelSummary();
    await log.record(restoreEvents(log.state, rewindId, branch, this.#newId.bind(this)), 'durable');
  }

  /** Loads message `id` and the message before it, if they are not loaded yet. */
  async reachMessage(id: string): Promise<void> {
    if (!isPreceded(this.#ports.log.state, id)) {
      await this.#ports.follower.whole();
    }
  }

  /** Stops one tool call of the run in this VS Code window. Does nothing without a run. */
  stopCall(callId: string): void {
    this.#runs.stopCall(callId);
  }

  /** Stops the run and waits for its end. Messages that this VS Code window queued then wait for the user. */
  async stop(): Promise<void> {
    if (this.#runs.isRunning) {
      this.#queue.hold();
    }
    await this.#runs.stop(STOP);
  }

  /** Stops the run because the chat is being deleted. Even without a run, queued messages then wait for the user. */
  async giveUp(): Promise<void> {
    this.#queue.hold();
    await this.#runs.stop(STOP);
  }

  /** Ends the run as interrupted, because the VS Code window is closing. Resolves when the run has ended. */
  async shutDown(): Promise<void> {
    this.#isClosing = true;
    await this.#runs.stop(SHUT_DOWN);
  }

  /** Throws `invalidInput` when no run can start now. */
  checkIdle(): void {
    this.checkWritable();
    this.#runs.checkIdle();
  }

  /** Throws `invalidInput` when a message can be neither sent nor queued, because the chat is deleted or read-only. */
  checkWritable(): void {
    this.#ports.log.checkWritable();
  }

  /** Runs `begin`. Rejects with `invalidInput` when another VS Code window starts to answer at the same moment. */
  async #answer(begin: BeginRun): Promise<void> {
    if (!(await this.#runThenNext(begin))) {
      throw failure('chat.busyElsewhere');
    }
  }

  /** Works like `RunDriver.run`. After success, sends the messages that this VS Code window queued during the run. */
  async #runThenNext(begin: BeginRun): Promise<boolean> {
    try {
      const ran = await this.#run(begin);
      this.sendNext();
      return ran;
    } catch (thrown) {
      this.#queue.hold();
      throw thrown;
    }
  }

  async #run(begin: BeginRun): Promise<boolean> {
    const ran = await this.#runs.run(begin);
    if (ran) {
      Object.values<Behaviour>(this.#ports.behaviours).forEach((behaviour) => behaviour.turnEnded?.());
    }
    return ran;
  }

  /** Cancels a running summary, because it could replace messages that an edit or a retry removes. */
  #cancelSummary(): Promise<void> {
    return this.#ports.behaviours.compactor.stop(STOP);
  }

  /** Returns the beginning of a run for a new message. First closes the tool calls that the last run left open. */
  #sent(userMessage: UserMessage, me: Participant | null): RunBeginning {
    const { author, joined } = nextAuthor(this.#ports.log.state, me);
    const before = [...closedStep(this.#ports.log.state, this.#newId.bind(this)), ...joined];
    return { cause: 'message', userMessage: { ...userMessage, author }, open: null, before, onAllowed: null, withdrawalEvents: null };
  }

  /** Returns the beginning of a run whose events `before` remove messages. A refused run restores these messages. */
  #instead(
    cause: 'message' | 'retry',
    userMessage: UserMessage,
    before: readonly NewEvent[],
    onAllowed: RunBeginning['onAllowed'],
  ): RunBeginning {
    return { cause, userMessage, open: null, before, onAllowed, withdrawalEvents: () => returnEvents(before, this.#newId.bind(this)) };
  }

  /** Returns the event that removes an unanswered message. A summary that made room for the message stays. */
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
