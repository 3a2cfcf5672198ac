import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatEvent } from '../engine/chat/event.js';
import { systemCode } from './failure.js';
import { segmentName, segmentWriter } from './layout.js';
import type { SignsOfLife, WriterIdentity } from './liveness.js';
import type { ReadPosition } from './logMerge.js';
import type { SegmentFault } from './segment.js';
import { readSegmentGrowth, UNREAD, type SegmentGrowth, type SegmentMark } from './segmentGrowth.js';

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

/** The faults of several segments as one list. */
export function inWriterOrder(faults: ReadonlyMap<string, readonly SegmentFault[]>): readonly SegmentFault[] {
  return [...faults.keys()].sort().flatMap((writer) => faults.get(writer) ?? []);
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
