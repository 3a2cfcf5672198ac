import { exportedConversation } from '../exportText.js';
import type { Message, RewindReason } from '../message.js';
import { saidInMessage } from '../saidInMessage.js';
import type { FoldStamp } from '../stamp.js';
import { isMessageItem, type BranchState, type Timeline, type TimelineItem } from '../timeline.js';
import type { AttemptsState } from './attempts.js';
import { isOfHousekeeping, type RunEvent, type RunsState } from './runs.js';
import { silent, type Draft, type FoldReport, type Slice } from './slice.js';

interface Logged {
  readonly type: 'message';
  readonly runId: string | null;
  readonly message: Message;
}

/**
 * Cuts the branch after message `to` (null: before the first); a run that `to` began without a further message
 * goes with a retry only. `rewindId` names the branch that was left.
 */
interface Rewound {
  readonly type: 'rewound';
  readonly rewindId: string;
  readonly to: string | null;
  readonly reason: RewindReason;
}

/** Returns to the branch that `rewindId` left; `undoId` names the one left now. */
interface Restored {
  readonly type: 'restored';
  readonly rewindId: string;
  readonly undoId: string;
}

export type BranchEvent = Logged | Rewound | Restored;

/** What the branch rests on: a housekeeping run is passed over where a rewind cuts, and what runs and attempts tell is exported. */
type Reads = BranchState & RunsState & AttemptsState;

/** The conversation, and the branches of it that were left. */
export const branch: Slice<{
  state: BranchState;
  event: BranchEvent;
  json: Timeline;
  reads: Reads;
  follows: Extract<RunEvent, { readonly type: 'run-started' }>;
}> = {
  initial: () => ({ timeline: [], rewinds: new Map() }),
  events: {
    message: { order: 'run', said: ({ message }) => saidInMessage(message), apply: add },
    rewound: silent('conversation', rewind),
    restored: silent('conversation', restore),
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

/**
 * A message of a run stands behind those that the run has logged before, on every branch that has the run: a
 * housekeeping run, or another window, may log it after a later turn.
 */
function add(state: Draft<Reads>, { message, runId, at }: Logged & FoldStamp): void {
  const item: TimelineItem = { kind: 'message', message, runId, at };
  const run = runId === null ? undefined : state.runs.get(runId);
  if (run === undefined || runId === null) {
    state.timeline.push(item);
    return;
  }
  const branches = run.isSplit
    ? [state.timeline, ...state.rewinds.values()].filter((timeline) => timeline.some((each) => each.kind === 'run' && each.runId === runId))
    : [state.timeline];
  for (const timeline of branches as TimelineItem[][]) {
    const last = timeline.findLastIndex((each) => each.runId === runId);
    timeline.splice(last === -1 ? timeline.length : last + 1, 0, item);
  }
}

function rewind(state: Draft<Reads>, { rewindId, to, reason }: Rewound, report: FoldReport): void {
  const { timeline, rewinds } = state;
  const at = to === null ? -1 : timeline.findLastIndex((item) => isMessageItem(item, to));
  if (to !== null && at === -1) {
    // Set aside by another window at the same moment: then there is nothing left to go back to, and nothing is wrong.
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
  state.timeline = timeline.slice(0, branchEnd(state, at, reason));
}

/**
 * Where a rewind to the message at `at` cuts. The runs that begin behind it without a message of their own (stopped
 * or failed before the first word) belong to it, except when a retry sets them aside; so does what housekeeping says.
 */
function branchEnd({ timeline, runs }: Draft<Reads>, at: number, reason: RewindReason): number {
  if (at === -1 || reason === 'retried') {
    return at + 1;
  }
  const next = timeline.findIndex((item, index) => index > at && item.kind === 'message' && !isOfHousekeeping(item, runs));
  return next === -1 ? timeline.length : next;
}

function restore(state: Draft<Reads>, { rewindId, undoId }: Restored, report: FoldReport): void {
  const left = state.rewinds.get(rewindId);
  if (left === undefined) {
    report.missing(`A return to the unknown branch ${rewindId}`);
    return;
  }
  state.rewinds.set(undoId, state.timeline);
  state.timeline = [...left];
}
