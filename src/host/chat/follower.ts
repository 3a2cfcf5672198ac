import { interruption } from '../../engine/chat/interruption.js';
import type { WholeChat } from '../../engine/chat/state.js';
import { failure, toLoupeError, type LoupeError } from '../../engine/errors.js';
import { NOT_WATCHED } from '../../storage/chatLog.js';
import type { ChatStore } from '../../storage/chatStore.js';
import type { ReadWatch } from '../../storage/logReading.js';
import { Turns } from '../../storage/turns.js';
import type { SessionLog } from './sessionLog.js';

export interface FollowerPorts {
  readonly store: Pick<ChatStore, 'readGrowth' | 'openEnd' | 'openWhole' | 'writerState'>;
  readonly newId: () => string;
  /** Messages that a request may hold: what the next opening of the chat should find. */
  readonly wanted: () => number;
  logError(error: LoupeError): void;
}

/** A reading of the whole chat that somebody waits for. */
export interface Reading {
  /** What is done of it, from 0 to 1. */
  readonly share: number;
  /** Whoever waits for it is told that it was `cancelled`. */
  cancel(): void;
}

/**
 * Brings more of a log into an open chat: what other windows write, and all that stands before its end. Reads one after
 * the other. It also ends the runs of windows that died.
 */
export class Follower {
  readonly #log: SessionLog;
  readonly #ports: FollowerPorts;
  readonly #queue = new Turns();
  #nextLook: Promise<void> | null = null;
  #whole: Promise<WholeChat> | null = null;
  #reading: Reading | null = null;
  /** The code of the last failure, which is logged once, not at every look. */
  #failure: LoupeError['code'] | null = null;

  constructor(log: SessionLog, ports: FollowerPorts) {
    this.#log = log;
    this.#ports = ports;
    log.onChange(() => {
      if (log.isOutOfOrder) {
        void this.look();
      }
    });
  }

  /** Null while nobody waits for the whole chat. */
  get reading(): Reading | null {
    return this.#reading;
  }

  /** Looks for news; resolves when all that was there at the call is in the log. A failure is logged. */
  look(): Promise<void> {
    this.#nextLook ??= this.#queue.next(() => {
      this.#nextLook = null;
      return this.#lookOnce();
    });
    return this.#nextLook;
  }

  /**
   * Reads all of the chat, once for all who ask for it; from then on it stays in memory. Rejects with `storage`, and
   * with `cancelled`.
   */
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

  async #lookOnce(): Promise<void> {
    try {
      await this.#readNews();
      await this.#settleForeignRuns();
      this.#failure = null;
    } catch (thrown) {
      const error = toLoupeError(thrown);
      // A reading that is broken off because the window closes is no failure.
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
    // A writer may have ended its run, and with it the sign of life, after its lines were read and before the sign was
    // looked for. All that a dead writer wrote is there now.
    await this.#readNews();
    const stillOpen = this.#log.foreignRuns.map(([runId]) => runId).filter((runId) => dead.has(runId));
    if (this.#log.readOnly === null && stillOpen.length > 0) {
      const drafts = stillOpen.flatMap((runId) => interruption(this.#log.state, runId, this.#ports.newId));
      await this.#log.record(drafts, 'durable');
    }
  }
}
