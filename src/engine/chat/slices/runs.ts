import type { ErrorRecord } from '../../errors.js';
import type { ToolResultPart } from '../message.js';
import type { FoldStamp } from '../stamp.js';
import { changeEntry, unsearched, type Mutable, type EventRule, type FoldReport, type Slice } from './slice.js';

/** Why a run answers the user: for a new message, to answer again, or to continue a run that ended early. */
export type ReplyCause = 'message' | 'retry' | 'continue';

/** What a housekeeping run is for. */
export type HousekeepingCause = 'title' | 'topic' | 'summary';

export type RunStatus = 'running' | 'committed' | 'stopped' | 'failed' | 'rolledBack' | 'interrupted';

/** A tool call of a round whose results are not a message yet. */
export interface CallState {
  readonly callId: string;
  readonly name: string;
  /** Null until the tool has ended. */
  readonly result: ToolResultPart | null;
}

export interface RunState {
  readonly id: string;
  readonly cause: ReplyCause | HousekeepingCause;
  /** Null for housekeeping. */
  readonly userMessageId: string | null;
  readonly status: RunStatus;
  readonly error: ErrorRecord | null;
  /** The window that runs it: the run is interrupted when this writer dies. */
  readonly writer: string;
  readonly attemptIds: readonly string[];
  /** Whether a tool has started. It may have had side effects, so a failure keeps the complete rounds. */
  readonly toolsRan: boolean;
  /** The calls since the last tool-results message that wait for approval or have started. */
  readonly calls: readonly CallState[];
  /** Whether a branch was discarded while the run was open. Then its later messages belong to that branch, too. */
  readonly isSplit: boolean;
}

export interface RunsState {
  /** By id, with those of discarded branches. */
  readonly runs: ReadonlyMap<string, RunState>;
}

/** How far an approval reaches. */
export type ApprovalScope = 'once' | 'chat' | 'always' | 'refused';

/** A tool's change of a file, in numbers of lines. */
export interface ToolEdit {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

interface OfRun {
  readonly runId: string;
}

export type RunEvent =
  | (OfRun & { readonly type: 'run-started'; readonly cause: ReplyCause; readonly userMessageId: string })
  | (OfRun & { readonly type: 'run-started'; readonly cause: HousekeepingCause; readonly userMessageId: null })
  /** A call waits for approval. `serverName` is null for a built-in tool; `argsHash` is the SHA-256 of the arguments. */
  | (OfRun & {
      readonly type: 'tool-asked';
      readonly callId: string;
      readonly name: string;
      readonly serverName: string | null;
      readonly argsHash: string;
    })
  /** `reason` is what the model is told about a refusal; null without one. */
  | (OfRun & {
      readonly type: 'tool-approval';
      readonly callId: string;
      readonly argsHash: string;
      readonly scope: ApprovalScope;
      readonly reason: string | null;
    })
  | (OfRun & { readonly type: 'tool-started'; readonly callId: string; readonly name: string })
  /** Logged apart so that `result` survives a crash before the tool-results message of its round. */
  | (OfRun & {
      readonly type: 'tool-ended';
      readonly callId: string;
      readonly result: ToolResultPart;
      readonly durationMs: number;
      readonly edits: readonly ToolEdit[];
    })
  | (OfRun & { readonly type: 'run-committed' })
  | (OfRun & { readonly type: 'run-stopped' })
  /** Failed after a tool ran: the complete rounds stay. */
  | (OfRun & { readonly type: 'run-failed'; readonly error: ErrorRecord })
  /** Failed before any tool ran: later requests hold nothing of the run, and its user message counts as unsent. */
  | (OfRun & { readonly type: 'run-rolled-back'; readonly error: ErrorRecord })
  /** Its writer died. Another window wrote this event. */
  | (OfRun & { readonly type: 'run-interrupted' });

type Of<T extends RunEvent['type']> = Extract<RunEvent, { readonly type: T }>;

/** Events of other slices that are about a run. */
type Followed =
  | { readonly type: 'attempt-started'; readonly runId: string; readonly attemptId: string }
  | { readonly type: 'message'; readonly runId: string | null; readonly message: { readonly role: string } }
  | { readonly type: 'rewound' }
  | { readonly type: 'restored' };

/** Whether a run is for Loupe itself, not an answer to the user. */
function isHousekeeping({ cause }: Pick<RunState, 'cause'>): boolean {
  return cause === 'title' || cause === 'topic' || cause === 'summary';
}

/** Whether an item belongs to a housekeeping run. */
export function isOfHousekeeping({ runId }: { readonly runId: string | null }, all: RunsState['runs']): boolean {
  const run = runId === null ? undefined : all.get(runId);
  return run !== undefined && isHousekeeping(run);
}

/** The runs of a chat, with housekeeping runs. */
export const runs: Slice<{ state: RunsState; event: RunEvent; json: readonly RunState[]; reads: RunsState; follows: Followed }> = {
  initial: () => ({ runs: new Map() }),
  events: {
    'run-started': { order: 'conversation', said: null, apply: start },
    'tool-asked': unsearched('run', (state, { runId, callId, name }, report) => {
      changeEntry(state.runs, ['run', runId], report, (run) => ({ ...run, calls: withCall(run, { callId, name, result: null }) }));
    }),
    'tool-approval': unsearched('run', () => undefined),
    'tool-started': unsearched('run', (state, { runId, callId, name }, report) => {
      changeEntry(state.runs, ['run', runId], report, (run) => ({
        ...run,
        toolsRan: true,
        calls: withCall(run, { callId, name, result: null }),
      }));
    }),
    'tool-ended': unsearched('run', (state, { runId, callId, result }, report) => {
      changeEntry(state.runs, ['run', runId], report, (run) => ({ ...run, calls: withCall(run, { callId, name: result.name, result }) }));
    }),
    'run-committed': ends('committed'),
    'run-stopped': ends('stopped'),
    'run-failed': ends('failed'),
    'run-rolled-back': ends('rolledBack'),
    'run-interrupted': unsearched('run', (state, event, report) => {
      // The run is unknown when its start was on a damaged line. The damaged line is reported, so this event is not.
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
        state.runs.set(run.id, { ...run, calls: [] });
      }
    },
    rewound: split,
    restored: split,
  },
  snapshot: (state, cut) => [...state.runs.values()].filter(({ id }) => cut.runs.has(id)),
  restore: (json) => ({ runs: new Map(json.map((run) => [run.id, run])) }),
  exported: () => [],
  fork: () => [],
  isUntouched: (state) => state.runs.size === 0,
};

function start(state: Mutable<RunsState>, { runId, userMessageId, cause, writer }: Of<'run-started'> & FoldStamp): void {
  // No spread: see `start` in `attempts.ts`.
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
    isSplit: false,
  });
}

function split({ runs: all }: Mutable<RunsState>): void {
  for (const run of all.values()) {
    if (run.status === 'running' && !run.isSplit) {
      all.set(run.id, { ...run, isSplit: true });
    }
  }
}

type RunEnd = Of<'run-committed' | 'run-stopped' | 'run-failed' | 'run-rolled-back' | 'run-interrupted'>;

function ends(status: RunStatus): EventRule<Mutable<RunsState>, RunEnd> {
  return unsearched('run', (state, event, report) => {
    end(state, event, status, report);
  });
}

/**
 * A run ends once, and a second end changes nothing, but for one: another window that finds the run's own window dead calls it
 * interrupted, and may not have read the end that the own window wrote before. That end counts, whichever of the two stands first.
 */
function end(state: Mutable<RunsState>, event: RunEnd & FoldStamp, status: RunStatus, report: FoldReport): void {
  const error = 'error' in event ? event.error : null;
  changeEntry(state.runs, ['run', event.runId], report, (run) => {
    const isOpen = run.status === 'running' || (run.status === 'interrupted' && event.writer === run.writer && status !== 'interrupted');
    return isOpen ? { ...run, status, error, isSplit: false } : run;
  });
}

/** The calls with `call` added or updated. A call with a result does not change any more. */
function withCall({ calls }: RunState, call: CallState): readonly CallState[] {
  const known = calls.find(({ callId }) => callId === call.callId);
  return known === undefined ? [...calls, call] : calls.map((each) => (each === known && each.result === null ? call : each));
}
