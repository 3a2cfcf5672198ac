import { toErrorRecord, type ErrorRecord, type LoupeError } from '../errors.js';
import { syntheticResult } from '../run/tools.js';
import type { AttemptOutcome } from './slices/attempts.js';
import type { NewEvent } from './slices/table.js';
import type { ChatState } from './state.js';
import { toolCallsOf } from './message.js';

type NewId = () => string;

/**
 * Events that end the run of a dead window, written by the window that finds it. They end its open attempts, keep the
 * results of finished tools, and end the run.
 */
export function interruption(state: ChatState, runId: string, newId: NewId): NewEvent[] {
  const ends = attemptEnds(state, runId, { outcome: 'interrupted', error: null });
  return [...ends, ...finishedResults(state, runId, newId), { type: 'run-interrupted', runId }];
}

/**
 * Events that end a run after a defect in Loupe. Its open attempts fail. When a tool ran, the complete rounds stay;
 * otherwise the run is rolled back.
 */
export function breakdown(
  state: ChatState,
  runId: string,
  { defect, newId }: { readonly defect: LoupeError; readonly newId: NewId },
): NewEvent[] {
  const error = toErrorRecord(defect);
  const type = state.runs.get(runId)?.toolsRan === true ? 'run-failed' : 'run-rolled-back';
  const ends = attemptEnds(state, runId, { outcome: 'failed', error });
  return [...ends, ...finishedResults(state, runId, newId), { type, runId, error }];
}

/** The results of a round in which only some tools had ended: the other calls get synthetic results. */
function finishedResults({ runs, timeline }: ChatState, runId: string, newId: NewId): NewEvent[] {
  const results = new Map(runs.get(runId)?.calls.flatMap(({ callId, result }) => (result === null ? [] : [[callId, result] as const])));
  const said = timeline.findLast((item) => item.kind === 'message' && item.runId === runId && item.message.role === 'assistant');
  if (results.size === 0 || said?.kind !== 'message' || said.message.role !== 'assistant') {
    return [];
  }
  const parts = toolCallsOf(said.message).map((call) => results.get(call.id) ?? syntheticResult(call));
  return [{ type: 'message', runId, message: { role: 'tool-results', id: newId(), parts } }];
}

function attemptEnds(
  { attempts }: ChatState,
  runId: string,
  { outcome, error }: { readonly outcome: AttemptOutcome; readonly error: ErrorRecord | null },
): NewEvent[] {
  const open = [...attempts.values()].filter((attempt) => attempt.runId === runId && attempt.end === null);
  const unknown = { usage: null, rawUsage: null, cost: null, responseId: null, stopReason: null, retry: null, exchange: null } as const;
  return open.map(({ id }) => ({ type: 'attempt-ended', runId, attemptId: id, outcome, ...unknown, error }));
}
