import { runOf, type ChatEvent } from '../../engine/chat/event.js';
import { ChatFold } from '../../engine/chat/fold.js';
import { LiveOrder } from '../../engine/chat/order/liveOrder.js';
import { logOrder } from '../../engine/chat/order/order.js';
import { compareStamps, type Stamp } from '../../engine/chat/order/stamp.js';
import type { RestorePoint } from './restorePoint.js';
import { OpenRuns } from '../windows/runs.js';

/**
 * Derives the state of a chat while its log is read. Events arrive by sequence number. But in the log order, all events
 * of a run have the place of the run's first event. So during an open run, all other events wait in memory until the
 * run ends.
 */
export class LogFold {
  readonly order: LiveOrder;
  readonly openRuns = new OpenRuns();
  /** The greatest sequence number of each writer. */
  readonly seen = new Map<string, number>();
  #fold: ChatFold | null;
  /** The greatest stamp (sequence number and writer) so far; null before the first event. */
  #last: Stamp | null;
  #isInOrder = true;
  /** The run whose events are being applied, or null. */
  #run: string | null = null;
  #waiting: ChatEvent[] = [];

  /** Continues from the restore point `start`, or from the beginning of the log for null. */
  constructor(start: RestorePoint | null) {
    this.#fold = start === null ? null : ChatFold.after(start.snapshot);
    this.#last = start?.last ?? null;
    this.order = new LiveOrder(this.#last);
  }

  /** The derived state; null before the event that created the chat. */
  get fold(): ChatFold | null {
    return this.#fold;
  }

  get last(): Stamp | null {
    return this.#last;
  }

  /** Whether the state contains all events so far: no run is open, and no event waits. */
  get isQuiet(): boolean {
    return this.#fold !== null && this.openRuns.isEmpty && this.#waiting.length === 0;
  }

  /** Whether the state equals the state from the whole log: no event was late or refers to something before `start`. */
  get isRight(): boolean {
    return this.#isInOrder && this.#fold?.needsWholeLog !== true;
  }

  /** Takes the next event in the order of stamps. */
  take(event: ChatEvent): void {
    this.seen.set(event.writer, Math.max(event.seq, this.seen.get(event.writer) ?? 0));
    this.#last = this.#last === null || compareStamps(this.#last, event) < 0 ? event : this.#last;
    if (event.type === 'chat-created' && this.#fold === null) {
      this.#fold = ChatFold.created(event);
      this.#takeWaiting();
    }
    this.#place(event);
  }

  /** Sorts all events of a log into the log order, then takes them. */
  takeAll(events: readonly ChatEvent[]): void {
    for (const event of logOrder(events)) {
      this.take(event);
      this.end();
    }
  }

  /** Applies the waiting events, although runs are open. Call this after the last event. */
  end(): void {
    this.#run = null;
    while (this.#fold !== null && this.#waiting.length > 0) {
      this.#takeWaiting();
      this.#run = null;
    }
  }

  #place(event: ChatEvent): void {
    const runId = runOf(event);
    if (this.#fold === null || (this.#run !== null && runId !== this.#run)) {
      this.#waiting.push(event);
      return;
    }
    this.#apply(this.#fold, event);
    const isOpen = runId !== null && this.openRuns.has(runId);
    const wasOpen = this.#run !== null;
    this.#run = isOpen ? runId : null;
    if (wasOpen && !isOpen) {
      this.#takeWaiting();
    }
  }

  #apply(fold: ChatFold, event: ChatEvent): void {
    this.openRuns.take(event);
    this.#isInOrder = this.order.add(event) && this.#isInOrder;
    fold.apply(event);
  }

  #takeWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const event of waiting) {
      this.#place(event);
    }
  }
}
