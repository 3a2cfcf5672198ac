import { join } from 'node:path';
import type { NewEvent } from '../../engine/chat/slices/table.js';
import { LOG_VERSION } from '../../engine/chat/order/stamp.js';
import { endedRun, type ChatEvent, type Persistence } from '../../engine/chat/event.js';
import { newId } from '../../engine/chat/order/ids.js';
import { failure, toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { Clock, RandomHex } from '../../engine/ports.js';
import { STORAGE_WORK } from '../../engine/failures/storage.js';
import { storageError } from '../files/failure.js';
import type { Files } from '../files/files.js';
import { segmentName } from '../files/layout.js';
import { encodeLine } from './line.js';
import type { Heartbeat } from '../windows/liveness.js';
import { SegmentFile } from './segmentFile.js';

/** `failing`: the disk fails, and lines wait in memory. `refused`: the chat is deleted or read-only. */
export type JournalState = { readonly kind: 'saved' } | { readonly kind: 'failing' | 'refused'; readonly error: LoupeError };

export interface AppendResult {
  /** The events with their ids, times and sequence numbers. They can be shown immediately. */
  readonly events: readonly ChatEvent[];
  /**
   * Resolves when the lines are in the file; for `durable` lines, when they are on the disk. Rejects with a
   * `LoupeError` (`storage`) when the first attempt fails. The lines then wait for the next attempt, and the journal's
   * state contains the failure.
   */
  readonly written: Promise<void>;
}

export interface JournalOptions {
  /** The chat's folder. The first append creates the folder. */
  readonly folder: string;
  readonly writerId: string;
  readonly clock: Clock;
  readonly random: RandomHex;
  readonly files: Files;
  readonly heartbeat: Heartbeat;
  /**
   * Returns why the chat accepts no lines (deleted, read-only), or null. Called before Loupe creates files, and during
   * each write. If the chat refuses lines during a write, Loupe removes the written lines from the file.
   */
  readonly refusal: () => Promise<LoupeError | null>;
  /** Reports errors of listeners, which must not stop the journal. */
  readonly report: (error: Error) => void;
}

/** The lines of one `append`. They wait until they are written; `durable` lines wait until they are on the disk. */
interface QueuedLines {
  readonly events: readonly ChatEvent[];
  readonly lines: Uint8Array;
  readonly durable: boolean;
  readonly resolve: () => void;
  readonly reject: (error: LoupeError) => void;
  /** Whether the lines are in the file. They may not be on the disk yet. */
  written: boolean;
}

/**
 * Writes the events of one chat to the segment of this writer, in order and one write at a time. Each event gets its
 * sequence number immediately. Events that cannot be written stay in memory until the next append or `retry`.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #listeners = new Set<(state: JournalState) => void>();
  readonly #openRuns = new Set<string>();
  readonly #queue: QueuedLines[] = [];
  #segment: SegmentFile | null = null;
  #state: JournalState = { kind: 'saved' };
  #refusal: LoupeError | null = null;
  /** The greatest sequence number that was seen or given. It is a Lamport clock. */
  #seq = 0;
  #working = false;
  /** Whether lines were queued after the running attempt to write started. */
  #wanted = false;
  #closed = false;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  get state(): JournalState {
    return this.#state;
  }

  /** The events that are not written yet, in order. Includes `durable` events that are not on the disk yet. */
  get pendingEvents(): readonly ChatEvent[] {
    return this.#queue.flatMap(({ events }) => events);
  }

  /** Calls `listener` after each failed attempt, and when all is saved. Returns a function that removes it. */
  onStateChange(listener: (state: JournalState) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Records a sequence number of another writer. Later events of this journal get greater numbers. */
  observe(seq: number): void {
    this.#seq = Math.max(this.#seq, seq);
  }

  /** Gives the new events their sequence numbers and queues them as one write. Throws if the journal is closed. */
  append(drafts: readonly NewEvent[], persistence: Exclude<Persistence, 'shown'>): AppendResult {
    if (this.#closed) {
      throw failure('internal.defect', { text: 'Something was to be saved in a chat that is closed.' });
    }
    const events = drafts.map((draft) => this.#stamp(draft));
    return { events, written: this.#enqueue(events, persistence === 'durable') };
  }

  /** Tries to write the queue. Resolves when everything is on the disk. Rejects like `AppendResult.written`. */
  async retry(): Promise<void> {
    await this.#enqueue([], true);
  }

  /** Writes everything to the disk and closes the file. Rejects when lines are lost, but not for refused lines. */
  async close(): Promise<void> {
    this.#closed = true;
    try {
      await this.retry();
    } catch (thrown) {
      if (this.#state.kind !== 'refused') {
        throw thrown;
      }
    } finally {
      await this.#options.heartbeat.stop();
      await this.#segment?.close();
      this.#segment = null;
    }
  }

  #stamp(draft: NewEvent): ChatEvent {
    const { clock, random, writerId } = this.#options;
    this.#seq += 1;
    const stamp = { v: LOG_VERSION, seq: this.#seq, id: newId(clock, random), at: clock.now(), writer: writerId };
    return { ...draft, ...stamp };
  }

  #enqueue(events: readonly ChatEvent[], durable: boolean): Promise<void> {
    const lines = Buffer.concat(events.map(encodeLine));
    const done = new Promise<void>((resolve, reject) => {
      this.#queue.push({ events, lines, durable, resolve, reject, written: false });
    });
    // Callers may ignore this rejection, because the state also contains the failure.
    done.catch(() => undefined);
    this.#wanted = true;
    if (!this.#working) {
      void this.#work();
    }
    return done;
  }

  async #work(): Promise<void> {
    this.#working = true;
    while (this.#wanted) {
      this.#wanted = false;
      await this.#attempt([...this.#queue]);
    }
    this.#working = false;
  }

  /** Tries to write `batch`, which is the whole queue. Never rejects. */
  async #attempt(batch: readonly QueuedLines[]): Promise<void> {
    try {
      await this.#write(batch);
    } catch (thrown) {
      if (this.#refusal !== null && thrown === this.#refusal) {
        await this.#options.heartbeat.stop();
        this.#fail(batch, { kind: 'refused', error: this.#refusal });
      } else {
        this.#fail(batch, { kind: 'failing', error: storageError(STORAGE_WORK.save, thrown) });
      }
      return;
    }
    this.#queue.splice(0, batch.length);
    for (const entry of batch) {
      entry.resolve();
    }
    if (this.#state.kind !== 'saved') {
      this.#setState({ kind: 'saved' });
    }
  }

  async #write(batch: readonly QueuedLines[]): Promise<void> {
    const fresh = batch.filter(({ written }) => !written);
    const isDurable = batch.some(({ durable }) => durable);
    const begunRuns = batch.flatMap(({ events }) => events).filter((event) => event.type === 'run-started');
    if (this.#segment === null || begunRuns.length > 0 || this.#state.kind === 'refused') {
      // The next steps may create files, which is not allowed in a chat that refuses lines.
      await this.#allow();
    }
    if (this.#segment === null && fresh.every(({ lines }) => lines.length === 0)) {
      return;
    }
    const { files, folder, writerId } = this.#options;
    this.#segment ??= await SegmentFile.open(files, join(folder, segmentName(writerId)));
    await this.#announceRuns(begunRuns);
    await this.#segment.append(Buffer.concat(fresh.map(({ lines }) => lines)), isDurable, () => this.#allow());
    for (const entry of fresh) {
      entry.written = true;
      if (!entry.durable) {
        entry.resolve();
      }
    }
    if (isDurable) {
      await this.#segment.sync();
    }
    await this.#concludeRuns(batch);
  }

  /** Throws the reason when the chat accepts no lines. */
  async #allow(): Promise<void> {
    this.#refusal = await this.#options.refusal();
    if (this.#refusal !== null) {
      throw this.#refusal;
    }
  }

  /** Creates the `.alive` file, which must exist from the first to the last line of a run: see `liveness.ts`. */
  async #announceRuns(begun: readonly { readonly runId: string }[]): Promise<void> {
    for (const { runId } of begun) {
      this.#openRuns.add(runId);
    }
    if (this.#openRuns.size > 0) {
      await this.#options.heartbeat.start();
    }
  }

  async #concludeRuns(batch: readonly QueuedLines[]): Promise<void> {
    for (const event of batch.flatMap(({ events }) => events)) {
      const runId = endedRun(event);
      if (runId !== null) {
        this.#openRuns.delete(runId);
      }
    }
    if (this.#openRuns.size === 0) {
      await this.#options.heartbeat.stop();
    }
  }

  #fail(batch: readonly QueuedLines[], state: Exclude<JournalState, { kind: 'saved' }>): void {
    for (const entry of batch) {
      entry.reject(state.error);
    }
    const waiting = batch.filter(({ events }) => events.length > 0);
    this.#queue.splice(0, batch.length, ...waiting);
    this.#setState(state);
  }

  #setState(state: JournalState): void {
    this.#state = state;
    for (const listener of this.#listeners) {
      try {
        listener(state);
      } catch (thrown) {
        this.#options.report(toLoupeError(thrown));
      }
    }
  }
}
