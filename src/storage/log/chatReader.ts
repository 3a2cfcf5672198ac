import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatEvent } from '../../engine/chat/event.js';
import { systemCode } from '../files/failure.js';
import { segmentName, segmentWriter } from '../files/layout.js';
import type { SignsOfLife, WriterIdentity } from '../windows/liveness.js';
import { LogMerge, type ReadPosition } from './logMerge.js';
import { readRange } from '../files/regularFile.js';
import type { SegmentFault } from './segment.js';
import { SegmentChanged } from './segmentCursor.js';

/** The lines that other writers appended to a chat since the last read. */
export interface ChatGrowth {
  /** The events of each writer are in order. The events of different writers are not sorted. */
  readonly events: readonly ChatEvent[];
  readonly faults: readonly SegmentFault[];
  readonly position: ReadPosition;
}

/** The VS Code window that reads. Its own writer always counts as alive. */
export interface LogReader {
  readonly self: WriterIdentity;
  readonly signs: SignsOfLife;
}

/** Returns the faults of several segments as one list, sorted by writer. */
export function inWriterOrder(faults: ReadonlyMap<string, readonly SegmentFault[]>): readonly SegmentFault[] {
  return [...faults.keys()].sort().flatMap((writer) => faults.get(writer) ?? []);
}

/**
 * Reads only the bytes that other writers appended after `position`. Skips an incomplete last line. Returns null if the
 * whole chat must be read, because a segment changed in another way. Throws Node's system errors.
 */
export async function readChatGrowth(folder: string, position: ReadPosition, reader: LogReader): Promise<ChatGrowth | null> {
  const unreadable = [...position].flatMap(([writer, mark]) => (mark === null ? [writer] : []));
  const passedOver = [reader.self.writerId, ...unreadable];
  const found = (await readdir(folder)).map(segmentWriter).filter((writer) => writer !== null);
  const writers = found.filter((writer) => !passedOver.includes(writer));
  const known = new Map([...position].filter(([writer]) => !passedOver.includes(writer)));
  // If an unreadable segment has become readable or was removed, the whole chat must be read.
  const readable = await Promise.all(unreadable.map((writer) => isReadable(join(folder, segmentName(writer)))));
  if (readable.includes(true) || unreadable.some((writer) => !found.includes(writer))) {
    return null;
  }
  try {
    const merge = await LogMerge.of(folder, writers, known);
    const events: ChatEvent[] = [];
    while (await merge.fill()) {
      for (let event = merge.take(); event !== null; event = merge.take()) {
        events.push(event);
      }
    }
    const rest = merge.rest();
    const byWriter = events.toSorted((a, b) => (a.writer === b.writer ? 0 : a.writer < b.writer ? -1 : 1));
    return { events: byWriter, faults: inWriterOrder(rest.faults), position: new Map([...position, ...rest.position]) };
  } catch (thrown) {
    if (thrown instanceof SegmentChanged) {
      return null;
    }
    throw thrown;
  }
}

async function isReadable(path: string): Promise<boolean> {
  try {
    await readRange(path, 0, 1);
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === null) {
      throw thrown;
    }
    return false;
  }
}
