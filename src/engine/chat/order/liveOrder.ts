import { beginsRun, endedRun, runOf, type ChatEvent } from '../event.js';
import { orderOf, type Order } from '../rules.js';
import { compareStamps, type Stamp } from './stamp.js';

/*
 * Decides whether an event of another VS Code window can be added last, or the whole log must be folded again:
 *
 * - Only the order among events of the same `Order` matters. For example, a title does not depend on messages.
 * - For an event that changes only its run, only the order within that run matters.
 * - If a run logs a message after its end, the message is sorted to the start of the run. This happens when another
 *   window wrongly took the run for dead. If the user has rewound the chat since then, the place is on another branch.
 * - So an event can be added last if no event of its `Order` sorts after it.
 *
 * This is always true if windows write one after the other. If two windows write at the same moment, the log is folded
 * again.
 */

/** The first and the last event of a run. Only stamps are stored, because events would need too much memory. */
interface RunSpan {
  readonly first: Stamp;
  last: Stamp;
  hasEnded: boolean;
}

/** The order of a growing log. It stores only what is needed to find the place of a new event. */
export class LiveOrder {
  readonly #runs = new Map<string, RunSpan>();
  /** Stamp of the last event of each `Order`. For an event of a run, this is the stamp of the run's first event. */
  readonly #latest = new Map<Order, Stamp>();
  /** The greatest stamp of the events that are not loaded. Null if the whole log is loaded. */
  readonly #floor: Stamp | null;

  constructor(floor: Stamp | null) {
    this.#floor = floor;
  }

  /** Adds an event. Returns whether folding the event last gives the same state as folding all events in log order. */
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
    // False if the run began before the loaded events. The event is then sorted to the start of that run.
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
