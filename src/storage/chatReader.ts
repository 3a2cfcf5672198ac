import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatEvent } from '../engine/chat/event.js';
import { logOrder } from '../engine/chat/order.js';
import type { Clock } from '../engine/ports.js';
import { plainReason, storageError, systemCode } from './failure.js';
import { segmentName, segmentWriter } from './layout.js';
import { writerState } from './liveness.js';
import type { WriterIdentity, WriterState } from './liveness.js';
import { openRuns } from './runs.js';
import { readOnlyReason, readSegment } from './segment.js';
import type { SegmentContent, SegmentFault } from './segment.js';
import { readSegmentGrowth, UNREAD } from './segmentGrowth.js';
import type { SegmentGrowth, SegmentMark } from './segmentGrowth.js';

/** A run without an end. One whose writer is dead is to be closed as interrupted by whoever finds it. */
export interface OpenRun {
  readonly runId: string;
  readonly writer: string;
  readonly state: WriterState;
}

/** What is on the disk of a chat. */
export interface ChatContent {
  /** In log order. */
  readonly events: readonly ChatEvent[];
  readonly faults: readonly SegmentFault[];
  /** Why the chat must not be continued, in plain words; null when it may be. */
  readonly readOnly: string | null;
  readonly openRuns: readonly OpenRun[];
  readonly position: ReadPosition;
}

/** How far each segment was read, by writer; null for one that could not be read. */
export type ReadPosition = ReadonlyMap<string, SegmentMark | null>;

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
  readonly clock: Clock;
}

/**
 * Reads the union of a chat's segments, with `unsaved` events of the reader's own that may or may not be on the
 * disk yet; they must have been taken before the call. Throws a `LoupeError` (`storage`) when there is nothing,
 * or the folder cannot be read: an empty chat would claim that there is no history.
 */
export async function readChatFolder(
  folder: string,
  unsaved: readonly ChatEvent[],
  reader: Reader,
): Promise<ChatContent> {
  const union = await readUnion(folder, unsaved, reader);
  const found = await runStates(folder, union.events, reader);
  if (found.every(({ state }) => state === 'alive')) {
    return { ...union, readOnly: readOnlyReason(union.faults), openRuns: found };
  }
  // Its writer may have ended a run, and with it the sign of life, after the lines were read and before the sign
  // was looked for. All that a dead writer wrote is there now: what is still open was open when it died.
  const again = await readUnion(folder, unsaved, reader);
  const dead = new Set(found.filter(({ state }) => state === 'dead').map(({ runId }) => runId));
  const runs = [...openRuns(again.events)].map(
    ([runId, writer]): OpenRun => ({ runId, writer, state: dead.has(runId) ? 'dead' : 'alive' }),
  );
  return { ...again, readOnly: readOnlyReason(again.faults), openRuns: runs };
}

async function runStates(folder: string, events: readonly ChatEvent[], reader: Reader): Promise<OpenRun[]> {
  const runs = [...openRuns(events)].map(async ([runId, writer]): Promise<OpenRun> => {
    const state = await writerState(folder, writer, reader.self, reader.clock);
    return { runId, writer, state };
  });
  return Promise.all(runs);
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
async function segmentGrowth(
  folder: string,
  writer: string,
  known: SegmentMark | null,
): Promise<SegmentGrowth | 'changed' | 'same'> {
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

interface Union {
  readonly events: readonly ChatEvent[];
  readonly faults: readonly SegmentFault[];
  readonly position: ReadPosition;
}

async function readUnion(folder: string, unsaved: readonly ChatEvent[], reader: Reader): Promise<Union> {
  const writers = (await fileNames(folder)).map(segmentWriter).filter((writer) => writer !== null);
  if (writers.length === 0 && unsaved.length === 0) {
    throw storageError('This chat could not be opened', new Error('its folder holds no history'));
  }
  const parts = await Promise.all(writers.sort().map((writer) => readPart(folder, writer, reader)));
  const saved = parts.flatMap(({ events }) => events);
  const ids = new Set(unsaved.length === 0 ? [] : saved.map(({ id }) => id));
  return {
    events: logOrder([...saved, ...unsaved.filter(({ id }) => !ids.has(id))]),
    faults: parts.flatMap(({ faults }) => faults),
    position: new Map(parts.map(({ writer, mark }) => [writer, mark])),
  };
}

interface Part {
  readonly writer: string;
  readonly events: readonly ChatEvent[];
  readonly faults: readonly SegmentFault[];
  readonly mark: SegmentMark | null;
}

async function readPart(folder: string, writer: string, reader: Reader): Promise<Part> {
  let content: SegmentContent;
  try {
    content = readSegment(await readFile(join(folder, segmentName(writer))), writer);
  } catch (thrown) {
    const reason = plainReason(thrown);
    const fault = { segment: segmentName(writer), line: null, kind: 'unreadable', reason } as const;
    return { writer, events: [], faults: [fault], mark: null };
  }
  const { events, faults, unfinished, end } = content;
  // A last line that its writer is just writing is not torn.
  const isTorn = unfinished !== null && (await writerState(folder, writer, reader.self, reader.clock)) === 'dead';
  return { writer, events, faults: isTorn ? [...faults, unfinished] : faults, mark: { ...UNREAD, end } };
}

async function fileNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') {
      return [];
    }
    throw storageError('This chat could not be opened', thrown);
  }
}
