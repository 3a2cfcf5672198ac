import type { ChatEvent } from '../engine/chat/event.js';
import { logOrder } from '../engine/chat/order.js';
import { failure } from '../engine/errors.js';
import { inWriterOrder } from './chatReader.js';
import type { CopyWatch } from './copyChat.js';
import { systemCode } from './failure.js';
import { LogMerge } from './logMerge.js';
import type { SegmentFault } from './segment.js';

/** All that was logged in a chat. */
export interface WholeLog {
  /** In log order. Without `chat-created` when the log, or its first line, is not there. */
  readonly events: readonly ChatEvent[];
  /** What could not be read. A last line that is not ended was never said to be saved, and is no fault here. */
  readonly faults: readonly SegmentFault[];
}

const WHOLE = { from: null, until: null, sizes: null } as const;

/**
 * Reads the events of a chat from its folder, which may be gone, with those that are `unsaved`, taken before the call.
 * Throws `cancelled` when the signal aborts, and Node's system errors.
 */
export async function readWholeLog(folder: string, unsaved: readonly ChatEvent[], watch: CopyWatch): Promise<WholeLog> {
  const merge = await openWhole(folder);
  const saved: ChatEvent[] = [];
  while (merge !== null && (await merge.fill())) {
    if (watch.signal.aborted) {
      throw failure('chat.readingCancelled');
    }
    for (let event = merge.take(); event !== null; event = merge.take()) {
      saved.push(event);
    }
    watch.progress(merge.taken, merge.length);
  }
  const known = new Set(saved.map(({ id }) => id));
  const events = logOrder([...saved, ...unsaved.filter(({ id }) => !known.has(id))]);
  return { events, faults: merge === null ? [] : inWriterOrder(merge.rest().faults) };
}

/** Null when there is no folder. */
async function openWhole(folder: string): Promise<LogMerge | null> {
  try {
    return await LogMerge.open(folder, WHOLE);
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') {
      return null;
    }
    throw thrown;
  }
}
