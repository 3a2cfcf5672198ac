import { newId } from '../../../engine/chat/order/ids.js';
import type { Clock, RandomHex } from '../../../engine/ports.js';
import { interruptionEvents } from '../../../engine/run/interruption.js';
import type { NewEvent } from '../../../engine/chat/slices/table.js';
import type { WholeChat } from '../../../engine/chat/state.js';
import { failure, toLoupeError, type LoupeError } from '../../../engine/errors.js';
import { NOT_WATCHED } from '../../../storage/reading/chatLog.js';
import type { ChatStore } from '../../../storage/chatStore.js';
import type { ReadWatch } from '../../../storage/reading/logReading.js';
import { JobQueue } from '../../../storage/files/jobQueue.js';
import type { SessionLog } from '../sessionLog.js';

export interface FollowerPorts {
  readonly store: Pick<ChatStore, 'readGrowth' | 'openEnd' | 'openWhole' | 'writerState'>;
  readonly clock: Clock;
  readonly random: RandomHex;
  /** Returns how many messages the next restore point must contain, for the panel and the next request. */
  readonly wanted: () => number;
  logError(error: LoupeError): void;
}

export interface ReadProgress {
  readonly share: number;
  /** Cancels the read. All callers of `whole` then reject with `cancelled`. */
  cancel(): void;
}

/**
 * Reads more of a log into an open chat: new lines from other VS Code windows and, on request, all lines before the
 * loaded lines. Only one read at a time. Also ends the runs of crashed windows.
 */
export class LogFollower {
  readonly #log: SessionLog;
  readonly #ports: FollowerPorts;
  readonly #queue = new JobQueue();
  #nextPoll: Promise<void> | null = null;
  #whole: Promise<WholeChat> | null = null;
  #reading: ReadProgress | null = null;
  /** The error code of the last failure. A failure that repeats at every poll is logged only once. */
  #failure: LoupeError['code'] | null = null;

  constructor(log: SessionLog, ports: FollowerPorts) {
    this.#log = log;
    this.#ports = ports;
    log.onChange(() => {
      if (log.isOutOfOrder) {
        void this.poll();
      }
    });
  }

  /** How far the whole chat has been read, or null when no caller waits for the whole chat. */
  get reading(): ReadProgress | null {
    return this.#reading;
  }

  /** Reads new lines. Resolves when all lines from before the call are applied to the state. A failure is logged. */
  poll(): Promise<void> {
    this.#nextPoll ??= this.#queue.next(() => {
      this.#nextPoll = null;
      return this.#pollOnce();
    });
    return this.#nextPoll;
  }

  /** Reads the whole chat into memory. Callers share one read. Rejects with `storage` or `cancelled`. */
  async whole(): Promise<WholeChat> {
    const { state } = this.#log;
    if (state.extent === 'whole') {
      return state;
    }
    this.#whole ??= this.#queue
      .next(() => this.#readWhole())
      .finally(() => {
        this.#whole = null;
      });
    return this.#whole;
  }

  async #pollOnce(): Promise<void> {
    try {
      await this.#readNews();
      await this.#settleForeignRuns();
      this.#failure = null;
    } catch (thrown) {
      const error = toLoupeError(thrown);
      // A cancelled read is not logged: closing the window cancels reads.
      if (error.code !== this.#failure && error.kind !== 'cancelled') {
        this.#failure = error.code;
        this.#ports.logError(error);
      }
    }
  }

  async #readNews(): Promise<void> {
    const { store, wanted } = this.#ports;
    const { chatId, extent } = this.#log.state;
    const growth = this.#log.isOutOfOrder ? null : await store.readGrowth(chatId, this.#log.position);
    if (growth !== null) {
      this.#log.merge(growth);
    }
    if (growth !== null && !this.#log.isOutOfOrder) {
      return;
    }
    if (extent === 'end') {
      await this.#log.reread(() => store.openEnd(chatId, NOT_WATCHED));
    } else {
      await this.#log.reread(() => store.openWhole(chatId, wanted(), NOT_WATCHED));
    }
  }

  async #readWhole(): Promise<WholeChat> {
    const { store, wanted } = this.#ports;
    const watch = this.#beginReading();
    try {
      await this.#log.reread(() => store.openWhole(this.#log.state.chatId, wanted(), watch));
    } finally {
      this.#reading = null;
      this.#log.changed('reading');
    }
    const { state } = this.#log;
    if (state.extent === 'end') {
      throw failure('internal.defect', { text: 'A chat that was read whole is not whole.' });
    }
    return state;
  }

  #beginReading(): ReadWatch {
    const abort = new AbortController();
    const cancel = abort.abort.bind(abort);
    this.#reading = { share: 0, cancel };
    this.#log.changed('reading');
    const progress = (share: number): void => {
      this.#reading = { share, cancel };
      this.#log.changed('reading');
    };
    return { signal: abort.signal, progress };
  }

  async #settleForeignRuns(): Promise<void> {
    const { chatId } = this.#log.state;
    const open = this.#log.foreignRuns;
    const states = await Promise.all(open.map(([, writer]) => this.#ports.store.writerState(chatId, writer)));
    const dead = new Set(open.filter((_, index) => states[index] === 'dead').map(([runId]) => runId));
    if (dead.size === 0) {
      return;
    }
    // The other VS Code window may have ended its run after the last read, just before its `.alive` file was checked.
    await this.#readNews();
    const stillOpen = this.#log.foreignRuns.map(([runId]) => runId).filter((runId) => dead.has(runId));
    await this.#endRuns(stillOpen);
  }

  /** Ends runs of crashed VS Code windows as interrupted, with unknown usage. In a read-only chat, only in memory. */
  async #endRuns(runIds: readonly string[]): Promise<void> {
    const endsOf = (runId: string): readonly NewEvent[] =>
      interruptionEvents(this.#log.state, runId, () => newId(this.#ports.clock, this.#ports.random));
    if (this.#log.readOnly === null) {
      await this.#log.record(runIds.flatMap(endsOf), 'durable');
      return;
    }
    const running = runIds.filter((runId) => this.#log.state.runs.get(runId)?.status === 'running');
    if (running.length > 0) {
      await this.#log.record(running.flatMap(endsOf), 'shown');
      this.#log.changed('state');
    }
  }
}
