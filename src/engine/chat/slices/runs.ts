import type { ErrorRecord } from '../../errors.js';
import type { ToolResultPart } from '../message.js';
import type { FoldStamp } from '../stamp.js';
import { changeEntry, silent, type Draft, type EventRule, type FoldReport, type Slice } from './slice.js';

/** What a run answers: a new message, one that is answered again, or one whose run broke off. */
export type ReplyCause = 'message' | 'retry' | 'continue';

/** What Loupe does for itself with a model. */
export type HousekeepingCause = 'title' | 'topic' | 'summary';

export type RunStatus = 'running' | 'committed' | 'stopped' | 'failed' | 'rolledBack' | 'interrupted';

/** A tool call of a round whose results are not logged as a message yet. */
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
  /** The window that runs it, for telling whether it is still alive. */
  readonly writer: string;
  readonly attemptIds: readonly string[];
  /** A tool has started: side effects may have happened, so a failure keeps what is complete. */
  readonly toolsRan: boolean;
  /** The calls that were asked for or started since the last tool results. */
  readonly calls: readonly CallState[];
  /** A branch was left while it ran: what it logs from then on belongs to that branch, too. */
  readonly isSplit: boolean;
}

export interface RunsState {
  /** By id, those of branches that were left included. */
  readonly runs: ReadonlyMap<string, RunState>;
}

/** How far an approval reaches. */
export type ApprovalScope = 'once' | 'chat' | 'always' | 'refused';

/** What a tool changed in a file: its path, and the lines it added and removed. */
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
  /** A call waits for the user. `serverName` is null for a tool that is built in; `argsHash` is the SHA-256 of its arguments. */
  | (OfRun & {
      readonly type: 'tool-asked';
      readonly callId: string;
      readonly name: string;
      readonly serverName: string | null;
      readonly argsHash: string;
    })
  /** `reason` is what the model is told about a refusal; null for none. */
  | (OfRun & {
      readonly type: 'tool-approval';
      readonly callId: string;
      readonly argsHash: string;
      readonly scope: ApprovalScope;
      readonly reason: string | null;
    })
  | (OfRun & { readonly type: 'tool-started'; readonly callId: string; readonly name: string })
  /** `result` survives when the host is killed before the results of its round are a message. */
  | (OfRun & {
      readonly type: 'tool-ended';
      readonly callId: string;
      readonly result: ToolResultPart;
      readonly durationMs: number;
      readonly edits: readonly ToolEdit[];
    })
  | (OfRun & { readonly type: 'run-committed' })
  | (OfRun & { readonly type: 'run-stopped' })
  /** Failed after a tool ran: what is complete stays. */
  | (OfRun & { readonly type: 'run-failed'; readonly error: ErrorRecord })
  /** Failed before any tool ran: nothing of it is sent again, the user message counts as unsent. */
  | (OfRun & { readonly type: 'run-rolled-back'; readonly error: ErrorRecord })
  /** Its writer died; the window that found out wrote this. */
  | (OfRun & { readonly type: 'run-interrupted' });

type Of<T extends RunEvent['type']> = Extract<RunEvent, { readonly type: T }>;

/** Events of other slices that are about a run. */
type Followed =
  | { readonly type: 'attempt-started'; readonly runId: string; readonly attemptId: string }
  | { readonly type: 'message'; readonly runId: string | null; readonly message: { readonly role: string } }
  | { readonly type: 'rewound' }
  | { readonly type: 'restored' };

/** Whether a run is one of Loupe's own, which the user did not ask for. */
export function isHousekeeping({ cause }: Pick<RunState, 'cause'>): boolean {
  return cause === 'title' || cause === 'topic' || cause === 'summary';
}

/** Whether something is of such a run; `runId` is null for what is of none. */
export function isOfHousekeeping({ runId }: { readonly runId: string | null }, all: RunsState['runs']): boolean {
  const run = runId === null ? undefined : all.get(runId);
  return run !== undefined && isHousekeeping(run);
}

/** What runs came to, the user's and Loupe's own. */
export const runs: Slice<{ state: RunsState; event: RunEvent; json: readonly RunState[]; reads: RunsState; follows: Followed }> = {
  initial: () => ({ runs: new Map() }),
  events: {
    'run-started': { order: 'conversation', said: null, apply: start },
    'tool-asked': silent('run', (state, { runId, callId, name }, report) => {
      changeEntry(state.runs, ['run', runId], report, (run) => ({ ...run, calls: withCall(run, { callId, name, result: null }) }));
    }),
    'tool-approval': silent('run', () => undefined),
    'tool-started': silent('run', (state, { runId, callId, name }, report) => {
      changeEntry(state.runs, ['run', runId], report, (run) => ({
        ...run,
        toolsRan: true,
        calls: withCall(run, { callId, name, result: null }),
      }));
    }),
    'tool-ended': silent('run', (state, { runId, callId, result }, report) => {
      changeEntry(state.runs, ['run', runId], report, (run) => ({ ...run, calls: withCall(run, { callId, name: result.name, result }) }));
    }),
    'run-committed': ends('committed'),
    'run-stopped': ends('stopped'),
    'run-failed': ends('failed'),
    'run-rolled-back': ends('rolledBack'),
    'run-interrupted': silent('run', (state, event, report) => {
      // It also closes what is left of a run whose start was on a damaged line: of that there is nothing else to say.
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

function start(state: Draft<RunsState>, { runId, userMessageId, cause, writer }: Of<'run-started'> & FoldStamp): void {
  // Written out: see `start` of the attempts.
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

function split({ runs: all }: Draft<RunsState>): void {
  for (const run of all.values()) {
    if (run.status === 'running' && !run.isSplit) {
      all.set(run.id, { ...run, isSplit: true });
    }
  }
}

type RunEnd = Of<'run-committed' | 'run-stopped' | 'run-failed' | 'run-rolled-back' | 'run-interrupted'>;

function ends(status: RunStatus): EventRule<Draft<RunsState>, RunEnd> {
  return silent('run', (state, event, report) => {
    end(state, event, status, report);
  });
}

/** A run ends once: two windows that both find it interrupted, or a late writer, change nothing more. */
function end(state: Draft<RunsState>, event: RunEnd, status: RunStatus, report: FoldReport): void {
  const error = 'error' in event ? event.error : null;
  changeEntry(state.runs, ['run', event.runId], report, (run) =>
    run.status === 'running' ? { ...run, status, error, isSplit: false } : run,
  );
}

/** The calls with one that has got further. A result is never taken back. */
function withCall({ calls }: RunState, call: CallState): readonly CallState[] {
  const known = calls.find(({ callId }) => callId === call.callId);
  return known === undefined ? [...calls, call] : calls.map((each) => (each === known && each.result === null ? call : each));
}
