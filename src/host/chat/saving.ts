import type { Journal, JournalState } from '../../storage/log/journal.js';
import type { SessionLog } from './sessionLog.js';

export interface SavingPorts {
  readonly journal: Pick<Journal, 'state' | 'retry' | 'onStateChange'>;
  readonly log: Pick<SessionLog, 'changed'>;
}

/** The saving of a chat's events on disk. */
export class Saving {
  /** The number of failed attempts to save since the last successful save. */
  failedRetries = 0;
  readonly #ports: SavingPorts;

  constructor(ports: SavingPorts) {
    this.#ports = ports;
    ports.journal.onStateChange(({ kind }) => {
      this.failedRetries = kind === 'saved' ? 0 : this.failedRetries;
    });
  }

  /** Whether all events of the chat are saved, or why not. */
  get state(): JournalState {
    return this.#ports.journal.state;
  }

  /** Tries again to save the events that are only in memory. Rejects with `storage` when saving fails. */
  async retry(): Promise<void> {
    const { journal, log } = this.#ports;
    try {
      await journal.retry();
    } catch (thrown) {
      this.failedRetries += 1;
      log.changed('state');
      throw thrown;
    }
  }
}
