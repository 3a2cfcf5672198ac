import { callsTools, isSent, loadsTools, type Message, type SentMessage } from './message/message.js';
import { activeCompaction, type CompactionState } from './slices/compaction.js';
import type { MarksState } from './slices/marks.js';
import type { RunsState } from './slices/runs.js';
import { isMessageItem, type BranchState, type Timeline } from './timeline.js';
import { transcript } from './transcript.js';
import type { Extent } from './extent.js';

/** A summary that requests send instead of the messages that the summary replaces. */
export interface Checkpoint {
  readonly id: string;
  readonly text: string;
}

/** The loaded messages that a checkpoint replaces: all of `EarlierPart.kept`, and the first `end` timeline items. */
interface ReplacedPart {
  readonly kept: Timeline;
  readonly timeline: Timeline;
  readonly end: number;
}

/** A conversation, cut at its active compaction. If no compaction exists or its text is lost, `rest` has all items. */
export interface CheckpointSplit {
  readonly checkpoint: Checkpoint | null;
  readonly replaced: ReplacedPart;
  /** The loaded items after the last message that the checkpoint replaces. */
  readonly rest: Timeline;
  /** Whether some messages after the checkpoint are not loaded. */
  readonly lacksSome: boolean;
}

/** The parts of a conversation for the next request. */
export interface CompactedConversation extends Omit<CheckpointSplit, 'replaced'> {
  /** Pinned messages that are sent in addition to the checkpoint (`pinnedItems`). */
  readonly pinned: readonly SentMessage[];
}

const NOTHING: Timeline = [];

type CompactableState = BranchState & CompactionState & Extent;

/** Returns the checkpoint, and the messages to send with it. Without pinned messages, `splitAtCheckpoint` is faster. */
export function compacted(state: CompactableState & Pick<RunsState, 'runs'> & MarksState): CompactedConversation {
  return new CompactedChat().of(state);
}

/** Computes `compacted` for one chat, at each keystroke. Searches for pinned messages only after a change. */
export class CompactedChat {
  #last: (ReplacedPart & { readonly pins: string; readonly messages: readonly SentMessage[] }) | null = null;

  of(state: CompactableState & Pick<RunsState, 'runs'> & MarksState): CompactedConversation {
    const { replaced, ...others } = splitAtCheckpoint(state);
    const pinned = this.#pinned(replaced, state.pinned);
    // Checked at each call, because the run of a pinned message may fail after the summary was made.
    return { ...others, pinned: pinned.length === 0 ? pinned : pinned.filter(createSentCheck(state)) };
  }

  /** Reuses the last result for the same arrays, `end` and pins. A new item before `end` would change `end`. */
  #pinned({ kept, timeline, end }: ReplacedPart, pinned: ReadonlySet<string>): readonly SentMessage[] {
    const pins = [...pinned].join();
    const last = this.#last;
    if (last !== null && last.timeline === timeline && last.end === end && last.kept === kept && last.pins === pins) {
      return last.messages;
    }
    const messages = sentIn(pinnedItems(kept.concat(timeline.slice(0, end)), pinned));
    this.#last = { kept, timeline, end, pins, messages };
    return messages;
  }
}

/** Returns a function that checks whether requests send a message: false if `transcript` skips a loaded message. */
export function createSentCheck(state: Pick<BranchState & RunsState, 'timeline' | 'runs'>): (message: Message) => boolean {
  const sent = new Set<Message>(transcript(state).messages);
  const unsent = new Set<Message>(sentIn(state.timeline).filter((message) => !sent.has(message)));
  return (message) => !unsent.has(message);
}

export function splitAtCheckpoint(state: CompactableState): CheckpointSplit {
  const { timeline } = state;
  const active = activeCompaction(state);
  const kept = state.extent === 'end' ? state.earlier.kept : NOTHING;
  const isSentEarlier = state.extent === 'end' && state.earlier.sent > 0;
  const text = active === null ? null : (summaryText(timeline, active.summaryId) ?? summaryText(kept, active.summaryId));
  // If the summary is on a damaged line of the log, the messages themselves are sent.
  const isLost = text === null && active !== null && active.summaryId !== null;
  if (active === null || isLost) {
    return { checkpoint: null, replaced: { kept: NOTHING, timeline, end: 0 }, rest: timeline, lacksSome: isSentEarlier };
  }
  const to = timeline.findLastIndex((item) => isMessageItem(item, active.to));
  return {
    checkpoint: text === null ? null : { id: active.id, text },
    replaced: { kept, timeline, end: to + 1 },
    rest: timeline.slice(to + 1),
    lacksSome: to === -1 && isSentEarlier,
  };
}

/**
 * Returns the pinned messages of a timeline, and the messages that loaded tools, because these tools remain loaded. A
 * reply with tool calls is always returned together with its results.
 */
export function pinnedItems(timeline: Timeline, pinned: ReadonlySet<string>): Timeline {
  // A single pass without callbacks, because a long chat has thousands of items.
  const places = new Set<number>();
  let index = 0;
  for (const item of timeline) {
    if (item.kind === 'message' && ((pinned.size > 0 && pinned.has(item.message.id)) || loadsTools(item.message))) {
      places.add(index);
      places.add(partnerPlace(item, timeline, index) ?? index);
    }
    index += 1;
  }
  return places.size === 0 ? [] : timeline.filter((_, index) => places.has(index));
}

/** For a reply with calls: the index of its results. For results: the index of their reply. Otherwise null. */
function partnerPlace(item: Timeline[number], timeline: Timeline, index: number): number | null {
  const isReply = isCalls(item);
  const place = index + (isReply ? 1 : -1);
  const partner = isReply || isResults(item) ? timeline[place] : undefined;
  return partner !== undefined && (isReply ? isResults(partner) : isCalls(partner)) ? place : null;
}

function isResults(item: Timeline[number]): boolean {
  return item.kind === 'message' && item.message.role === 'tool-results';
}

function isCalls(item: Timeline[number]): boolean {
  return item.kind === 'message' && callsTools(item.message);
}

function sentIn(timeline: Timeline): readonly SentMessage[] {
  return timeline.flatMap((item) => (item.kind === 'message' && isSent(item.message) ? [item.message] : []));
}

/** Returns the text of a summary. Null for a compaction without a summary, and for a damaged line of the log. */
function summaryText(timeline: Timeline, id: string | null): string | null {
  const item = id === null ? undefined : timeline.findLast((each) => isMessageItem(each, id));
  return item?.kind === 'message' && item.message.role === 'summary' ? item.message.text : null;
}
