import { beginsRun, runOf, type ChatEvent } from './event.js';
import { orderOf, type Order } from './rules.js';
import { compareStamps, type Stamp } from './stamp.js';

/*
 * What decides whether an event of another window can simply be folded on. Only events of one slice have an order among
 * each other: a title says nothing about the conversation. What changes nothing but its run has an order within that run
 * only. An event may be folded after everything known when nothing of its slice sorts behind it. Two windows that take
 * turns never write anything else; only when both began at the same moment does the log have to be folded again.
 */

/** Stamps alone: the events of a long log would fill the memory. */
interface RunSpan {
  readonly first: Stamp;
  last: Stamp;
}

/** The order of a log that grows while it is shown, as far as it decides where a new event goes. */
export class LiveOrder {
  readonly #runs = new Map<string, RunSpan>();
  /** What stands last of each order: the first event of its run, or the event itself. */
  readonly #latest = new Map<Order, Stamp>();
  /** The greatest stamp before the events that are here; null when all are. */
  readonly #floor: Stamp | null;

  constructor(floor: Stamp | null) {
    this.#floor = floor;
  }

  /** Takes in an event. Returns whether folding it after all others gives the state that folding in log order gives. */
  add(event: ChatEvent): boolean {
    const runId = runOf(event);
    const run = runId === null ? undefined : this.#runs.get(runId);
    const stamp = { seq: event.seq, writer: event.writer };
    const order = orderOf(event);
    if (run !== undefined) {
      const isNext = compareStamps(run.last, stamp) < 0;
      run.last = stamp;
      return isNext && (order === 'run' || this.#isLatest(order, run.first));
    }
    if (runId !== null) {
      this.#runs.set(runId, { first: stamp, last: stamp });
    }
    // What goes on with a run that did not begin here belongs before the events that are here.
    const mayBegin = this.#floor === null || runId === null || beginsRun(event);
    return mayBegin && this.#isLatest(order === 'run' ? 'conversation' : order, stamp);
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
