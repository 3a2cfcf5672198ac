import { beginsRun, endedRun, runOf, type ChatEvent } from '../event.js';
import { orderOf, type Order } from '../rules.js';
import { compareStamps, type Stamp } from './stamp.js';

/*
 * Decides whether an event of another window can be folded last, or the whole log must be folded again:
 *
 * - An event is ordered only among events of the same `Order`. For example, a title does not depend on messages.
 * - An event that changes only its run is ordered only within that run.
 * - A message after the end of its run belongs where that run began: the run only seemed dead, and a rewind may follow.
 * - So an event may be folded last if no event of its `Order` sorts after it.
 *
 * Windows that take turns write only such events. Two windows that begin at the same moment need a new fold.
 */

/** The first and the last event of a run. Stamps only: the events of a long log need too much memory. */
interface RunSpan {
  readonly first: Stamp;
  last: Stamp;
  hasEnded: boolean;
}

/** The order of a growing log, reduced to what placing a new event needs. */
export class LiveOrder {
  readonly #runs = new Map<string, RunSpan>();
  /** The last event of each order. An event of a run counts as the first event of that run. */
  readonly #latest = new Map<Order, Stamp>();
  /** The greatest stamp before the loaded events. Null if the whole log is loaded. */
  readonly #floor: Stamp | null;

  constructor(floor: Stamp | null) {
    this.#floor = floor;
  }

  /** Adds an event. Returns whether folding it last gives the same state as folding in log order. */
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
    // Such a run began before the loaded events, so the event belongs before them, too.
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
