import { callsTools, isSent, loadsTools, type Message, type SentMessage } from './message/message.js';
import { activeCompaction, type CompactionState } from './slices/compaction.js';
import type { MarksState } from './slices/marks.js';
import type { RunsState } from './slices/runs.js';
import { isMessageItem, type BranchState, type Timeline } from './timeline.js';
import { transcript } from './transcript.js';
import type { Extent } from './extent.js';

/** The summary that requests send instead of the messages that it replaces. */
export interface Checkpoint {
  /** Id of the compaction. */
  readonly id: string;
  readonly text: string;
}

/** What a checkpoint replaces, as far as it is loaded: `kept`, and the first `end` items of the timeline. */
interface Replaced {
  readonly kept: Timeline;
  readonly timeline: Timeline;
  readonly end: number;
}

/** A conversation, divided at its active compaction. Without one, or without its text, all of it is the rest. */
export interface Divided {
  readonly checkpoint: Checkpoint | null;
  readonly replaced: Replaced;
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

const NOTHING: Timeline = [];

type State = BranchState & CompactionState & Extent;

/** Looks at all that the checkpoint replaces: `divided` tells the rest at once. */
export function compacted(state: State & Pick<RunsState, 'runs'> & MarksState): Compacted {
  return new CompactedChat().of(state);
}

/** Computes `compacted` for one chat at each key. It reads the replaced messages again only when they or a pin change. */
export class CompactedChat {
  #last: (Replaced & { readonly pins: string; readonly messages: readonly SentMessage[] }) | null = null;

  of(state: State & Pick<RunsState, 'runs'> & MarksState): Compacted {
    const { replaced, ...others } = divided(state);
    const pinned = this.#pinned(replaced, state.pinned);
    // Asked each time: the run of a message may fail after the summary.
    return { ...others, pinned: pinned.length === 0 ? pinned : pinned.filter(isSentBy(state)) };
  }

  /** Items are only ever added to a timeline, so one with as many up to the same place has the same ones. */
  #pinned({ kept, timeline, end }: Replaced, pinned: ReadonlySet<string>): readonly SentMessage[] {
    const pins = [...pinned].join();
    const last = this.#last;
    if (last !== null && last.timeline === timeline && last.end === end && last.kept === kept && last.pins === pins) {
      return last.messages;
    }
    const messages = sentIn(pinnedItems([...kept, ...timeline.slice(0, end)], pinned));
    this.#last = { kept, timeline, end, pins, messages };
    return messages;
  }
}

/** Returns a check whether requests send a message. False for a loaded message whose run failed, also when it is pinned. */
export function isSentBy(state: Pick<BranchState & RunsState, 'timeline' | 'runs'>): (message: Message) => boolean {
  const sent = new Set<Message>(transcript(state).messages);
  const unsent = new Set<Message>(sentIn(state.timeline).filter((message) => !sent.has(message)));
  return (message) => !unsent.has(message);
}

export function divided(state: State): Divided {
  const { timeline } = state;
  const active = activeCompaction(state);
  const kept = state.extent === 'end' ? state.earlier.kept : NOTHING;
  const isSentEarlier = state.extent === 'end' && state.earlier.sent > 0;
  const text = active === null ? null : (summaryText(timeline, active.summaryId) ?? summaryText(kept, active.summaryId));
  // A summary whose line is damaged stands for nothing: the messages themselves are sent.
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
 * The pinned messages of a timeline, and those that have loaded tools: these stay loaded for the chat. A reply that calls tools and their
 * results stay together.
 */
export function pinnedItems(timeline: Timeline, pinned: ReadonlySet<string>): Timeline {
  const stays = (item: Timeline[number]): boolean => item.kind === 'message' && (pinned.has(item.message.id) || loadsTools(item.message));
  // Looks at each item once: a long chat has thousands of them.
  const places = new Set<number>();
  timeline.forEach((item, index) => {
    if (stays(item)) {
      places.add(index);
      const partner = partnerPlace(item, timeline, index);
      places.add(partner ?? index);
    }
  });
  return places.size === 0 ? [] : timeline.filter((_, index) => places.has(index));
}

/** The place of the results of a reply's calls, or of the reply whose calls have these results; null without one. */
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

/** Null for a compaction without a summary, or when its line is damaged. */
function summaryText(timeline: Timeline, id: string | null): string | null {
  const item = id === null ? undefined : timeline.findLast((each) => isMessageItem(each, id));
  return item?.kind === 'message' && item.message.role === 'summary' ? item.message.text : null;
}
