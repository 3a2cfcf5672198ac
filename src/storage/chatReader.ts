import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatEvent } from '../engine/chat/event.js';
import { failure } from '../engine/errors.js';
import { STORAGE_WORK } from '../engine/failures/storage.js';
import { storageError, systemCode } from './failure.js';
import { segmentName, segmentWriter } from './layout.js';
import type { SegmentSize } from './segmentSizes.js';
import type { SignsOfLife, WriterIdentity, WriterState } from './liveness.js';
import { LogMerge, type LogRange, type ReadPosition } from './logMerge.js';
import { openRuns } from './runs.js';
import type { SegmentFault } from './segment.js';
import { SegmentChanged } from './segmentCursor.js';
import { readSegmentGrowth, UNREAD, type SegmentGrowth, type SegmentMark } from './segmentGrowth.js';

/** A run without an end. One whose writer is dead is to be closed as interrupted by whoever finds it. */
export interface OpenRun {
  readonly runId: string;
  readonly writer: string;
  readonly state: WriterState;
}

/** How a chat is on the disk, beside its events. */
export interface ChatContent {
  readonly faults: readonly SegmentFault[];
  /** Why the chat must not be continued, in plain words; null when it may be. */
  readonly readOnly: string | null;
  readonly openRuns: readonly OpenRun[];
  readonly position: ReadPosition;
}

/** What other writers have added to a chat since it was read. */
export interface ChatGrowth {
  /** Each writer's in its order; not in log order. */
  readonly events: readonly ChatEvent[];
  readonly faults: readonly SegmentFault[];
  readonly position: ReadPosition;
}

/** The one who reads: its own writer is always alive. */
export interface Reader {
  readonly self: WriterIdentity;
  readonly signs: SignsOfLife;
}

/** What is on the disk of a chat behind a position. */
export interface LogTail {
  /** By stamp, with those that are unsaved; not in log order. */
  readonly events: readonly ChatEvent[];
  /** By writer. */
  readonly faults: ReadonlyMap<string, readonly SegmentFault[]>;
  readonly position: ReadPosition;
}

/** What is known before the segments of a chat are read. */
export interface BeforeReading {
  /** Events of the reader's own that may or may not be on the disk yet. */
  readonly unsaved: readonly ChatEvent[];
  /** The segments as they were seen after `unsaved` was taken; null when nobody looked. */
  readonly sizes: readonly SegmentSize[] | null;
}

/**
 * Reads the union of a chat's segments behind `from`, or whole for null, with the events that are unsaved. Throws `SegmentChanged` when the
 * segments are not those of `from`, and `storage` when there is nothing, or the folder cannot be read: an empty chat
 * would claim that there is no history.
 */
export async function readLogTail(
  folder: string,
  from: ReadPosition | null,
  { unsaved, sizes }: BeforeReading,
  reader: Reader,
): Promise<LogTail> {
  const merge = await openMerge(folder, { from, until: null, sizes });
  if (merge === null) {
    if (unsaved.length === 0) {
      throw failure('storage.noHistory');
    }
    return { events: unsaved, faults: new Map(), position: new Map() };
  }
  const saved = await takeAll(merge);
  const ids = new Set(unsaved.length === 0 ? [] : saved.map(({ id }) => id));
  const { faults, unfinished, position } = merge.rest();
  const torn = await Promise.all(
    [...unfinished].map(async ([writer, fault]) => {
      // A last line that its writer is just writing is not torn.
      const state = await reader.signs.writerState(folder, writer);
      return [writer, state === 'dead' ? [...(faults.get(writer) ?? []), fault] : (faults.get(writer) ?? [])] as const;
    }),
  );
  const events = [...saved, ...unsaved.filter(({ id }) => !ids.has(id))];
  return { events, faults: new Map([...faults, ...torn]), position };
}

/** All events of a range, by stamp. Throws what `LogMerge` does. */
export async function takeAll(merge: LogMerge): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  while (await merge.fill()) {
    for (let event = merge.take(); event !== null; event = merge.take()) {
      events.push(event);
    }
  }
  return events;
}

/** Null when there is no segment. */
async function openMerge(folder: string, range: LogRange): Promise<LogMerge | null> {
  try {
    const merge = await LogMerge.open(folder, range);
    return merge.isEmpty ? null : merge;
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') {
      return null;
    }
    throw thrown instanceof SegmentChanged ? thrown : storageError(STORAGE_WORK.open, thrown);
  }
}

/** The faults of several segments as one list. */
export function inWriterOrder(faults: ReadonlyMap<string, readonly SegmentFault[]>): readonly SegmentFault[] {
  return [...faults.keys()].sort().flatMap((writer) => faults.get(writer) ?? []);
}

/**
 * Reads events in log order, and finds the runs without an end among them. Reads again when the writer of one is
 * dead: it may have ended a run, and with it the sign of life, after the lines were read and before the sign was
 * looked for. All that a dead writer wrote is there then: what is still open was open when it died.
 */
export async function withOpenRuns<T extends { readonly events: readonly ChatEvent[] }>(
  folder: string,
  read: () => Promise<T>,
  reader: Reader,
): Promise<T & { readonly openRuns: readonly OpenRun[] }> {
  const content = await read();
  const found = await Promise.all(
    [...openRuns(content.events)].map(async ([runId, writer]): Promise<OpenRun> => {
      const state = await reader.signs.writerState(folder, writer);
      return { runId, writer, state };
    }),
  );
  const dead = new Set(found.filter(({ state }) => state === 'dead').map(({ runId }) => runId));
  if (dead.size === 0) {
    return { ...content, openRuns: found };
  }
  const again = await read();
  const runs = [...openRuns(again.events)].map(
    ([runId, writer]): OpenRun => ({ runId, writer, state: dead.has(runId) ? 'dead' : 'alive' }),
  );
  return { ...again, openRuns: runs };
}

/**
 * Reads what other writers have added behind `position`: of each segment the new bytes only, of the reader's own
 * nothing. A last line without line feed waits until it is whole. Null when a segment has changed in another way
 * than by growing, so that the chat has to be read whole. Throws Node's system errors.
 */
export async function readChatGrowth(folder: string, position: ReadPosition, reader: Reader): Promise<ChatGrowth | null> {
  const self = reader.self.writerId;
  const writers = (await readdir(folder)).map(segmentWriter).filter((writer) => writer !== null && writer !== self);
  if ([...position.keys()].some((writer) => writer !== self && !writers.includes(writer))) {
    return null;
  }
  const events: ChatEvent[] = [];
  const faults: SegmentFault[] = [];
  const after = new Map(position);
  for (const writer of writers.filter((each) => each !== null).sort()) {
    const known = position.get(writer);
    const content = await segmentGrowth(folder, writer, known === undefined ? UNREAD : known);
    if (content === 'changed') {
      return null;
    }
    if (content !== 'same') {
      events.push(...content.events);
      faults.push(...content.faults);
      after.set(writer, content.mark);
    }
  }
  return { events, faults, position: after };
}

/** `known` is null for a segment that could not be read: it is a damage of the chat until that is read whole. */
async function segmentGrowth(folder: string, writer: string, known: SegmentMark | null): Promise<SegmentGrowth | 'changed' | 'same'> {
  try {
    const growth = await readSegmentGrowth(join(folder, segmentName(writer)), writer, known ?? UNREAD);
    return known === null ? 'changed' : growth;
  } catch (thrown) {
    if (systemCode(thrown) === null) {
      throw thrown;
    }
    // Reading it whole tells the reason.
    return known === null ? 'same' : 'changed';
  }
}
