import { callsTools, isSent, loadsTools, type SentMessage } from '../chat/message.js';
import { activeCompaction, type CompactionState } from '../chat/slices/compaction.js';
import type { MarksState } from '../chat/slices/marks.js';
import { isMessageItem, type BranchState, type Timeline } from '../chat/timeline.js';
import type { Extent } from '../chat/extent.js';

/** The summary that requests send instead of the messages that it replaces. */
export interface Checkpoint {
  /** Id of the compaction. */
  readonly id: string;
  readonly text: string;
}

/** A conversation, divided at its active compaction. Without one, or without its text, all of it is the rest. */
export interface Divided {
  readonly checkpoint: Checkpoint | null;
  /** What the checkpoint replaces, as far as it is loaded. */
  readonly replaced: Timeline;
  /** Everything after the last message that the checkpoint replaces, as far as it is loaded. */
  readonly rest: Timeline;
  /** Whether messages of `rest` are not loaded. */
  readonly lacksSome: boolean;
}

/** What of a conversation the next request may send. */
export interface Compacted extends Omit<Divided, 'replaced'> {
  /** Messages that stay beside the checkpoint (`pinnedItems`). */
  readonly pinned: readonly SentMessage[];
}

type State = BranchState & CompactionState & Extent;

/** Looks at all that the checkpoint replaces: `divided` tells the rest at once. */
export function compacted(state: State & MarksState): Compacted {
  const { replaced, ...others } = divided(state);
  return { ...others, pinned: sentIn(pinnedItems(replaced, state.pinned)) };
}

export function divided(state: State): Divided {
  const { timeline } = state;
  const active = activeCompaction(state);
  const kept = state.extent === 'end' ? state.earlier.kept : [];
  const isSentEarlier = state.extent === 'end' && state.earlier.sent > 0;
  const text = active === null ? null : (summaryText(timeline, active.summaryId) ?? summaryText(kept, active.summaryId));
  // A summary whose line is damaged stands for nothing: the messages themselves are sent.
  const isLost = text === null && active !== null && active.summaryId !== null;
  if (active === null || isLost) {
    return { checkpoint: null, replaced: [], rest: timeline, lacksSome: isSentEarlier };
  }
  const to = timeline.findLastIndex((item) => isMessageItem(item, active.to));
  return {
    checkpoint: text === null ? null : { id: active.id, text },
    replaced: [...kept, ...timeline.slice(0, to + 1)],
    rest: timeline.slice(to + 1),
    lacksSome: to === -1 && isSentEarlier,
  };
}

/**
 * The pinned messages of a timeline, and those that have loaded tools: these stay loaded for the chat. A reply that calls tools and their
 * results stay together.
 */
export function pinnedItems(timeline: Timeline, pinned: ReadonlySet<string>): Timeline {
  const stays = (item: Timeline[number]): boolean => item.kind === 'message' && (pinned.has(item.message.id) || loadsTools(item.message));
  return timeline.filter((item, index) => {
    // Makes nothing: a long chat has thousands of items, and this runs several times at each turn.
    const partner = stays(item) ? undefined : partnerOf(item, timeline, index);
    return stays(item) || (partner !== undefined && stays(partner));
  });
}

/** The results of a reply's calls, or the reply whose calls have these results. */
function partnerOf(item: Timeline[number], timeline: Timeline, index: number): Timeline[number] | undefined {
  const isReply = isCalls(item);
  const partner = isReply ? timeline[index + 1] : isResults(item) ? timeline[index - 1] : undefined;
  return partner !== undefined && (isReply ? isResults(partner) : isCalls(partner)) ? partner : undefined;
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

/** Null for a compaction without a summary, or when its line is damaged. */
function summaryText(timeline: Timeline, id: string | null): string | null {
  const item = id === null ? undefined : timeline.findLast((each) => isMessageItem(each, id));
  return item?.kind === 'message' && item.message.role === 'summary' ? item.message.text : null;
}
