import { beginsRun, endedRun, runOf, type ChatEvent } from '../event.js';
import { orderOf, type Order } from '../rules.js';
import { compareStamps, type Stamp } from './stamp.js';

/*
 * Decides whether an event of another window can be folded after all known events, or the log must be folded again:
 *
 * - An event is ordered only among those of the same `Order`: a title does not depend on the conversation.
 * - An event that changes only its run is ordered only within that run.
 * - A message after the end of its run belongs where that run began. Its window was taken for dead and lives on, and a
 *   rewind since then has left no mark on the run.
 * - So an event may be folded last when no event of its `Order` sorts after it.
 *
 * Windows that take turns write only such events. Only two windows that begin at the same moment need another fold.
 */

/** The first and the last event of a run. Stamps only: the events of a long log would need too much memory. */
interface RunSpan {
  readonly first: Stamp;
  last: Stamp;
  hasEnded: boolean;
}

/** The order of a growing log: just enough of it to place a new event. */
export class LiveOrder {
  readonly #runs = new Map<string, RunSpan>();
  /** The last event of each order. An event of a run counts as the first event of that run. */
  readonly #latest = new Map<Order, Stamp>();
  /** The greatest stamp before the loaded events; null when the whole log is loaded. */
  readonly #floor: Stamp | null;

  constructor(floor: Stamp | null) {
    this.#floor = floor;
  }

  /** Adds an event. Returns whether folding it after all others gives the same state as folding in log order. */
  add(event: ChatEvent): boolean {
    const runId = runOf(event);
    const run = runId === null ? undefined : this.#runs.get(runId);
    if (run !== undefined) {
      return this.#addTo(run, event);
    }
    const stamp = { seq: event.seq, writer: event.writer };
    if (runId !== null) {
      this.#runs.set(runId, { first: stamp, last: stamp, hasEnded: endedRun(event) !== null });
    }
    const order = orderOf(event);
    // The run of such an event began before the loaded events, so the event belongs before them, too.
    const mayBegin = this.#floor === null || runId === null || beginsRun(event);
    return mayBegin && this.#isLatest(order === 'run' ? 'conversation' : order, stamp);
  }

  #addTo(run: RunSpan, event: ChatEvent): boolean {
    const order = run.hasEnded && event.type === 'message' ? 'conversation' : orderOf(event);
    const isNext = compareStamps(run.last, event) < 0;
    run.last = { seq: event.seq, writer: event.writer };
    run.hasEnded ||= endedRun(event) !== null;
    return isNext && (order === 'run' || this.#isLatest(order, run.first));
  }

  #isLatest(order: Order, first: Stamp): boolean {
    const latest = this.#latest.get(order) ?? this.#floor;
    const isLatest = latest === null || compareStamps(latest, first) <= 0;
    if (isLatest) {
      this.#latest.set(order, first);
    }
    return isLatest;
  }
}
