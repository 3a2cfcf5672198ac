import { findMessage, isPreceded } from '../../engine/chat/branch.js';
import type { ChatState } from '../../engine/chat/fold.js';
import { isWhole } from '../../engine/chat/snapshot.js';
import type { EarlierPart, Place } from '../../storage/index/opened.js';
import type { SessionLog } from './sessionLog.js';

/** What is read at once when more of a chat is wanted; twice as much each time that it was not enough. */
export const FIRST_PART = 64;

/** Reads what stands directly before a place: at least `wanted` messages, as far as there are so many. */
export type ReadEarlier = (before: Place, wanted: number) => Promise<EarlierPart>;

export interface HistoryPorts {
  readonly read: ReadEarlier;
  /** Called when reading on failed for the first time: the log may not be the one it was, and has to be opened anew. */
  readonly lost: () => void;
}

/**
 * Brings more of an open chat into memory. A chat opens to its end; what stands before is read when something asks
 * for it: scrolling back, a request that has room for it, an edit of an old message.
 */
export class History {
  readonly #log: SessionLog;
  readonly #ports: HistoryPorts;
  #reading: Promise<void> | null = null;
  /** In a row. */
  #failures = 0;

  constructor(log: SessionLog, ports: HistoryPorts) {
    this.#log = log;
    this.#ports = ports;
  }

  /** Whether reading on keeps failing: another reading that nobody asked for would only fail again. */
  get isStuck(): boolean {
    return this.#failures > 1;
  }

  /** The log was opened anew: that may have mended what failed, and is worth one try more. */
  reopened(): void {
    this.#failures = Math.min(this.#failures, 1);
  }

  /** Reads on, further and further back, until the state is enough or all is there. Rejects with `storage`. */
  async until(isEnough: (state: ChatState) => boolean): Promise<void> {
    for (let wanted = FIRST_PART; this.#log.start !== null && !isEnough(this.#log.state); wanted *= 2) {
      await this.extend(wanted);
    }
  }

  /** Reads as far back as message `id` and the one before it. A message that is not on the branch has all read. */
  async reachMessage(id: string): Promise<void> {
    await this.until((state) => isPreceded(state, id));
  }

  /** Reads as far back as message or attempt `id`. One that is not there has all read. */
  async reachEntry(id: string): Promise<void> {
    await this.until((state) => state.attempts.has(id) || findMessage(state, id) !== null);
  }

  /** Reads all of the conversation on show; what a clearing has set aside before it is not read. Rejects with `storage`. */
  async whole(): Promise<void> {
    while (!isWhole(this.#log.state)) {
      await this.extend(Infinity);
    }
  }

  /** Reads at least `wanted` messages more, or waits for what is being read. Rejects with `storage`. */
  async extend(wanted: number): Promise<void> {
    this.#reading ??= this.#extend(wanted);
    try {
      await this.#reading;
    } finally {
      this.#reading = null;
    }
  }

  async #extend(wanted: number): Promise<void> {
    const before = this.#log.start;
    if (before === null) {
      return;
    }
    const part = await this.#readBefore(before, wanted);
    this.#failures = 0;
    // When the log was read anew meanwhile this part may not fit any more: who still needs it asks again.
    if (this.#log.start === before) {
      this.#log.prepend(part);
    }
  }

  async #readBefore(before: Place, wanted: number): Promise<EarlierPart> {
    try {
      return await this.#ports.read(before, wanted);
    } catch (thrown) {
      this.#failures += 1;
      if (this.#failures === 1) {
        this.#ports.lost();
      }
      throw thrown;
    }
  }
}
