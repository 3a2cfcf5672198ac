import { messageText, type UserMessage } from '../../engine/chat/message.js';
import { failure } from '../../engine/errors.js';
import type { RunDriver } from './runDriver.js';
import type { SessionLog } from './sessionLog.js';

export interface MessageQueueParts {
  readonly log: SessionLog;
  readonly run: RunDriver['run'];
  /** Whether a run may start, as far as is known here. */
  readonly isIdle: () => boolean;
}

interface Wait {
  /** Resolves when the message has left the queue and its run, if it was sent, has ended. */
  readonly over: Promise<void>;
  readonly end: () => void;
}

/**
 * The messages of a chat that wait until it is free. This window sends those that it has put there; those of a window
 * that is gone wait until somebody sends them or takes them back.
 */
export class MessageQueue {
  readonly #parts: MessageQueueParts;
  /** The messages that this window is to send, by id, in their order. */
  readonly #ours = new Map<string, Wait>();

  constructor(parts: MessageQueueParts) {
    this.#parts = parts;
  }

  /** Whether a message waits that this window is to send. */
  get isWaiting(): boolean {
    return this.#ours.size > 0;
  }

  /** Puts a message at the end; resolves when it was sent and its run has ended, or when it was taken back. */
  async put(message: UserMessage): Promise<void> {
    const { over } = this.#wait(message.id);
    await this.#parts.log.record([{ type: 'message-queued', message }], 'durable');
    await over;
  }

  /** Sends a message now, or when the window that is faster has answered; resolves as `put` does. */
  async send(messageId: string): Promise<void> {
    this.#find(messageId);
    if (!(await this.#run(messageId))) {
      await this.#wait(messageId).over;
    }
  }

  /** Sends the first message of this window if the chat is free; resolves when its run has ended. */
  async sendNext(): Promise<void> {
    if (!this.#parts.isIdle()) {
      return;
    }
    const { queued } = this.#parts.log.state;
    const left = [...this.#ours.keys()].filter((id) => !queued.has(id));
    left.forEach((id) => {
      this.#ended(id);
    });
    const [next] = this.#ours.keys();
    if (next !== undefined) {
      await this.#run(next);
    }
  }

  /** Takes a message out of the queue and returns its text. */
  async takeBack(messageId: string): Promise<string> {
    const message = this.#find(messageId);
    await this.#parts.log.record([{ type: 'message-unqueued', messageId }], 'durable');
    this.#ended(messageId);
    return messageText(message);
  }

  /** Resolves to false when another window answers. A message that has left the queue meanwhile is not sent again. */
  async #run(messageId: string): Promise<boolean> {
    const hasRun = await this.#parts.run(() => {
      const found = this.#parts.log.state.queued.get(messageId);
      return found === undefined ? null : { cause: 'message', userMessage: found.message, before: [] };
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

  /** Throws `invalidInput` when the message does not wait any more. */
  #find(messageId: string): UserMessage {
    const found = this.#parts.log.state.queued.get(messageId);
    if (found === undefined) {
      throw failure('chat.notQueued');
    }
    return found.message;
  }
}
