import type { LogOutputChannel } from 'vscode';
import { toErrorRecord, type LoupeError } from '../../engine/errors.js';

export class Log {
  readonly #channel: LogOutputChannel;

  constructor(channel: LogOutputChannel) {
    this.#channel = channel;
  }

  /** Logs an error. Invalid input and cancellations have the level `info`, because they are not defects. */
  error(error: LoupeError): void {
    const { kind, message, detail } = toErrorRecord(error);
    const line = `${kind}: ${message}${detail === null ? '' : ` (${detail})`}`;
    if (kind === 'internal') {
      this.#channel.error(line, error.stack ?? '');
    } else if (kind === 'invalidInput' || kind === 'cancelled') {
      this.#channel.info(line);
    } else {
      this.#channel.error(line);
    }
  }

  info(text: string): void {
    this.#channel.info(text);
  }

  show(): void {
    this.#channel.show(true);
  }
}
