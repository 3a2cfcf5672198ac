import type { ChatEvent } from '../engine/chat/event.js';
import { logOrder } from '../engine/chat/order.js';
import { failure } from '../engine/errors.js';
import { inWriterOrder } from './chatReader.js';
import type { CopyWatch } from './copyChat.js';
import { LogMerge } from './logMerge.js';
import type { SegmentFault } from './segment.js';

/** The whole log of a chat. */
export interface LogContents {
  /** In log order. Without `chat-created` when the log or its first line is missing. */
  readonly events: readonly ChatEvent[];
  /** An unfinished last line is no fault here: it never counted as saved. */
  readonly faults: readonly SegmentFault[];
}

/**
 * Reads the events of a chat from its folder, which may be missing, and adds the `unsaved` ones, which were taken
 * before the call. Throws `cancelled` when the signal aborts, and Node's system errors.
 */
export async function readLogContents(folder: string, unsaved: readonly ChatEvent[], watch: CopyWatch): Promise<LogContents> {
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
