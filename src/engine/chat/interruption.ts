import type { EventDraft } from './event.js';
import type { ChatState } from './fold.js';

/** What whoever finds the run of a dead window writes: its open attempts end, and so does the run. */
export function interruption(state: ChatState, runId: string): EventDraft[] {
  const open = [...state.attempts.values()].filter((attempt) => attempt.runId === runId && attempt.end === null);
  const ends = open.map(
    ({ id }): EventDraft => ({
      type: 'attempt-ended',
      runId,
      attemptId: id,
      outcome: 'interrupted',
      usage: null,
      rawUsage: null,
      cost: null,
      responseId: null,
      stopReason: null,
      error: null,
    }),
  );
  return [...ends, { type: 'run-interrupted', runId }];
}
