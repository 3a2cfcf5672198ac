import { toErrorRecord, type ErrorRecord, type LoupeError } from '../errors.js';
import type { AttemptOutcome, EventDraft } from './event.js';
import type { ChatState } from './fold.js';

/** What whoever finds the run of a dead window writes: its open attempts end, and so does the run. */
export function interruption(state: ChatState, runId: string): EventDraft[] {
  return [...attemptEnds(state, runId, { outcome: 'interrupted', error: null }), { type: 'run-interrupted', runId }];
}

/**
 * What ends a run that a defect broke off: its open attempts fail with it; what is complete stays when a tool ran,
 * and all is rolled back when none did.
 */
export function breakdown(state: ChatState, runId: string, defect: LoupeError): EventDraft[] {
  const error = toErrorRecord(defect);
  const type = state.runs.get(runId)?.toolsRan === true ? 'run-failed' : 'run-rolled-back';
  return [...attemptEnds(state, runId, { outcome: 'failed', error }), { type, runId, error }];
}

function attemptEnds(
  state: ChatState,
  runId: string,
  { outcome, error }: { readonly outcome: AttemptOutcome; readonly error: ErrorRecord | null },
): EventDraft[] {
  const open = [...state.attempts.values()].filter((attempt) => attempt.runId === runId && attempt.end === null);
  return open.map(({ id }) => ({
    type: 'attempt-ended',
    runId,
    attemptId: id,
    outcome,
    usage: null,
    rawUsage: null,
    cost: null,
    responseId: null,
    stopReason: null,
    error,
    retry: null,
  }));
}
