import { canContinue, findUserMessage, isPreceded, isUnsentAndOvertaken, lastRun, messageBefore } from '../../engine/chat/branch.js';
import { newId } from '../../engine/chat/ids.js';
import { textMessage, type UserMessage } from '../../engine/chat/message.js';
import { failure, toLoupeError } from '../../engine/errors.js';
import { SHUT_DOWN, STOP } from '../../engine/run/input.js';
import type { BackgroundCount } from './backgroundCount.js';
import type { Follower } from './follower.js';
import { MessageQueue } from './messageQueue.js';
import { restoreDrafts, rewindDrafts } from './rewindDrafts.js';
import { RunDriver, type RunBeginning, type RunDriverParts, type RunPorts } from './runDriver.js';

export interface ConversationParts extends Omit<RunDriverParts, 'look'> {
  readonly follower: Pick<Follower, 'look' | 'whole'>;
  readonly counting: Pick<BackgroundCount, 'cancel'>;
}

/**
 * What is done to the conversation of an open chat: what sets off a run, what waits for one, and the branches. Operations
 * throw `invalidInput` when the chat is read-only, and where that matters, while a run goes on. Those that need more of
 * a chat than its end read it whole, and reject as `ChatSession.whole` does.
 */
export class Conversation {
  readonly #parts: ConversationParts;
  readonly #ports: RunPorts;
  readonly #runs: RunDriver;
  readonly #queue: MessageQueue;

  constructor(parts: ConversationParts, ports: RunPorts) {
    const { log, follower } = parts;
    this.#parts = parts;
    this.#ports = ports;
    this.#runs = new RunDriver({ ...parts, look: follower.look.bind(follower) }, ports);
    this.#queue = new MessageQueue({ log, run: this.#run.bind(this), isIdle: () => log.isWritable && this.#runs.isIdle });
  }

  get isRunning(): boolean {
    return this.#runs.isRunning;
  }

  /** Whether a message waits that this window is to send. */
  get isWaiting(): boolean {
    return this.#queue.isWaiting;
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

  /** Sends what has waited until the chat is free, if it is. A failure is logged. */
  sendNext(): void {
    this.#queue.sendNext().catch((thrown: unknown) => {
      this.#ports.logError(toLoupeError(thrown));
    });
  }

  /** Takes a message that waits out of the queue and returns its text. */
  async takeBack(messageId: string): Promise<string> {
    this.#parts.log.checkWritable();
    return this.#queue.takeBack(messageId);
  }

  /** Replaces a user message and sets aside what followed it. */
  async edit(messageId: string, text: string): Promise<void> {
    await this.reachMessage(messageId);
    this.checkIdle();
    const userMessage = this.#writtenMessage(text);
    await this.#answer(() => {
      const { state } = this.#parts.log;
      const to = messageBefore(state, findUserMessage(state, messageId));
      return { cause: 'message', userMessage, before: rewindDrafts(state, 'edited', to, this.#newId.bind(this)) };
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
      const { state } = this.#parts.log;
      const userMessage = findUserMessage(state, messageId);
      return isUnsentAndOvertaken(state, messageId)
        ? { cause: 'message', userMessage: { ...userMessage, id: this.#newId() }, before: [] }
        : { cause: 'retry', userMessage, before: rewindDrafts(state, 'retried', messageId, this.#newId.bind(this)) };
    });
  }

  /** Goes on after a run that failed or was interrupted with tools done. */
  async continueRun(): Promise<void> {
    this.checkIdle();
    const last = lastRun(this.#parts.log.state);
    if (last === undefined || last.userMessageId === null || !canContinue(last)) {
      throw failure('chat.nothingToContinue');
    }
    await this.reachMessage(last.userMessageId);
    this.checkIdle();
    const userMessage = findUserMessage(this.#parts.log.state, last.userMessageId);
    await this.#answer(() => ({ cause: 'continue', userMessage, before: [] }));
  }

  /** Returns to the branch that an edit or a retry left. */
  async bringBack(rewindId: string): Promise<void> {
    const { log, follower } = this.#parts;
    const { rewinds } = log.state.rewinds.has(rewindId) ? log.state : await follower.whole();
    this.checkIdle();
    const branch = rewinds.get(rewindId);
    if (branch === undefined) {
      throw failure('chat.branchGone');
    }
    await log.record(restoreDrafts(log.state, rewindId, branch, this.#newId.bind(this)), 'durable');
  }

  /** Has message `id` and the one before it in memory, if the branch has them. */
  async reachMessage(id: string): Promise<void> {
    if (!isPreceded(this.#parts.log.state, id)) {
      await this.#parts.follower.whole();
    }
  }

  /** Stops the run; resolves when it has ended. Without one it does nothing. */
  async stop(): Promise<void> {
    await this.#runs.stop(STOP);
  }

  /** Ends the run as interrupted, because the window closes; resolves when it has ended. */
  async shutDown(): Promise<void> {
    await this.#runs.stop(SHUT_DOWN);
  }

  /** Throws `invalidInput` when no run can start now. */
  checkIdle(): void {
    this.#parts.log.checkWritable();
    this.#runs.checkIdle();
  }

  /** Throws `invalidInput` when no message can be sent, not even later. */
  checkFree(): void {
    this.#parts.log.checkWritable();
    this.#runs.checkIdleHere();
  }

  /** Rejects with `invalidInput` when another window has begun to answer at the same instant. */
  async #answer(begin: () => RunBeginning): Promise<void> {
    if (!(await this.#run(begin))) {
      throw failure('chat.busyElsewhere');
    }
  }

  async #run(begin: () => RunBeginning | null): Promise<boolean> {
    this.#parts.counting.cancel();
    return this.#runs.run(begin);
  }

  #writtenMessage(text: string): UserMessage {
    if (text.trim() === '') {
      throw failure('chat.emptyMessage');
    }
    return textMessage(this.#newId(), text);
  }

  #newId(): string {
    return newId(this.#ports.clock, this.#ports.random);
  }
}
