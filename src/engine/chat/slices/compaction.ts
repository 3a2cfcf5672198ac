import type { Extent } from '../extent.js';
import { isMessageItem, messagesOf, type BranchState, type Timeline } from '../timeline.js';
import { unsearched, type Mutable, type FoldReport, type Slice } from './slice.js';

export type CompactionPolicy = 'topic-boundary' | 'rolling-window' | 'message-count' | 'manual';

/** A part of the conversation that later requests replace by a shorter form. */
export interface Compaction {
  readonly id: string;
  readonly policy: CompactionPolicy;
  /** What the policy did, such as `truncate` or `summarize`. */
  readonly case: string;
  /** Ids of the first and the last message that it replaces. */
  readonly from: string;
  readonly to: string;
  /** The id of its summary message; null when it only truncates. */
  readonly summaryId: string | null;
  /** Tokens of the replaced messages (`before`) and of their replacement (`after`). */
  readonly tokens: { readonly before: number; readonly after: number };
  /** Lines kept verbatim: they end the text of the summary. */
  readonly lines: readonly string[];
  /** The runs whose requests led to it, beside the run of its summary message: a topic search, a summary that failed. Missing without any. */
  readonly runs?: readonly string[];
  /** Id of the message that it pinned, because it was being answered. Undo takes the pin away. Missing without one. */
  readonly pinned?: string;
}

/** A compaction with what became of it. */
export interface KnownCompaction extends Compaction {
  readonly isUndone: boolean;
}

export interface CompactionState {
  /**
   * By id, in the order of the log; those of messages before a restore point first, the active one of them last. A compaction that is logged
   * again was edited, after its summary message, which keeps its id and its place.
   */
  readonly compactions: ReadonlyMap<string, KnownCompaction>;
  /** Ids of the summaries whose compactions a restore point left out. */
  readonly earlierSummaries: ReadonlySet<string>;
}

interface CompactionsJson {
  readonly kept: readonly KnownCompaction[];
  readonly earlierSummaries: readonly string[];
}

export type CompactionEvent =
  | { readonly type: 'compacted'; readonly runId: string | null; readonly compaction: Compaction }
  | { readonly type: 'compaction-undone'; readonly compactionId: string };

type Reads = CompactionState & BranchState & Extent;

/** The compactions of a conversation. */
export const compaction: Slice<{
  state: CompactionState;
  event: CompactionEvent;
  json: CompactionsJson;
  reads: Reads;
  follows: never;
}> = {
  initial: () => ({ compactions: new Map(), earlierSummaries: new Set() }),
  events: {
    compacted: unsearched('slice', put),
    'compaction-undone': unsearched('slice', undo),
  },
  follows: {},
  snapshot: (state, cut) => {
    const ids = new Set(messagesOf(cut.timeline).map(({ id }) => id));
    const before = activeCompaction({ ...state, timeline: state.timeline.slice(0, state.timeline.length - cut.timeline.length) });
    const isKept = ({ id, to, summaryId }: Compaction): boolean =>
      id === before?.id || ids.has(to) || (summaryId !== null && ids.has(summaryId));
    const all = [...state.compactions.values()];
    const leftOut = all.flatMap((each) => (isKept(each) || each.summaryId === null ? [] : [each.summaryId]));
    const rank = ({ id, to }: Compaction): number => (ids.has(to) ? 2 : id === before?.id ? 1 : 0);
    const kept = all.filter(isKept).toSorted((a, b) => rank(a) - rank(b));
    return { kept, earlierSummaries: [...state.earlierSummaries, ...leftOut] };
  },
  restore: ({ kept, earlierSummaries }) => ({
    compactions: new Map(kept.map((each) => [each.id, each])),
    earlierSummaries: new Set(earlierSummaries),
  }),
  // The summaries stand in the conversation.
  exported: () => [],
  fork: ({ compactions }, { messages }) => {
    const ids = new Set(messages.map(({ id }) => id));
    const copied = [...compactions.values()].filter((each) => !each.isUndone && ids.has(each.to) && ids.has(each.summaryId ?? each.to));
    // The runs, and what they cost, are the first chat's.
    return copied.map(({ isUndone: _, runs: __, ...each }) => ({ type: 'compacted', runId: null, compaction: each }) as const);
  },
  isUntouched: (state) => state.compactions.size === 0,
};

/**
 * The summaries in the end of a branch that is set aside, of compactions that replace nothing of it: a summary is logged later
 * than what it replaces, and requests send it still.
 */
export function standingSummaries({ compactions }: CompactionState, aside: Timeline): Timeline {
  const gone = new Set(messagesOf(aside).map(({ id }) => id));
  const standing = new Set(
    [...compactions.values()].flatMap(({ to, summaryId, isUndone }) => (isUndone || gone.has(to) ? [] : [summaryId])),
  );
  return aside.filter((item) => item.kind === 'message' && standing.has(item.message.id));
}

/** Where only the end of a chat is loaded, a message that is not in it may be on a branch that was left before: only the whole log tells. */
function put(state: Mutable<Reads>, { compaction: made }: { readonly compaction: Compaction }, report: FoldReport): void {
  if (report.isEnd && !state.compactions.has(made.id) && !isHere(state, made.to)) {
    report.missing(`The compaction ${made.id} of messages up to the unknown message ${made.to}`);
  }
  state.compactions.set(made.id, { ...made, isUndone: false });
}

/** The compaction before one of messages that are not here may become active again: only the whole log has it. */
function undo(state: Mutable<Reads>, { compactionId: id }: { readonly compactionId: string }, report: FoldReport): void {
  const undone = state.compactions.get(id);
  if (undone === undefined || (report.isEnd && !isHere(state, undone.to))) {
    report.missing(`The undoing of the unknown compaction ${id}`);
  }
  if (undone !== undefined) {
    state.compactions.set(id, { ...undone, isUndone: true });
  }
}

/** Whether a message is on a branch, as far as that is loaded. */
function isHere({ timeline, rewinds }: BranchState, id: string): boolean {
  return [timeline, ...rewinds.values()].some((each) => each.some((item) => isMessageItem(item, id)));
}

/**
 * The latest compaction of the current branch; null without one. When only the end of a chat is loaded, a compaction may
 * replace messages before it. Then it counts unless its last message is on a discarded branch.
 */
export function activeCompaction({ compactions, timeline, rewinds, ...rest }: Reads): KnownCompaction | null {
  const counting = [...compactions.values()].filter(({ isUndone }) => !isUndone);
  if (counting.length === 0) {
    return null;
  }
  const ends = new Map(counting.map((each) => [each.to, each]));
  const last = timeline.findLast((item) => item.kind === 'message' && ends.has(item.message.id));
  if (last?.kind === 'message') {
    return ends.get(last.message.id) ?? null;
  }
  const isLeft = (left: Timeline, id: string): boolean => left.some((item) => isMessageItem(item, id));
  return rest.extent === 'whole' ? null : (counting.findLast(({ to }) => ![...rewinds.values()].some((left) => isLeft(left, to))) ?? null);
}
