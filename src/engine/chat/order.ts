import { runOf } from './event.js';
import type { ChatEvent } from './event.js';

/*
 * The order of a chat's log. Every writer has a segment of its own; the log is their union. Sorting the union by
 * (seq, writer) alone would mix two runs that were open at the same time, and with them a tool call and its
 * result. So a run moves as one group, placed by its first event, and every other event is a group of one. The
 * result depends on the set of events only, never on the order in which they were found.
 */

/** Events of one run, or one event outside runs, sorted by `compareStamps`. */
type Group = [ChatEvent, ...ChatEvent[]];

/** By Lamport clock, then by writer id; no two events of a chat are equal, since a writer never repeats a seq. */
function compareStamps(a: ChatEvent, b: ChatEvent): number {
  if (a.seq !== b.seq) {
    return a.seq - b.seq;
  }
  if (a.writer === b.writer) {
    return 0;
  }
  return a.writer < b.writer ? -1 : 1;
}

/** The union of segments, in any order, as the one log that every window sees. */
export function logOrder(events: readonly ChatEvent[]): ChatEvent[] {
  return new LogOrder(events).events();
}

/**
 * A log that grows while it is shown. Appending what belongs at its end, which is nearly every event of a chat
 * with one active window, costs the same at any length; an event of another window that sorts further up costs
 * a step for each group behind it.
 */
export class LogOrder {
  readonly #groups: Group[];
  readonly #runs = new Map<string, Group>();
  #size: number;

  constructor(events: readonly ChatEvent[]) {
    this.#size = events.length;
    this.#groups = [];
    for (const event of events) {
      const run = this.#runGroup(event);
      if (run === null) {
        this.#groups.push(this.#newGroup(event));
      } else {
        run.push(event);
      }
    }
    for (const run of this.#runs.values()) {
      run.sort(compareStamps);
    }
    this.#groups.sort((a, b) => compareStamps(a[0], b[0]));
  }

  /** Number of events. */
  get size(): number {
    return this.#size;
  }

  /** All events in log order, as a new array. */
  events(): ChatEvent[] {
    return this.#groups.flat();
  }

  /**
   * Adds an event that is not in the log yet. Returns the index of the first place where the log now differs:
   * the former `size` when the event went to the end, so that a fold just goes on; otherwise what was folded
   * from that index on has to be folded again. An event that becomes the first of its run moves the whole run.
   */
  add(event: ChatEvent): number {
    const run = this.#runGroup(event);
    this.#size += 1;
    if (run === null) {
      return this.#insert(this.#newGroup(event));
    }
    const place = placeFor(run, (other) => compareStamps(other, event) <= 0);
    run.splice(place, 0, event);
    const index = this.#groups.lastIndexOf(run);
    if (place > 0) {
      return this.#offset(index) + place;
    }
    this.#groups.splice(index, 1);
    return this.#insert(run);
  }

  #runGroup(event: ChatEvent): Group | null {
    const runId = runOf(event);
    return runId === null ? null : (this.#runs.get(runId) ?? null);
  }

  #newGroup(event: ChatEvent): Group {
    const group: Group = [event];
    const runId = runOf(event);
    if (runId !== null) {
      this.#runs.set(runId, group);
    }
    return group;
  }

  /** Puts a group, whose events `#size` counts already, in its place; returns the index of its first event. */
  #insert(group: Group): number {
    const place = placeFor(this.#groups, (other) => compareStamps(other[0], group[0]) <= 0);
    this.#groups.splice(place, 0, group);
    return this.#offset(place);
  }

  /** Index in the log of the first event of group number `place`, counted from the end, where changes happen. */
  #offset(place: number): number {
    return this.#groups.slice(place).reduce((offset, group) => offset - group.length, this.#size);
  }
}

/**
 * The index behind the last item that is `before` the new one, in a list where all such items come first.
 * Looks at the end first: that is where new events go.
 */
function placeFor<T>(items: readonly T[], before: (item: T) => boolean): number {
  const last = items.at(-1);
  if (last === undefined || before(last)) {
    return items.length;
  }
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && before(item)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
