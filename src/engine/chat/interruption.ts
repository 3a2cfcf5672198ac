import { toErrorRecord, type ErrorRecord, type LoupeError } from '../errors.js';
import { syntheticResult } from '../run/tools.js';
import type { AttemptOutcome } from './slices/attempts.js';
import type { EventDraft } from './slices/table.js';
import type { ChatState } from './state.js';
import { toolCallsOf } from './message.js';

type NewId = () => string;

/** What the window writes that finds the run of a dead one: its open attempts end, its finished results are kept, and it ends. */
export function interruption(state: ChatState, runId: string, newId: NewId): EventDraft[] {
  const ends = attemptEnds(state, runId, { outcome: 'interrupted', error: null });
  return [...ends, ...finishedResults(state, runId, newId), { type: 'run-interrupted', runId }];
}

/**
 * What ends a run that a defect broke off: its open attempts fail with it; what is complete stays when a tool ran,
 * and all is rolled back when none did.
 */
export function breakdown(
  state: ChatState,
  runId: string,
  { defect, newId }: { readonly defect: LoupeError; readonly newId: NewId },
): EventDraft[] {
  const error = toErrorRecord(defect);
  const type = state.runs.get(runId)?.toolsRan === true ? 'run-failed' : 'run-rolled-back';
  const ends = attemptEnds(state, runId, { outcome: 'failed', error });
  return [...ends, ...finishedResults(state, runId, newId), { type, runId, error }];
}

/** The results of a round in which some tools had ended and others had not. */
function finishedResults({ runs, timeline }: ChatState, runId: string, newId: NewId): EventDraft[] {
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
): EventDraft[] {
  const open = [...attempts.values()].filter((attempt) => attempt.runId === runId && attempt.end === null);
  const unknown = { usage: null, rawUsage: null, cost: null, responseId: null, stopReason: null, retry: null, exchange: null } as const;
  return open.map(({ id }) => ({ type: 'attempt-ended', runId, attemptId: id, outcome, ...unknown, error }));
}
