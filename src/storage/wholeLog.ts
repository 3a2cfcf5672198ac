import type { ChatEvent } from '../engine/chat/event.js';
import { logOrder } from '../engine/chat/order.js';
import { failure } from '../engine/errors.js';
import { inWriterOrder } from './chatReader.js';
import type { CopyWatch } from './copyChat.js';
import { LogMerge } from './logMerge.js';
import type { SegmentFault } from './segment.js';

/** All that was logged in a chat. */
export interface WholeLog {
  /** In log order. Without `chat-created` when the log, or its first line, is not there. */
  readonly events: readonly ChatEvent[];
  /** What could not be read. A last line that is not ended was never said to be saved, and is no fault here. */
  readonly faults: readonly SegmentFault[];
}

/**
 * Reads the events of a chat from its folder, which may be gone, with those that are `unsaved`, taken before the call.
 * Throws `cancelled` when the signal aborts, and Node's system errors.
 */
export async function readWholeLog(folder: string, unsaved: readonly ChatEvent[], watch: CopyWatch): Promise<WholeLog> {
  const merge = await LogMerge.open(folder, null);
  const saved: ChatEvent[] = [];
  while (await merge.fill()) {
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
  return { events, faults: inWriterOrder(merge.rest().faults) };
}
