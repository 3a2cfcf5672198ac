import { lastRun } from './branch.js';
import { isWaiting, type AskedTool } from './calls/calls.js';
import type { RunsState } from './slices/runs.js';
import type { BranchState } from './timeline.js';

/** A question of the chat's last run to the user. After VS Code was closed, only a question about a call stays open. */
export type OpenQuestion =
  | { readonly kind: 'call'; readonly runId: string; readonly callId: string; readonly asked: AskedTool }
  | { readonly kind: 'steps'; readonly runId: string; readonly steps: number };

export function openQuestions(state: BranchState & RunsState): readonly OpenQuestion[] {
  const run = lastRun(state);
  if (run === undefined || (run.status !== 'running' && run.status !== 'interrupted')) {
    return [];
  }
  const runId = run.id;
  const calls = run.calls.flatMap((call): OpenQuestion[] =>
    call.asked !== null && isWaiting(call) ? [{ kind: 'call', runId, callId: call.callId, asked: call.asked }] : [],
  );
  const { question } = run;
  return run.status === 'running' && question?.goesOn === null ? [...calls, { kind: 'steps', runId, steps: question.steps }] : calls;
}
