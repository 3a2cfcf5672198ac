import { lastRun } from '../../../engine/chat/branch.js';
import type { RunStatus } from '../../../engine/chat/slices/runs.js';
import { writtenContent, type UserMessage, type WrittenContent } from '../../../engine/chat/message/message.js';
import { failure } from '../../../engine/errors.js';
import type { BeginRun, RunBeginning, RunDriver } from './runDriver.js';
import type { SessionLog } from '../sessionLog.js';

export interface MessageQueuePorts {
  readonly log: SessionLog;
  readonly run: RunDriver['run'];
  readonly beginningFor: (message: UserMessage, ...me: Parameters<BeginRun>) => RunBeginning;
  /** Returns whether a run may start. Runs of other VS Code windows are known only as far as this window has read. */
  readonly isIdle: () => boolean;
}

interface QueueWait {
  /** Resolves when the message has left the queue and the run of the message, if any, has ended. */
  readonly over: Promise<void>;
  readonly end: () => void;
}

/** After a run that ended like this, no reply may start automatically. The run of a closed window holds nothing. */
const HOLDING: ReadonlySet<RunStatus | undefined> = new Set(['failed', 'stopped', 'rolledBack']);

/**
 * Messages that wait until no run is active. Each window sends the messages that it queued. After a run that failed or
 * was stopped, or after that window was closed, a message waits until the user sends it or takes it back.
 */
export class MessageQueue {
  readonly #ports: MessageQueuePorts;
  /** The pending promises for messages that this VS Code window will send, by message id, in the order of sending. */
  readonly #waits = new Map<string, QueueWait>();

  constructor(ports: MessageQueuePorts) {
    this.#ports = ports;
  }

  /** Whether the queue holds a message that this VS Code window will send. */
  get isWaiting(): boolean {
    return this.#waits.size > 0;
  }

  /** Queues a message. Resolves when its run has ended, when the user took it back, or when `hold` was called. */
  async put(message: UserMessage): Promise<void> {
    const { over } = this.#wait(message.id);
    await this.#ports.log.record([{ type: 'message-queued', message }], 'durable');
    await over;
  }

  /** Sends a queued message now, or after the run of another VS Code window. Resolves as `put` does. */
  async send(messageId: string): Promise<void> {
    this.#find(messageId);
    if (!(await this.#run(messageId))) {
      await this.#wait(messageId).over;
    }
  }

  /**
   * Sends this window's queued messages in order, while no run is active, and up to a run without a complete reply.
   * Resolves when their runs have ended.
   */
  async sendNext(): Promise<void> {
    for (let next = this.#next(); next !== undefined && (await this.#run(next)); ) {
      next = this.#next();
    }
  }

  /** Stops sending automatically: after a failure or Stop, no new reply may start that costs money. */
  hold(): void {
    const { queued } = this.#ports.log.state;
    const waiting = [...this.#waits.keys()].filter((id) => queued.has(id));
    waiting.forEach((id) => {
      this.#ended(id);
    });
  }

  /** Returns the id of the first message to send. Undefined when none is left, during a run, or after a failed run. */
  #next(): string | undefined {
    if (!this.#ports.isIdle()) {
      return undefined;
    }
    const { state } = this.#ports.log;
    if (HOLDING.has(lastRun(state)?.status)) {
      this.hold();
    }
    const { queued } = state;
    const left = [...this.#waits.keys()].filter((id) => !queued.has(id));
    left.forEach((id) => {
      this.#ended(id);
    });
    const [next] = this.#waits.keys();
    return next;
  }

  async takeBack(messageId: string): Promise<WrittenContent> {
    const message = this.#find(messageId);
    await this.#ports.log.record([{ type: 'message-unqueued', messageId }], 'durable');
    this.#ended(messageId);
    return writtenContent(message);
  }

  /** Runs a message if it is still queued. Resolves to false when another VS Code window is answering. */
  async #run(messageId: string): Promise<boolean> {
    const hasRun = await this.#ports.run((me) => {
      const found = this.#ports.log.state.queued.get(messageId);
      return found === undefined ? null : this.#ports.beginningFor(found.message, me);
    });
    if (hasRun) {
      this.#ended(messageId);
    }
    return hasRun;
  }

  #wait(messageId: string): QueueWait {
    const known = this.#waits.get(messageId);
    if (known !== undefined) {
      return known;
    }
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#waits.set(messageId, { over, end });
    return { over, end };
  }

  #ended(messageId: string): void {
    this.#waits.get(messageId)?.end();
    this.#waits.delete(messageId);
  }

  /** Throws `invalidInput` when the message is no longer queued. */
  #find(messageId: string): UserMessage {
    const found = this.#ports.log.state.queued.get(messageId);
    if (found === undefined) {
      throw failure('chat.notQueued');
    }
    return found.message;
  }
}
