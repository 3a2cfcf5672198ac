import { writtenContent, type UserMessage, type WrittenContent } from '../../../engine/chat/message/message.js';
import { failure } from '../../../engine/errors.js';
import type { RunBeginning, RunDriver } from './runDriver.js';
import type { SessionLog } from '../sessionLog.js';

export interface MessageQueuePorts {
  readonly log: SessionLog;
  readonly run: RunDriver['run'];
  /** What starts a run for a new message. */
  readonly sent: (message: UserMessage) => RunBeginning;
  /** Whether a run may start, as far as this window has read. */
  readonly isIdle: () => boolean;
}

interface Wait {
  /** Resolves when the message has left the queue and its run, if any, has ended. */
  readonly over: Promise<void>;
  readonly end: () => void;
}

/**
 * The messages of a chat that wait until it is free. This window sends the messages that it has queued. After Stop they
 * wait until the user sends them or takes them back, as messages of a closed window do.
 */
export class MessageQueue {
  readonly #ports: MessageQueuePorts;
  /** The messages that this window will send, by id, in their order. */
  readonly #ours = new Map<string, Wait>();

  constructor(ports: MessageQueuePorts) {
    this.#ports = ports;
  }

  /** Whether the queue holds a message that this window will send. */
  get isWaiting(): boolean {
    return this.#ours.size > 0;
  }

  /** Appends a message; resolves when its run has ended, when it was taken back, or when it was held. */
  async put(message: UserMessage): Promise<void> {
    const { over } = this.#wait(message.id);
    await this.#ports.log.record([{ type: 'message-queued', message }], 'durable');
    await over;
  }

  /** Sends a queued message now, or after another window that claimed the chat first. Resolves as `put` does. */
  async send(messageId: string): Promise<void> {
    this.#find(messageId);
    if (!(await this.#run(messageId))) {
      await this.#wait(messageId).over;
    }
  }

  /** Sends this window's queued messages in their order, while the chat is free; resolves when their runs have ended. */
  async sendNext(): Promise<void> {
    for (let next = this.#next(); next !== undefined && (await this.#run(next)); ) {
      next = this.#next();
    }
  }

  /** Leaves the queued messages of this window to the user: stopping a reply must not begin another one that costs. */
  hold(): void {
    const { queued } = this.#ports.log.state;
    const waiting = [...this.#ours.keys()].filter((id) => queued.has(id));
    waiting.forEach((id) => {
      this.#ended(id);
    });
  }

  /** The first message to send; undefined when there is none, and while the chat is busy. */
  #next(): string | undefined {
    if (!this.#ports.isIdle()) {
      return undefined;
    }
    const { queued } = this.#ports.log.state;
    const left = [...this.#ours.keys()].filter((id) => !queued.has(id));
    left.forEach((id) => {
      this.#ended(id);
    });
    const [next] = this.#ours.keys();
    return next;
  }

  /** Removes a message from the queue and returns its content. */
  async takeBack(messageId: string): Promise<WrittenContent> {
    const message = this.#find(messageId);
    await this.#ports.log.record([{ type: 'message-unqueued', messageId }], 'durable');
    this.#ended(messageId);
    return writtenContent(message);
  }

  /** Resolves to false when another window answers. Sends nothing when the message has left the queue meanwhile. */
  async #run(messageId: string): Promise<boolean> {
    const hasRun = await this.#ports.run(() => {
      const found = this.#ports.log.state.queued.get(messageId);
      return found === undefined ? null : this.#ports.sent(found.message);
    });
    if (hasRun) {
      this.#ended(messageId);
    }
    return hasRun;
  }

  #wait(messageId: string): Wait {
    const known = this.#ours.get(messageId);
    if (known !== undefined) {
      return known;
    }
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#ours.set(messageId, { over, end });
    return { over, end };
  }

  #ended(messageId: string): void {
    this.#ours.get(messageId)?.end();
    this.#ours.delete(messageId);
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
