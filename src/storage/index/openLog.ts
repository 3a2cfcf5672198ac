import type { ChatEvent } from '../../engine/chat/event.js';
import { failure } from '../../engine/errors.js';
import { STORAGE_WORK } from '../../engine/failures/storage.js';
import { inWriterOrder, readLogTail, takeAll, withOpenRuns, type BeforeReading, type LogTail, type Reader } from '../chatReader.js';
import { storageError } from '../failure.js';
import { segmentName } from '../layout.js';
import { LogMerge } from '../logMerge.js';
import { readOnlyReason, type SegmentFault } from '../segment.js';
import { SegmentChanged } from '../segmentCursor.js';
import type { EarlierPart, OpenedChat, Place } from './opened.js';
import { foldBehind, foldWhole } from './part.js';
import { fits, isBefore, messagesBehind, messagesBetween, reachesCarried } from './place.js';
import type { PlaceLine } from './placesFile.js';

/** The places of a chat from the newest back, of those before one or of all. */
export type Places = (before: Place | null) => AsyncIterable<PlaceLine>;

export interface OpenParts {
  readonly folder: string;
  readonly reader: Reader;
  readonly places: Places;
  /** See `IndexLimits`. */
  readonly placesTail: number;
}

/** What is known before each reading. */
export class Looks {
  readonly #unsaved: () => readonly ChatEvent[];
  #first: BeforeReading | null;

  /** `first` is what is known already; null for nothing. */
  constructor(unsaved: () => readonly ChatEvent[], first: BeforeReading | null) {
    this.#unsaved = unsaved;
    this.#first = first;
  }

  /** What was seen before the first reading is old for the next one. */
  next(): BeforeReading {
    const next = this.#first ?? { unsaved: this.#unsaved(), sizes: null };
    this.#first = null;
    return next;
  }
}

type Read = Pick<OpenedChat, 'fold' | 'start' | 'events' | 'faults' | 'position'>;

/**
 * Reads a chat from the newest place with `wanted` messages behind it; from an earlier one, and in the end whole, as
 * long as that does not give what the whole log gives. Rejects as `readLogTail` does.
 */
export async function openLog(wanted: number, looks: Looks, parts: OpenParts): Promise<OpenedChat> {
  const { folder, reader } = parts;
  const read = async (): Promise<Read> => {
    if (wanted < Infinity) {
      for await (const place of placesToTry(wanted, parts)) {
        const found = await readFrom(place, looks.next(), parts);
        if (found !== null) {
          return found;
        }
      }
    }
    return readWhole(looks.next(), parts);
  };
  const opened = await withOpenRuns(folder, read, reader);
  return { ...opened, readOnly: readOnlyReason(opened.faults) };
}

/** Of the places without a message behind them so many times as much is read: whoever opens a chat wants to see something. */
const MOST_TAILS = 8;

/** The first one has what is wanted. When that fails, each next one is further back: what is reached back to may be far. */
async function* placesToTry(wanted: number, { places, placesTail }: OpenParts): AsyncGenerator<Place, void, void> {
  let newest: PlaceLine | null = null;
  let oldest: PlaceLine | null = null;
  let tried = 0;
  let skipped = 0;
  for await (const line of places(null)) {
    newest ??= line;
    if (tried > 0) {
      skipped -= 1;
    } else if (!holds(line.place, wanted, newest.place)) {
      const isEmpty = oldest === null || messagesBehind(oldest.place, newest.place) === 0;
      if (oldest === null || newest.end - line.start <= placesTail * (isEmpty ? MOST_TAILS : 1)) {
        oldest = line;
        continue;
      }
      // Looking for one that is enough would take long: the rest can be read when it is asked for.
      tried += 1;
      yield oldest.place;
    }
    if (skipped <= 0) {
      tried += 1;
      skipped = 2 ** tried;
      yield line.place;
    }
  }
}

function holds(place: Place, wanted: number, newest: Place): boolean {
  return place.isEnough || messagesBehind(place, newest) >= wanted;
}

async function readFrom(start: Place, before: BeforeReading, { folder, reader }: OpenParts): Promise<Read | null> {
  let tail: LogTail;
  try {
    tail = await readLogTail(folder, start.position, before, reader);
  } catch (thrown) {
    if (thrown instanceof SegmentChanged) {
      return null;
    }
    throw thrown;
  }
  const part = foldBehind(start, tail.events);
  return part === null ? null : { ...part, start, position: tail.position, faults: joinFaults(start.faults, tail.faults) };
}

async function readWhole(before: BeforeReading, { folder, reader }: OpenParts): Promise<Read> {
  try {
    const { events, faults, position } = await readLogTail(folder, null, before, reader);
    const inOrder = inWriterOrder(faults);
    if (!events.some(({ type }) => type === 'chat-created')) {
      refuseUnknown(inOrder);
    }
    return { ...foldWhole(events), start: null, position, faults: inOrder };
  } catch (thrown) {
    throw storageError(STORAGE_WORK.open, thrown);
  }
}

/** Throws why the beginning of a chat may be missing; returns when it is just not there. */
function refuseUnknown(faults: readonly SegmentFault[]): void {
  const unreadable = faults.find(({ kind }) => kind === 'unreadable');
  if (unreadable !== undefined) {
    throw failure('storage.damagedSegment', unreadable);
  }
  if (readOnlyReason(faults) !== null) {
    throw failure('storage.newerLog');
  }
}

/** Faults of segments, with those that were found behind them, by segment. */
function joinFaults(before: readonly SegmentFault[], found: ReadonlyMap<string, readonly SegmentFault[]>): readonly SegmentFault[] {
  const all = new Map(
    [...found].map(([writer, faults]) => [writer, [...before.filter(({ segment }) => segment === segmentName(writer)), ...faults]]),
  );
  return inWriterOrder(all);
}

/**
 * Reads what stands directly before a place: `wanted` messages, fewer where more would take long, or more. Rejects with `storage` when the log is not the one that the place is of.
 */
export async function readBefore(before: Place, wanted: number, parts: OpenParts): Promise<EarlierPart> {
  let skipped = 0;
  let tried = 0;
  try {
    for await (const { place } of parts.places(before)) {
      if (!isBefore(place, before) || !reachesCarried(place, before) || (!place.isEnough && messagesBetween(place, before) < wanted)) {
        continue;
      }
      skipped -= 1;
      if (skipped < 0) {
        const part = await readBetween(place, before, parts);
        if (part !== null) {
          return part;
        }
        skipped = 2 ** tried;
        tried += 1;
      }
    }
    const part = await readBetween(null, before, parts);
    if (part !== null) {
      return part;
    }
  } catch (thrown) {
    throw storageError(STORAGE_WORK.readEarlier, thrown);
  }
  throw failure('storage.otherFiles');
}

/** Null when they do not belong together, or what is between them is about something before. */
async function readBetween(start: Place | null, end: Place, { folder }: OpenParts): Promise<EarlierPart | null> {
  try {
    const merge = await LogMerge.open(folder, { from: start?.position ?? null, until: end.position, sizes: null });
    const events = await takeAll(merge);
    const { faults } = merge.rest();
    if (!(await fits(folder, end))) {
      return null;
    }
    const part = start === null ? foldWhole(events) : foldBehind(start, events);
    const known = new Set(end.faults.map(faultName));
    const fresh = inWriterOrder(faults).filter((fault) => !known.has(faultName(fault)));
    return part === null ? null : { start, state: part.fold.state, faults: fresh };
  } catch (thrown) {
    if (thrown instanceof SegmentChanged) {
      return null;
    }
    throw thrown;
  }
}

function faultName({ segment, line, kind }: SegmentFault): string {
  return `${segment} ${String(line)} ${kind}`;
}
