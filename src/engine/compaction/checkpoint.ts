import { isSent, loadsTools, toolCallsOf, type SentMessage } from '../chat/message.js';
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

/** What of a conversation the next request may send. */
export interface Compacted {
  readonly checkpoint: Checkpoint | null;
  /** Messages that stay beside the checkpoint (`pinnedItems`). */
  readonly pinned: readonly SentMessage[];
  /** Everything after the last message that the checkpoint replaces, as far as it is loaded. */
  readonly rest: Timeline;
  /** Whether messages of `rest` are not loaded. */
  readonly lacksSome: boolean;
}

type State = BranchState & CompactionState & MarksState & Extent;

/** Divides the conversation at its active compaction. Without one, or without its text, all of it is the rest. */
export function compacted(state: State): Compacted {
  const { timeline, pinned } = state;
  const active = activeCompaction(state);
  const kept = state.extent === 'end' ? state.earlier.kept : [];
  const isSentEarlier = state.extent === 'end' && state.earlier.sent > 0;
  const text = active === null ? null : (summaryText(timeline, active.summaryId) ?? summaryText(kept, active.summaryId));
  // A summary whose line is damaged stands for nothing: the messages themselves are sent.
  const isLost = text === null && active !== null && active.summaryId !== null;
  if (active === null || isLost) {
    return { checkpoint: null, pinned: [], rest: timeline, lacksSome: isSentEarlier };
  }
  const to = timeline.findLastIndex((item) => isMessageItem(item, active.to));
  return {
    checkpoint: text === null ? null : { id: active.id, text },
    pinned: sentIn(pinnedItems([...kept, ...timeline.slice(0, to + 1)], pinned)),
    rest: timeline.slice(to + 1),
    lacksSome: to === -1 && isSentEarlier,
  };
}

/**
 * The pinned messages of a timeline, and those that have loaded tools: these stay loaded for the chat. A reply that calls tools and their
 * results stay together.
 */
export function pinnedItems(timeline: Timeline, pinned: ReadonlySet<string>): Timeline {
  return timeline.filter((item, index) => {
    const partner = isResults(item) ? timeline[index - 1] : callsTools(item) ? timeline[index + 1] : undefined;
    const isPair = partner !== undefined && (isResults(item) ? callsTools(partner) : isResults(partner));
    return [item, ...(isPair ? [partner] : [])].some(
      (each) => each.kind === 'message' && (pinned.has(each.message.id) || loadsTools(each.message)),
    );
  });
}

function isResults(item: Timeline[number]): boolean {
  return item.kind === 'message' && item.message.role === 'tool-results';
}

function callsTools(item: Timeline[number]): boolean {
  return item.kind === 'message' && item.message.role === 'assistant' && toolCallsOf(item.message).length > 0;
}

function sentIn(timeline: Timeline): readonly SentMessage[] {
  return timeline.flatMap((item) => (item.kind === 'message' && isSent(item.message) ? [item.message] : []));
}

/** Null for a compaction without a summary, or when its line is damaged. */
function summaryText(timeline: Timeline, id: string | null): string | null {
  const item = id === null ? undefined : timeline.findLast((each) => isMessageItem(each, id));
  return item?.kind === 'message' && item.message.role === 'summary' ? item.message.text : null;
}
