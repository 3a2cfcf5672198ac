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
  const { events, faults } = await readUnion(folder, unsaved, reader);
  const found = await runStates(folder, events, reader);
  if (found.every(({ state }) => state === 'alive')) {
    return { events, faults, readOnly: readOnlyReason(faults), openRuns: found };
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

type Union = Pick<ChatContent, 'events' | 'faults'>;

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
  };
}

async function readPart(folder: string, writer: string, reader: Reader): Promise<Union> {
  let content: SegmentContent;
  try {
    content = readSegment(await readFile(join(folder, segmentName(writer))), writer);
  } catch (thrown) {
    const reason = plainReason(thrown);
    return { events: [], faults: [{ segment: segmentName(writer), line: null, kind: 'unreadable', reason }] };
  }
  const { events, faults, unfinished } = content;
  // A last line that its writer is just writing is not torn.
  const isTorn = unfinished !== null && (await writerState(folder, writer, reader.self, reader.clock)) === 'dead';
  return { events, faults: isTorn ? [...faults, unfinished] : faults };
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
