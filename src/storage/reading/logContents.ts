import type { ChatEvent } from '../../engine/chat/event.js';
import { compareStamps } from '../../engine/chat/order/stamp.js';
import { failure } from '../../engine/errors.js';
import { inWriterOrder } from '../log/chatReader.js';
import type { CopyWatch } from '../files/copyWatch.js';
import { LogMerge } from '../log/logMerge.js';
import type { SegmentFault } from '../log/segment.js';

/** Receives the next events of a log, sorted by stamp. More events follow when the promise has resolved. */
export type TakeEvents = (events: readonly ChatEvent[]) => Promise<void>;

/**
 * Passes the events of a chat to `take`, merged with the events of `unsaved`. The folder may be missing. Only one piece
 * of the log is in memory at a time. Returns the faults. An incomplete last line is not a fault, because it was never
 * saved. Throws `cancelled` when the signal aborts, Node's system errors, and the errors of `take`.
 */
export async function readLogContents(
  folder: string,
  unsaved: readonly ChatEvent[],
  take: TakeEvents,
  watch: CopyWatch,
): Promise<readonly SegmentFault[]> {
  const merge = await LogMerge.open(folder, null);
  const unsavedIds = new Set(unsaved.map(({ id }) => id));
  let left = unsaved;
  while (await merge.fill()) {
    if (watch.signal.aborted) {
      throw failure('chat.readingCancelled');
    }
    const events: ChatEvent[] = [];
    for (let event = merge.take(); event !== null; event = merge.take()) {
      const last = event;
      const first = left.findIndex((each) => compareStamps(each, last) >= 0);
      events.push(...left.slice(0, first === -1 ? left.length : first));
      left = first === -1 ? [] : left.slice(first);
      if (!unsavedIds.has(event.id)) {
        events.push(event);
      }
    }
    await take(events);
    watch.progress(merge.taken, merge.length);
  }
  if (left.length > 0) {
    await take(left);
  }
  return inWriterOrder(merge.rest().faults);
}
