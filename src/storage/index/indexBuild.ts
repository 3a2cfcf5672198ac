import { runOf, type ChatEvent } from '../../engine/chat/event.js';
import type { ChatState } from '../../engine/chat/fold.js';
import { isConversation } from '../../engine/chat/message.js';
import { compareStamps, type Stamp } from '../../engine/chat/order.js';
import { chatOpening, countMessages, snapshotOf } from '../../engine/chat/snapshot.js';
import { inWriterOrder } from '../chatReader.js';
import type { LogMerge } from '../logMerge.js';
import { endedRun } from '../runs.js';
import { readOnlyReason } from '../segment.js';
import type { SegmentFault } from '../segment.js';
import type { IndexLimits } from './limits.js';
import type { ChatRow, Place } from './opened.js';
import { beginsRun, foldBehind, foldWhole } from './part.js';
import { encodePlace } from './place.js';

/** Why the reading has to begin again, further back than `from`. */
export interface Back {
  readonly from: Place | null;
  /** The stamp of an event that came too late: no place after it is right any more. Null for something else. */
  readonly late: Stamp | null;
  /** No place is recorded before the reading has passed this. */
  readonly barrier: ReadonlyMap<string, number>;
}

/** How far a reading has come. */
export type BuildEnd = { readonly kind: 'row'; readonly row: ChatRow | null } | { readonly kind: 'back'; readonly back: Back };

export interface BuildParts {
  readonly merge: LogMerge;
  /** Where the merge begins. */
  readonly start: Place | null;
  readonly barrier: ReadonlyMap<string, number>;
  readonly limits: IndexLimits;
  /** Takes a place that is due, with its record. */
  readonly record: (place: Place, record: Buffer) => void;
}

/** How much longer what could not be settled has to get before that is tried again. */
const PATIENCE = 1.5;

/**
 * Takes the events of a log one by one and finds the places that are due: where no run is open, nothing waits for what
 * comes next, and enough has come since the last one. From each place on the fold begins anew, so that memory stays
 * bounded. Each place is thereby one that a reading from the place before it finds as well.
 */
export class IndexBuild {
  readonly #parts: BuildParts;
  readonly #faultsBefore: readonly SegmentFault[];
  #start: Place | null;
  /** What the merge had taken at `#start`, in bytes. */
  #takenAtStart = 0;
  #events: ChatEvent[] = [];
  #messages = 0;
  #isCreated: boolean;
  readonly #openRuns = new Set<string>();
  readonly #seenRuns = new Set<string>();
  #last: Stamp | null;
  /** Before so many are there, there is no use in trying. */
  #leastEvents = 0;
  #leastBytes = 0;

  constructor(parts: BuildParts) {
    this.#parts = parts;
    this.#start = parts.start;
    this.#last = parts.start?.last ?? null;
    this.#isCreated = parts.start !== null;
    this.#faultsBefore = parts.start?.faults ?? [];
  }

  /** Takes the next event. Returns why the reading cannot go on; null when it can. */
  take(event: ChatEvent): Back | null {
    if (this.#start !== null && compareStamps(event, this.#start.last) <= 0) {
      return { from: this.#start, late: event, barrier: this.#barrierAt(event.writer) };
    }
    this.#events.push(event);
    this.#last = this.#last === null || compareStamps(this.#last, event) < 0 ? event : this.#last;
    this.#messages += event.type === 'message' && isConversation(event.message) ? 1 : 0;
    this.#isCreated ||= event.type === 'chat-created';
    this.#followRun(event);
    if (!this.#isDue() || this.#events.length < this.#leastEvents) {
      return null;
    }
    const state = this.#state();
    if (state !== null) {
      this.#settle(state);
    }
    return state === null ? this.#reachedBack() : null;
  }

  /** Once all events were taken. */
  end(): BuildEnd {
    if (this.#start === null && !this.#isCreated) {
      return { kind: 'row', row: null };
    }
    const state = this.#state();
    if (state === null) {
      return { kind: 'back', back: this.#reachedBack() };
    }
    if (this.#isDue()) {
      this.#settle(state);
    }
    return { kind: 'row', row: rowOf(state) };
  }

  #followRun(event: ChatEvent): void {
    const runId = runOf(event);
    // One that began before the start is none of this part's, which comes out when that is folded.
    if (runId !== null && !this.#seenRuns.has(runId) && (this.#start === null || beginsRun(event))) {
      this.#openRuns.add(runId);
    }
    if (runId !== null) {
      this.#seenRuns.add(runId);
    }
    const ended = endedRun(event);
    if (ended !== null) {
      this.#openRuns.delete(ended);
    }
  }

  /** Whether a place is due here, if the state is settled. */
  #isDue(): boolean {
    const { merge, limits, barrier } = this.#parts;
    if (this.#openRuns.size > 0 || this.#messages < limits.placeMessages || !this.#isCreated || merge.tookUnended) {
      return false;
    }
    const position = merge.position();
    const isPastBarrier = [...barrier].every(([writer, offset]) => (position.get(writer)?.end.offset ?? 0) >= offset);
    return isPastBarrier && merge.taken - this.#takenAtStart >= this.#leastBytes;
  }

  /** Records a place, if the state is settled and the log has grown enough. */
  #settle(state: ChatState): void {
    const { merge, limits, record } = this.#parts;
    const snapshot = snapshotOf(state);
    const faults = [...this.#faultsBefore, ...inWriterOrder(merge.faults())];
    // Another version of Loupe would make something else of a log with lines that are unknown here.
    if (snapshot === null || this.#last === null || readOnlyReason(faults) !== null) {
      this.#leastEvents = Math.ceil(this.#events.length * PATIENCE);
      return;
    }
    const { seq, writer } = this.#last;
    const place: Place = { snapshot, position: merge.position(), last: { seq, writer }, faults };
    const bytes = encodePlace(place);
    if (merge.taken - this.#takenAtStart < bytes.length * limits.logPerPlaceByte) {
      this.#leastBytes = bytes.length * limits.logPerPlaceByte;
      return;
    }
    record(place, bytes);
    this.#start = place;
    this.#takenAtStart = merge.taken;
    this.#events = [];
    this.#messages = 0;
    this.#seenRuns.clear();
    this.#leastEvents = 0;
    this.#leastBytes = 0;
  }

  /** The state here; null when it cannot be told from `#start` on. */
  #state(): ChatState | null {
    const part = this.#start === null ? foldWhole(this.#events) : foldBehind(this.#start, this.#events);
    return part?.fold.state ?? null;
  }

  #reachedBack(): Back {
    const offsets = [...this.#parts.merge.position()].map(([writer, { end }]) => [writer, end.offset] as const);
    return { from: this.#start, late: null, barrier: new Map(offsets) };
  }

  /** Behind the event that was just taken; nowhere, when that is not written to its end. */
  #barrierAt(writer: string): ReadonlyMap<string, number> {
    const { merge } = this.#parts;
    return new Map([[writer, merge.tookUnended ? Infinity : (merge.position().get(writer)?.end.offset ?? 0)]]);
  }
}

function rowOf(state: ChatState): ChatRow {
  const { title, updatedAt } = state;
  return { title, opening: chatOpening(state), messages: countMessages(state), updatedAt };
}
