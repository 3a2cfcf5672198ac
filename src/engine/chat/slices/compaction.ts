import type { Extent } from '../extent.js';
import { isMessageItem, messagesOf, type BranchState, type Timeline } from '../timeline.js';
import { unsearched, type Mutable, type FoldReport, type Slice } from './slice.js';

export type CompactionPolicy = 'topic-boundary' | 'rolling-window' | 'message-count' | 'manual';

/** A change that makes later requests shorter, for example a summary of old messages. */
export interface Compaction {
  readonly id: string;
  readonly policy: CompactionPolicy;
  /** The kind of compaction, for example `truncate` or `summarize`. */
  readonly case: string;
  /** Ids of the first and the last message that the compaction replaces. */
  readonly from: string;
  readonly to: string;
  /** Id of the summary message. Null if the compaction only truncates. */
  readonly summaryId: string | null;
  /** Tokens of the replaced messages (`before`) and of their replacement (`after`). */
  readonly tokens: { readonly before: number; readonly after: number };
  /** Lines of the replaced messages that Loupe copied word for word to the end of the summary. */
  readonly lines: readonly string[];
  /** Other runs that led to the compaction, such as a topic search or a failed summary. Missing without such runs. */
  readonly runs?: readonly string[];
  /** Id of the message that the compaction pinned because its turn was running. Undo removes the pin. */
  readonly pinned?: string;
}

export interface KnownCompaction extends Compaction {
  readonly isUndone: boolean;
}

export interface CompactionState {
  /**
   * Compactions by id, in log order. The compactions of a restore point come first; the last of these is the compaction
   * that was active there. A compaction that is logged again was edited, and keeps its id and its place.
   */
  readonly compactions: ReadonlyMap<string, KnownCompaction>;
  /** Ids of summaries whose compactions are not stored in the restore point. */
  readonly earlierSummaries: ReadonlySet<string>;
}

export type CompactionEvent =
  | { readonly type: 'compacted'; readonly runId: string | null; readonly compaction: Compaction }
  | { readonly type: 'compaction-undone'; readonly compactionId: string };

type CompactionSliceState = CompactionState & BranchState & Extent;

export const compaction: Slice<{
  state: CompactionState;
  event: CompactionEvent;
  json: { readonly kept: readonly KnownCompaction[]; readonly earlierSummaries: readonly string[] };
  reads: CompactionSliceState;
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
    const dropped = all.flatMap((each) => (isKept(each) || each.summaryId === null ? [] : [each.summaryId]));
    const rank = ({ id, to }: Compaction): number => (ids.has(to) ? 2 : id === before?.id ? 1 : 0);
    const kept = all.filter(isKept).toSorted((a, b) => rank(a) - rank(b));
    return { kept, earlierSummaries: [...state.earlierSummaries, ...dropped] };
  },
  restore: ({ kept, earlierSummaries }) => ({
    compactions: new Map(kept.map((each) => [each.id, each])),
    earlierSummaries: new Set(earlierSummaries),
  }),
  // Nothing, because the export of the conversation contains the summaries.
  exported: () => [],
  fork: ({ compactions }, { messages }) => {
    const ids = new Set(messages.map(({ id }) => id));
    const copied = [...compactions.values()].filter((each) => !each.isUndone && ids.has(each.to) && ids.has(each.summaryId ?? each.to));
    // Runs are not copied, because their cost belongs to the original chat.
    return copied.map(({ isUndone: _, runs: __, ...each }) => ({ type: 'compacted', runId: null, compaction: each }) as const);
  },
  isUntouched: (state) => state.compactions.size === 0,
};

/** Returns the summaries in `aside`, a removed end of a branch, that replace messages before `aside`. */
export function standingSummaries({ compactions }: CompactionState, aside: Timeline): Timeline {
  const gone = new Set(messagesOf(aside).map(({ id }) => id));
  const standing = new Set(
    [...compactions.values()].flatMap(({ to, summaryId, isUndone }) => (isUndone || gone.has(to) ? [] : [summaryId])),
  );
  return aside.filter((item) => item.kind === 'message' && standing.has(item.message.id));
}

/** Adds a compaction. If its last message is not loaded, only the whole log shows whether the branch contains it. */
function put(state: Mutable<CompactionSliceState>, { compaction: made }: { readonly compaction: Compaction }, report: FoldReport): void {
  if (report.isEnd && !state.compactions.has(made.id) && !isHere(state, made.to)) {
    report.missing(`The compaction ${made.id} of messages up to the unknown message ${made.to}`);
  }
  state.compactions.set(made.id, { ...made, isUndone: false });
}

/** Undoes a compaction. Requests send the replaced messages again. If these are not loaded, the whole log is needed. */
function undo(state: Mutable<CompactionSliceState>, { compactionId: id }: { readonly compactionId: string }, report: FoldReport): void {
  const undone = state.compactions.get(id);
  if (undone === undefined || (report.isEnd && !isHere(state, undone.to))) {
    report.missing(`The undoing of the unknown compaction ${id}`);
  }
  if (undone !== undefined) {
    state.compactions.set(id, { ...undone, isUndone: true });
  }
}

function isHere({ timeline, rewinds }: BranchState, id: string): boolean {
  return [timeline, ...rewinds.values()].some((each) => each.some((item) => isMessageItem(item, id)));
}

/**
 * Returns the latest compaction of the current branch, or null. If only the end of a chat is loaded, the result can be
 * a compaction whose messages are not loaded. Compactions up to a message of a discarded branch are ignored.
 */
export function activeCompaction({ compactions, timeline, rewinds, ...rest }: CompactionSliceState): KnownCompaction | null {
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
