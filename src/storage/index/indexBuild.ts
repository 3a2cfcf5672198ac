import { beginsRun, runOf, type ChatEvent } from '../../engine/chat/event.js';
import { chatOpening } from '../../engine/chat/opening.js';
import { compareStamps, type Stamp } from '../../engine/chat/stamp.js';
import { type ChatState, countMessages } from '../../engine/chat/state.js';
import { isConversation } from '../../engine/chat/message.js';
import { clearedState, snapshotOf } from '../../engine/chat/snapshot.js';
import { inWriterOrder } from '../chatReader.js';
import type { LogMerge } from '../logMerge.js';
import { endedRun } from '../runs.js';
import { readOnlyReason, type SegmentFault } from '../segment.js';
import type { Beginnings } from './beginnings.js';
import type { IndexLimits } from './limits.js';
import type { ChatRow, Place } from './opened.js';
import { foldBehind, foldWhole } from './part.js';
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
  /** Up to `start`; takes what is recorded. */
  readonly beginnings: Beginnings;
  readonly limits: IndexLimits;
  /** Takes a place that is due. */
  readonly record: (recorded: Recorded) => void;
}

/** A place with its record. */
export interface Recorded {
  readonly place: Place;
  readonly bytes: Buffer;
}

/** How much longer a part where there can be no place has to get before that is tried again. */
const PATIENCE = 1.5;

/**
 * Takes the events of a log one by one and finds the places that are due: where no run is open, and enough has come
 * since the last one. From each place on the fold begins anew, so that memory stays bounded. Each place is thereby one
 * that a reading from the place before it finds as well.
 *
 * No opening is to read much more than the end of the conversation, so where that stands far apart in the log a place
 * carries it. What sets the conversation aside, or brings it back, gets a place at once: whatever follows, it is not to
 * be read through again. Only where a run of another window is open there, or the log has lines of a newer Loupe, no
 * place can be, and each opening reads from before that until the run ends, or for ever.
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
  /** Before so many are read for the end of the conversation, there is no use in trying to carry it. */
  #leastReach: number;

  constructor(parts: BuildParts) {
    this.#parts = parts;
    this.#start = parts.start;
    this.#last = parts.start?.last ?? null;
    this.#isCreated = parts.start !== null;
    this.#faultsBefore = parts.start?.faults ?? [];
    this.#leastReach = parts.limits.readAtOnce;
  }

  /** Takes the next event. Returns why the reading cannot go on; null when it can. */
  take(event: ChatEvent): Back | null {
    if (this.#start !== null && compareStamps(event, this.#start.last) <= 0) {
      return { from: this.#start, late: event, barrier: this.#barrierAt(event.writer) };
    }
    this.#add(event);
    const isDue = this.#isDue() && this.#events.length >= this.#leastEvents;
    if (!(isDue || this.#mayReachBack(event)) || !this.#canBegin()) {
      return null;
    }
    if (this.#start !== null && event.type === 'rewound' && event.to === null) {
      return this.#clear(this.#start, event.at);
    }
    return this.#check(isDue);
  }

  /** Whether all that was taken can be told from `#start` on; if so, records a place when one is due. */
  #check(isDue: boolean): Back | null {
    const state = this.#state();
    if (state === null) {
      return this.#reachedBack();
    }
    if (isDue) {
      this.#settle(state);
    }
    return null;
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
    if (this.#isDue() && this.#canBegin()) {
      this.#settle(state);
    }
    return { kind: 'row', row: rowOf(state) };
  }

  /** The conversation was set aside whole by the event just taken: a place is here without what was before `start`. */
  #clear(start: Place, at: number): Back | null {
    const before = foldBehind(start, this.#events.slice(0, -1));
    return before !== null && this.#settle(clearedState(before.fold.state, at)) ? null : this.#reachedBack();
  }

  #add(event: ChatEvent): void {
    this.#events.push(event);
    this.#last = this.#last === null || compareStamps(this.#last, event) < 0 ? event : this.#last;
    this.#messages += event.type === 'message' && isConversation(event.message) ? 1 : 0;
    this.#isCreated ||= event.type === 'chat-created';
    this.#followRun(event);
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

  /** Whether an event may be about what stands before the start. The first fold of all holds everything. */
  #mayReachBack({ type }: ChatEvent): boolean {
    return this.#start !== null && (type === 'rewound' || type === 'restored');
  }

  #isDue(): boolean {
    return this.#messages >= this.#parts.limits.placeMessages && this.#parts.merge.taken - this.#takenAtStart >= this.#leastBytes;
  }

  /** Whether a reading can begin here. */
  #canBegin(): boolean {
    const { merge, barrier } = this.#parts;
    if (this.#openRuns.size > 0 || !this.#isCreated || merge.tookUnended) {
      return false;
    }
    const position = merge.position();
    return [...barrier].every(([writer, offset]) => (position.get(writer)?.end.offset ?? 0) >= offset);
  }

  /** Records a place, if there can be one and the log has grown enough; returns whether it did. */
  #settle(state: ChatState): boolean {
    const { merge, limits, record, beginnings } = this.#parts;
    const plain = this.#place(state, 0);
    if (plain === null) {
      this.#leastEvents = Math.ceil(this.#events.length * PATIENCE);
      return false;
    }
    const least = plain.bytes.length * limits.logPerPlaceByte;
    const since = merge.taken - this.#takenAtStart;
    if (since < least) {
      // The next one may be smaller: what this one carries may be settled then.
      this.#leastBytes = Math.min(least, since * PATIENCE);
      return false;
    }
    const recorded = this.#carrying(state, plain.place) ?? plain;
    record(recorded);
    beginnings.add(recorded.place);
    this.#start = recorded.place;
    this.#takenAtStart = merge.taken;
    this.#events = [];
    this.#messages = 0;
    this.#seenRuns.clear();
    this.#leastEvents = 0;
    this.#leastBytes = 0;
    return true;
  }

  /** The same place with the end of the conversation; null where that is read as quickly as it is written. */
  #carrying(state: ChatState, plain: Place): Recorded | null {
    const { limits, beginnings } = this.#parts;
    const reach = plain.isEnough ? 0 : beginnings.reach(plain);
    if (reach <= this.#leastReach) {
      return null;
    }
    const carrying = this.#place(state, limits.carriedMessages);
    const least = (carrying?.bytes.length ?? 0) * limits.logPerPlaceByte;
    this.#leastReach = Math.max(limits.readAtOnce, least);
    return reach < least ? null : carrying;
  }

  /** Null where there can be none. */
  #place(state: ChatState, carried: number): Recorded | null {
    const { merge } = this.#parts;
    const snapshot = snapshotOf(state, carried);
    const faults = [...this.#faultsBefore, ...inWriterOrder(merge.faults())];
    // Another version of Loupe would make something else of a log with lines that are unknown here.
    if (snapshot === null || this.#last === null || readOnlyReason(faults) !== null) {
      return null;
    }
    const { seq, writer } = this.#last;
    const isEnough = carried > 0 || snapshot.earlier.items === 0;
    const place: Place = { snapshot, position: merge.position(), last: { seq, writer }, faults, isEnough };
    return { place, bytes: encodePlace(place) };
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
