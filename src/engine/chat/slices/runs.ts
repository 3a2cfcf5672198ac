import type { ErrorRecord } from '../../errors.js';
import {
  allowedByCall,
  answeredCall,
  askedCall,
  endedCall,
  importedCalls,
  progressedCall,
  startedCall,
  settleCalls,
  type CallEvent,
  type CallState,
  type AllowedTool,
} from '../calls/calls.js';
import type { FoldStamp } from '../order/stamp.js';
import { importedEdit, type RoundEdits, type ToolEdit, type UndoneEdit } from '../calls/toolEdit.js';
import { changeEntry, unsearched, type Mutable, type EventRule, type FoldReport, type Slice } from './slice.js';

/** Why a run replies to the user: a new message, a retry, or to continue a run that ended early. */
export type ReplyCause = 'message' | 'retry' | 'continue';

export type HousekeepingCause = 'title' | 'topic' | 'summary' | 'keepWarm';

export type RunStatus = 'running' | 'committed' | 'stopped' | 'failed' | 'rolledBack' | 'interrupted';

/** The question whether a run may make more tool calls. The run waits for the answer between two steps. */
export interface StepQuestion {
  /** The number of steps that the run has completed. */
  readonly steps: number;
  /** Whether the user lets the run continue. Null until the user answers. */
  readonly goesOn: boolean | null;
}

export interface RunState {
  readonly id: string;
  readonly cause: ReplyCause | HousekeepingCause;
  /** Id of the user message that the run replies to. Null for housekeeping. */
  readonly userMessageId: string | null;
  readonly status: RunStatus;
  readonly error: ErrorRecord | null;
  /** Id of the VS Code window that executes the run. If that window crashes, the run becomes `interrupted`. */
  readonly writer: string;
  readonly attemptIds: readonly string[];
  /** Whether a tool has started. Tools may have side effects, so the completed steps are kept if the run fails. */
  readonly toolsRan: boolean;
  /** Tool calls that needed approval or have started, in the order of the first event of each call. */
  readonly calls: readonly CallState[];
  /** Files that changed on disk while tools ran, by step. */
  readonly roundEdits: readonly RoundEdits[];
  /** Edits by tools of this run that the user undid. */
  readonly undone: readonly UndoneEdit[];
  /** The latest question whether the run may continue. Null if the user was never asked. */
  readonly question: StepQuestion | null;
  /** Whether the user discarded a branch while the run was open. The run then adds messages to that branch, too. */
  readonly isSplit: boolean;
}

export interface RunsState {
  /** Runs by id, including those of discarded branches. */
  readonly runs: ReadonlyMap<string, RunState>;
  /** What the user allowed for the rest of the turn or chat, by `binding`. */
  readonly allowedTools: ReadonlyMap<string, AllowedTool>;
  /** Each `binding` whose approval the user took back, until the user allows it for all chats. */
  readonly takenBack: ReadonlySet<string>;
}

interface RunReference {
  readonly runId: string;
}

export type RunEvent =
  | (RunReference & { readonly type: 'run-started'; readonly cause: ReplyCause; readonly userMessageId: string })
  | (RunReference & { readonly type: 'run-started'; readonly cause: HousekeepingCause; readonly userMessageId: null })
  | (RunReference & CallEvent)
  /** Files that changed on disk during a step, without the edits that its calls reported. Logged after the results. */
  | (RunReference & { readonly type: 'round-edited'; readonly messageId: string; readonly edits: readonly ToolEdit[] })
  /** The user undid the edits of a step in a file: the file has its content from before that step. */
  | (RunReference & UndoneEdit & { readonly type: 'edit-undone' })
  /** The user redid these edits after undoing them: the file has its content from after that step again. */
  | (RunReference & UndoneEdit & { readonly type: 'edit-redone' })
  /** The user took back an approval. */
  | { readonly type: 'approval-taken-back'; readonly binding: string }
  /** The user undid this. `allowed`: the approval of the chat. Null if only an approval for other chats ended. */
  | { readonly type: 'approval-restored'; readonly binding: string; readonly allowed: AllowedTool | null }
  /** The run waits for the user, because it has made the maximum number of steps without a question. */
  | (RunReference & { readonly type: 'run-asked'; readonly steps: number })
  | (RunReference & { readonly type: 'run-answered'; readonly goesOn: boolean })
  | (RunReference & { readonly type: 'run-committed' })
  | (RunReference & { readonly type: 'run-stopped' })
  /** The run failed after a tool had started. The completed steps are kept. */
  | (RunReference & { readonly type: 'run-failed'; readonly error: ErrorRecord })
  /** The run failed before any tool started. Later requests skip the run, and its user message is shown as unsent. */
  | (RunReference & { readonly type: 'run-rolled-back'; readonly error: ErrorRecord })
  /** The VS Code window of the run died. Another window wrote this event. */
  | (RunReference & { readonly type: 'run-interrupted' });

type RunEventOf<T extends RunEvent['type']> = Extract<RunEvent, { readonly type: T }>;

/** Events of other slices that change a run. */
type FollowedEvent =
  | { readonly type: 'attempt-started'; readonly runId: string; readonly attemptId: string }
  | { readonly type: 'message'; readonly runId: string | null; readonly message: { readonly role: string; readonly id: string } }
  | { readonly type: 'rewound' }
  | { readonly type: 'restored' }
  | { readonly type: 'imported' };

interface RunsJson {
  readonly runs: readonly RunState[];
  readonly allowedTools: readonly AllowedTool[];
  readonly takenBack: readonly string[];
}

function isHousekeeping({ cause }: Pick<RunState, 'cause'>): boolean {
  return cause === 'title' || cause === 'topic' || cause === 'summary' || cause === 'keepWarm';
}

/** Returns whether a run failed before it sent any request. */
export function isRefused({ status, attemptIds, error }: Pick<RunState, 'status' | 'attemptIds' | 'error'>): boolean {
  return status === 'rolledBack' && attemptIds.length === 0 && error !== null;
}

export function isOfHousekeeping({ runId }: { readonly runId: string | null }, all: RunsState['runs']): boolean {
  const run = runId === null ? undefined : all.get(runId);
  return run !== undefined && isHousekeeping(run);
}

export const runs: Slice<{ state: RunsState; event: RunEvent; json: RunsJson; reads: RunsState; follows: FollowedEvent }> = {
  initial: () => ({ runs: new Map(), allowedTools: new Map(), takenBack: new Set() }),
  events: {
    'run-started': { order: 'conversation', said: null, apply: start },
    'tool-asked': unsearched('run', (state, event, report) => {
      changeRun(state, event, report, (run) => ({ ...run, calls: askedCall(run.calls, event) }));
    }),
    'tool-approval': unsearched('run', (state, event, report) => {
      changeRun(state, event, report, (run) => ({ ...run, calls: answeredCall(run.calls, event) }));
      const call = state.runs.get(event.runId)?.calls.findLast(({ callId }) => callId === event.callId);
      const allowed = call === undefined ? null : allowedByCall(call);
      // An approval for the turn never shortens an approval for the chat.
      if (allowed !== null && !(allowed.isForTurn === true && state.allowedTools.has(allowed.binding))) {
        state.allowedTools.set(allowed.binding, allowed);
      }
      if (call?.approval?.scope === 'always' && call.asked !== null) {
        state.takenBack.delete(call.asked.binding);
      }
    }),
    'approval-taken-back': unsearched('slice', (state, { binding }) => {
      state.allowedTools.delete(binding);
      state.takenBack.add(binding);
    }),
    'approval-restored': unsearched('slice', (state, { binding, allowed }) => {
      state.takenBack.delete(binding);
      if (allowed !== null) {
        state.allowedTools.set(allowed.binding, allowed);
      }
    }),
    'tool-progress': unsearched('run', (state, event, report) => {
      changeRun(state, event, report, (run) => ({ ...run, calls: progressedCall(run.calls, event) }));
    }),
    'tool-started': unsearched('run', (state, event, report) => {
      changeRun(state, event, report, (run) => ({ ...run, toolsRan: true, calls: startedCall(run.calls, event) }));
    }),
    'tool-ended': unsearched('run', (state, event, report) => {
      changeRun(state, event, report, (run) => ({ ...run, calls: endedCall(run.calls, event) }));
    }),
    'round-edited': unsearched('run', (state, event, report) => {
      changeRun(state, event, report, (run) => {
        const { messageId, edits } = event;
        const calls = run.calls.filter(({ settledBy }) => settledBy !== null).length;
        return { ...run, roundEdits: [...run.roundEdits, { messageId, calls, edits }] };
      });
    }),
    'edit-undone': unsearched('run', (state, event, report) => {
      const { messageId, path } = event;
      changeRun(state, event, report, (run) => ({ ...run, undone: [...run.undone, { messageId, path }] }));
    }),
    'edit-redone': unsearched('run', (state, event, report) => {
      const isOther = ({ messageId, path }: UndoneEdit): boolean => messageId !== event.messageId || path !== event.path;
      changeRun(state, event, report, (run) => ({ ...run, undone: run.undone.filter(isOther) }));
    }),
    'run-asked': unsearched('run', (state, event, report) => {
      changeRun(state, event, report, (run) => ({ ...run, question: { steps: event.steps, goesOn: null } }));
    }),
    'run-answered': unsearched('run', (state, event, report) => {
      changeRun(state, event, report, (run) =>
        // Only the first answer from any VS Code window is used.
        run.question?.goesOn === null ? { ...run, question: { ...run.question, goesOn: event.goesOn } } : run,
      );
    }),
    'run-committed': ends('committed'),
    'run-stopped': ends('stopped'),
    'run-failed': ends('failed'),
    'run-rolled-back': ends('rolledBack'),
    'run-interrupted': unsearched('run', (state, event, report) => {
      // If the log line with the start of the run is damaged, that damage is already reported.
      if (state.runs.has(event.runId)) {
        end(state, event, 'interrupted', report);
      }
    }),
  },
  follows: {
    'attempt-started': (state, { runId, attemptId }, report) => {
      changeEntry(state.runs, ['run', runId], report, (run) => ({ ...run, attemptIds: [...run.attemptIds, attemptId] }));
    },
    message: (state, { runId, message }) => {
      const run = runId === null || message.role !== 'tool-results' ? undefined : state.runs.get(runId);
      if (run !== undefined) {
        state.runs.set(run.id, { ...run, calls: settleCalls(run.calls, message.id) });
      }
    },
    rewound: split,
    restored: split,
    imported: distrust,
  },
  snapshot: (state, cut) => ({
    runs: [...state.runs.values()].filter(({ id }) => cut.runs.has(id)),
    allowedTools: [...state.allowedTools.values()],
    takenBack: [...state.takenBack],
  }),
  restore: ({ runs: kept, allowedTools, takenBack }) => ({
    runs: new Map(kept.map((run) => [run.id, run])),
    allowedTools: new Map(allowedTools.map((target) => [target.binding, target])),
    takenBack: new Set(takenBack),
  }),
  exported: () => [],
  fork: () => [],
  isUntouched: (state) => state.runs.size === 0,
};

function start(state: Mutable<RunsState>, { runId, userMessageId, cause, writer }: RunEventOf<'run-started'> & FoldStamp): void {
  if (cause === 'message' || cause === 'retry') {
    endTurnApprovals(state);
  }
  // No object spread, for speed: see `start` in `attempts.ts`.
  state.runs.set(runId, {
    id: runId,
    userMessageId,
    cause,
    writer,
    status: 'running',
    error: null,
    attemptIds: [],
    toolsRan: false,
    calls: [],
    roundEdits: [],
    undone: [],
    question: null,
    isSplit: false,
  });
}

/** Ends approvals for the last turn. A run that continues belongs to the same turn. */
function endTurnApprovals({ allowedTools }: Mutable<RunsState>): void {
  for (const [binding, { isForTurn }] of allowedTools) {
    if (isForTurn === true) {
      allowedTools.delete(binding);
    }
  }
}

function changeRun(
  { runs: all }: Mutable<RunsState>,
  { runId }: RunReference,
  report: FoldReport,
  changed: (run: RunState) => RunState,
): void {
  changeEntry(all, ['run', runId], report, changed);
}

function split({ runs: all }: Mutable<RunsState>): void {
  for (const run of all.values()) {
    if (run.status === 'running' && !run.isSplit) {
      all.set(run.id, { ...run, isSplit: true });
    }
  }
}

/** Ends all approvals of an imported chat, and all offers to restore files: another person may have written its log. */
function distrust(state: Mutable<RunsState>): void {
  state.allowedTools.clear();
  for (const run of state.runs.values()) {
    const roundEdits = run.roundEdits.map((round) => ({ ...round, edits: round.edits.map(importedEdit) }));
    state.runs.set(run.id, { ...run, calls: importedCalls(run.calls), roundEdits });
  }
}

type RunEnd = RunEventOf<'run-committed' | 'run-stopped' | 'run-failed' | 'run-rolled-back' | 'run-interrupted'>;

function ends(status: RunStatus): EventRule<Mutable<RunsState>, RunEnd> {
  return unsearched('run', (state, event, report) => {
    end(state, event, status, report);
  });
}

/**
 * Records the end of a run. Later ends change nothing, with one exception: another VS Code window may have written
 * `interrupted` because it took the run's window for dead. If the run's window also wrote an end, that end is used,
 * whether it comes earlier or later in the log.
 */
function end(state: Mutable<RunsState>, event: RunEnd & FoldStamp, status: RunStatus, report: FoldReport): void {
  const error = 'error' in event ? event.error : null;
  changeEntry(state.runs, ['run', event.runId], report, (run) => {
    const isOpen = run.status === 'running' || (run.status === 'interrupted' && event.writer === run.writer && status !== 'interrupted');
    return isOpen ? { ...run, status, error, isSplit: false } : run;
  });
}
