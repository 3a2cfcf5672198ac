import { findMessage, isPreceded } from '../../engine/chat/branch.js';
import type { ChatState } from '../../engine/chat/state.js';
import { isWhole } from '../../engine/chat/snapshot.js';
import { failure } from '../../engine/errors.js';
import type { EarlierPart, Place } from '../../storage/index/opened.js';
import type { SessionLog } from './sessionLog.js';

/** Messages that are read at once when more of a chat is wanted; twice as many each time that it was not enough. */
export const FIRST_PART = 64;

/** At most: some tenths of a second, after which it can be told how far it is, and broken off. */
const LARGEST_PART = 4_096;

/** Reads what stands directly before a place: at least `wanted` messages, as far as there are so many. */
export type ReadEarlier = (before: Place, wanted: number) => Promise<EarlierPart>;

/** How far a reading is that somebody waits for, in messages. */
export interface Reading {
  readonly done: number;
  /** Those before them, which may not all be wanted. */
  readonly before: number;
}

export interface HistoryPorts {
  readonly read: ReadEarlier;
  /** Called when `reading` begins and ends. */
  readonly readingChanged: () => void;
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
  /** Who waits for a reading: how many, and how many messages were missing when the first of them began. */
  #waiting = 0;
  #missing = 0;
  #cancelling = new AbortController();
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

  /** Null while nobody waits for one. */
  get reading(): Reading | null {
    const before = messagesBefore(this.#log.state);
    return this.#waiting === 0 ? null : { done: Math.max(0, this.#missing - before), before };
  }

  /** Breaks off what somebody waits for: it rejects with `cancelled`, and what was read stays. */
  cancel(): void {
    this.#cancelling.abort();
    this.#cancelling = new AbortController();
  }

  /**
   * Reads on, further and further back, until the state is enough or all is there. Rejects with `storage`, and with
   * `cancelled`.
   */
  async until(isEnough: (state: ChatState) => boolean): Promise<void> {
    const { signal } = this.#cancelling;
    const isDone = (): boolean => this.#log.start === null || isEnough(this.#log.state);
    if (isDone()) {
      return;
    }
    this.#beginWaiting();
    try {
      for (let wanted = FIRST_PART; !isDone(); wanted = Math.min(LARGEST_PART, 2 * wanted)) {
        if (signal.aborted) {
          throw failure('chat.earlierCancelled');
        }
        await this.extend(wanted);
      }
    } finally {
      this.#endWaiting();
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

  /** Reads all of the conversation on show; what a clearing has set aside before it is not read. Rejects as `until` does. */
  async whole(): Promise<void> {
    await this.until(isWhole);
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

  #beginWaiting(): void {
    this.#waiting += 1;
    if (this.#waiting === 1) {
      this.#missing = messagesBefore(this.#log.state);
      this.#ports.readingChanged();
    }
  }

  #endWaiting(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) {
      this.#ports.readingChanged();
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

/** Of the conversation, those that were not read. */
function messagesBefore({ earlier }: ChatState): number {
  return earlier?.messages ?? 0;
}
