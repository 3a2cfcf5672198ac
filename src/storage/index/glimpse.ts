import { type ChatEvent, beginsRun, runOf } from '../../engine/chat/event.js';
import type { EventDraft } from '../../engine/chat/slices/table.js';
import { compareStamps, type Stamp } from '../../engine/chat/stamp.js';
import { attemptTotals } from '../../engine/accounting/ledger.js';
import { foldAfter, type ChatFold } from '../../engine/chat/fold.js';
import { isConversation } from '../../engine/chat/message.js';
import { logOrder } from '../../engine/chat/order.js';
import type { ChatSnapshot } from '../../engine/chat/snapshot.js';
import { readRange } from '../regularFile.js';
import { LINE_FEED, readSegment } from '../segment.js';
import { SegmentCursor } from '../segmentCursor.js';
import type { SegmentSize } from '../segmentSizes.js';
import { UNREAD } from '../segmentGrowth.js';

/** Read of the ends of the segments at first, together: some dozens of messages. */
const FIRST_BYTES = 256 * 1_024;

/** What cannot be told from so much would take about as long as reading all. */
const MOST_BYTES = 8 * 1_024 * 1_024;

/** Read of the begin of a segment: the line that creates a chat is seldom longer. */
const HEAD_BYTES = 16 * 1_024;

type Created = Extract<EventDraft, { readonly type: 'chat-created' }> & ChatEvent;

/**
 * The last messages of a large log without an index, at once: only to be shown until the log was read. What was
 * changed of the chat before them, its title and its settings, is not in it. Null when they cannot be told that way.
 * Throws `SegmentChanged` and Node's system errors.
 */
export async function glimpseOf(segments: readonly SegmentSize[], wanted: number): Promise<ChatFold | null> {
  const created = await findCreated(segments);
  for (let bytes = FIRST_BYTES; created !== null && bytes <= MOST_BYTES; bytes *= 4) {
    const events = await lastEvents(segments, Math.ceil(bytes / segments.length));
    const fold = foldAfter(provisional(created), events);
    const messages = fold.state.timeline.filter((item) => item.kind === 'message' && isConversation(item.message));
    if (!fold.reachedBack && messages.length >= wanted) {
      return fold;
    }
  }
  return null;
}

async function findCreated(segments: readonly SegmentSize[]): Promise<Created | null> {
  for (const { path, writer } of segments) {
    const cursor = await SegmentCursor.open({ path, writer, from: UNREAD, until: null, seen: null });
    await cursor.load(HEAD_BYTES);
    if (cursor.head?.type === 'chat-created') {
      return cursor.head;
    }
  }
  return null;
}

/** The events from a stamp on from which all of them were read, in log order, without the rests of runs. */
async function lastEvents(segments: readonly SegmentSize[], bytes: number): Promise<readonly ChatEvent[]> {
  const ends = await Promise.all(segments.map((segment) => readEnd(segment, bytes)));
  const firsts = ends.flatMap(({ events, isWhole }) => (isWhole || events[0] === undefined ? [] : [events[0]]));
  const from = firsts.reduce<Stamp | null>((last, first) => (last === null || compareStamps(last, first) < 0 ? first : last), null);
  const events = ends.flatMap((end) => end.events).filter((event) => from === null || compareStamps(event, from) >= 0);
  const ordered = logOrder(events);
  const whole = new Set(ordered.filter(beginsRun).map(runOf));
  return ordered.filter((event) => runOf(event) === null || whole.has(runOf(event)));
}

interface SegmentEnding {
  readonly events: readonly ChatEvent[];
  readonly isWhole: boolean;
}

async function readEnd({ path, writer, size }: SegmentSize, bytes: number): Promise<SegmentEnding> {
  const offset = Math.max(0, size - bytes);
  const read = await readRange(path, offset, size - offset);
  const { events } = readSegment(offset === 0 ? read : read.subarray(read.indexOf(LINE_FEED) + 1), writer);
  return { events, isWhole: offset === 0 };
}

function provisional({ chatId, at, folders, parent, config }: Created): ChatSnapshot {
  const origin = { chatId, createdAt: at, updatedAt: at, folders, parent, importedFrom: null, config };
  // How much stands before is not known, except that something does.
  const earlier = { messages: 0, items: Infinity, attempts: 0, totals: attemptTotals([]), contextWindow: null, opening: null, carried: 0 };
  const carried = { timeline: [], runs: [], attempts: [] };
  return { ...origin, title: null, problems: [], lostAttempts: [], context: [], earlier, carried };
}
