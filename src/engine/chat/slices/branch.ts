import type { Extent } from '../extent.js';
import { exportedConversation } from '../exportText.js';
import type { Message, RewindReason } from '../message/message.js';
import { messageSearchText } from '../message/said.js';
import type { FoldStamp } from '../order/stamp.js';
import { transcript } from '../transcript.js';
import { type BranchState, type Timeline, type TimelineItem, isMessageItem, messagesOf } from '../timeline.js';
import type { AttemptsState } from './attempts.js';
import { type CompactionState, standingSummaries } from './compaction.js';
import { type RunEvent, type RunsState, isOfHousekeeping } from './runs.js';
import { type FoldReport, type Mutable, type Slice, unsearched } from './slice.js';

interface MessageLogEvent {
  readonly type: 'message';
  readonly runId: string | null;
  readonly message: Message;
}

/**
 * Cuts the branch after message `to`, or before the first message if `to` is null. `rewindId` names the discarded
 * branch. Runs that replied to `to` without adding a message are kept, except after a retry.
 */
interface RewindEvent {
  readonly type: 'rewound';
  readonly rewindId: string;
  readonly to: string | null;
  readonly reason: RewindReason;
}

/** Restores the branch named `rewindId`. `undoId` names the branch that is discarded instead. */
interface RestoreEvent {
  readonly type: 'restored';
  readonly rewindId: string;
  readonly undoId: string;
}

export type BranchEvent = MessageLogEvent | RewindEvent | RestoreEvent;

/** Runs are for skipping titles and summaries, attempts for exports, compactions for edited summaries. */
type BranchSliceState = BranchState & RunsState & AttemptsState & CompactionState & Extent;

export const branch: Slice<{
  state: BranchState;
  event: BranchEvent;
  json: Timeline;
  reads: BranchSliceState;
  follows: Extract<RunEvent, { readonly type: 'run-started' }>;
}> = {
  initial: () => ({ timeline: [], rewinds: new Map() }),
  events: {
    message: { order: 'run', said: ({ message }) => messageSearchText(message), apply: add },
    rewound: unsearched('conversation', rewind),
    restored: unsearched('conversation', restore),
  },
  follows: {
    'run-started': ({ timeline }, { runId }) => {
      timeline.push({ kind: 'run', runId });
    },
  },
  snapshot: (_state, cut) => cut.timeline,
  restore: (timeline) => ({ timeline: [...timeline], rewinds: new Map() }),
  exported: exportedConversation,
  fork: (_state, { messages }) => messages.map((message) => ({ type: 'message', runId: null, message })),
  isUntouched: (state) => state.timeline.length === 0,
};

/** Adds a message. If it is a known summary, the user edited it: the new text replaces the old one on every branch. */
function add(state: Mutable<BranchSliceState>, event: MessageLogEvent & FoldStamp, report: FoldReport): void {
  const { compactions, earlierSummaries } = state;
  const { id } = event.message;
  if (earlierSummaries.has(id)) {
    report.missing(`An edit of the earlier summary ${id}`);
  } else if (event.message.role === 'summary' && [...compactions.values()].some(({ summaryId }) => summaryId === id)) {
    replace(state, event, report);
  } else {
    addToRun(state, event);
  }
}

function replace(state: Mutable<BranchSliceState>, { message }: MessageLogEvent, report: FoldReport): void {
  const isOnBranch = [state.timeline, ...state.rewinds.values()].map((timeline) => {
    const at = timeline.findLastIndex((item) => isMessageItem(item, message.id));
    const item = timeline[at];
    if (item?.kind === 'message') {
      (timeline as TimelineItem[])[at] = { ...item, message };
    }
    return at !== -1;
  });
  if (!isOnBranch.includes(true)) {
    report.missing(`An edit of the unknown summary ${message.id}`);
  }
}

/**
 * Adds a message of a run after the earlier items of the run, on every branch that has the run. This place can be
 * before the end of the branch: runs for titles and summaries, and other VS Code windows, log messages after a later
 * turn began.
 */
function addToRun(state: Mutable<BranchSliceState>, { message, runId, at }: MessageLogEvent & FoldStamp): void {
  const item: TimelineItem = { kind: 'message', message, runId, at };
  const run = runId === null ? undefined : state.runs.get(runId);
  if (run === undefined || runId === null) {
    state.timeline.push(item);
    return;
  }
  const branches = run.isSplit
    ? [state.timeline, ...state.rewinds.values()].filter((timeline) => timeline.some((each) => each.kind === 'run' && each.runId === runId))
    : [state.timeline];
  if (message.role === 'summary' && !branches.includes(state.timeline)) {
    // Another window started this summary on the discarded branch. Add it, because it can replace messages here, too.
    state.timeline.push(item);
  }
  for (const timeline of branches as TimelineItem[][]) {
    const last = timeline.findLastIndex((each) => each.runId === runId);
    timeline.splice(last === -1 ? timeline.length : last + 1, 0, item);
  }
}

function rewind(state: Mutable<BranchSliceState>, { rewindId, to, reason }: RewindEvent, report: FoldReport): void {
  const { timeline, rewinds } = state;
  const at = to === null ? -1 : timeline.findLastIndex((item) => isMessageItem(item, to));
  if (to !== null && at === -1) {
    // If another VS Code window has already discarded the message, this is no error and nothing is left to do.
    if (![...rewinds.values()].some((left) => left.some((item) => isMessageItem(item, to)))) {
      report.missing(`A rewind to the unknown message ${to}`);
    }
    return;
  }
  if (to === null && report.isEnd) {
    report.missing('A rewind to before the first message');
    return;
  }
  rewinds.set(rewindId, timeline);
  const end = branchEnd(state, at, reason);
  state.timeline = [...timeline.slice(0, end), ...standingSummaries(state, timeline.slice(end))];
  if (report.isEnd && !transcript(state).messages.some(({ role }) => role === 'assistant')) {
    report.missing('A rewind to before the last reply that is here, which figures and the next request need');
  }
}

/**
 * Returns the index at which a rewind to the message at `at` cuts the branch. Except after a retry, keeps directly
 * following runs without messages (stopped or failed before the first word), and messages about titles and summaries.
 */
export function branchEnd({ timeline, runs }: BranchState & RunsState, at: number, reason: RewindReason): number {
  if (at === -1 || reason === 'retried') {
    return at + 1;
  }
  const next = timeline.findIndex((item, index) => index > at && item.kind === 'message' && !isOfHousekeeping(item, runs));
  return next === -1 ? timeline.length : next;
}

function restore(state: Mutable<BranchSliceState>, { rewindId, undoId }: RestoreEvent, report: FoldReport): void {
  const left = state.rewinds.get(rewindId);
  if (left === undefined) {
    report.missing(`A return to the unknown branch ${rewindId}`);
    return;
  }
  const back = new Set(messagesOf(left).map(({ id }) => id));
  const aside = state.timeline.filter((item) => item.kind !== 'message' || !back.has(item.message.id));
  state.rewinds.set(undoId, state.timeline);
  state.timeline = [...left, ...standingSummaries(state, aside)];
}
