import { toErrorRecord, type ErrorRecord, type LoupeError } from '../errors.js';
import { syntheticResult } from './tools.js';
import type { AttemptOutcome } from '../chat/slices/attempts.js';
import type { NewEvent } from '../chat/slices/table.js';
import type { ChatState } from '../chat/state.js';
import type { OpenStep } from './input.js';
import { lastRun } from '../chat/branch.js';
import { mayStart, type BoundApproval } from '../chat/calls/calls.js';
import { toolCallsOf, type AssistantMessage } from '../chat/message/message.js';
import type { ToolResultPart } from '../model/part.js';
import type { RunState } from '../chat/slices/runs.js';

type NewId = () => string;

/**
 * Returns events that end the run of a crashed VS Code window. The window that finds the run logs them. The events end
 * open attempts, keep the results of finished tools, and end the run. If a call that needs approval has not started,
 * its step stays open. The user can still answer and continue the step.
 */
export function interruptionEvents(state: ChatState, runId: string, newId: NewId): NewEvent[] {
  const ends = attemptEnds(state, runId, { outcome: 'interrupted', error: null });
  const waits = state.runs.get(runId)?.calls.some(mayStart) === true;
  return [...ends, ...(waits ? [] : finishedResults(state, runId, newId)), { type: 'run-interrupted', runId }];
}

/**
 * Returns events that end a run after a defect in Loupe. If a tool ran, complete steps stay. Otherwise nothing stays.
 */
export function breakdownEvents(
  state: ChatState,
  runId: string,
  { defect, newId }: { readonly defect: LoupeError; readonly newId: NewId },
): NewEvent[] {
  const error = toErrorRecord(defect);
  const type = state.runs.get(runId)?.toolsRan === true ? 'run-failed' : 'run-rolled-back';
  const ends = attemptEnds(state, runId, { outcome: 'failed', error });
  return [...ends, ...finishedResults(state, runId, newId), { type, runId, error }];
}

/** Returns the step of the last run if it was interrupted before all calls that need approval had started, or null. */
export function openStep(state: ChatState): OpenStep | null {
  const run = lastRun(state);
  const reply = run === undefined || run.status !== 'interrupted' || !run.calls.some(mayStart) ? null : lastReplyOf(state, run.id);
  if (reply === null || run === undefined) {
    return null;
  }
  const isCutOff = state.attempts.get(reply.attemptId)?.end?.stopReason === 'length';
  return { reply, results: resultsOf(run), approvals: approvalsOf(run), isCutOff };
}

/** Returns events that close the open step of an interrupted run, if the chat continues without the user's answers. */
export function closedStep(state: ChatState, newId: NewId): NewEvent[] {
  const run = openStep(state) === null ? undefined : lastRun(state);
  return run === undefined ? [] : finishedResults(state, run.id, newId);
}

/** Returns the results of a step as an event. Open calls get synthetic results. Empty if no call has ended. */
function finishedResults(state: ChatState, runId: string, newId: NewId): NewEvent[] {
  const run = state.runs.get(runId);
  const results = run === undefined ? new Map<string, ToolResultPart>() : resultsOf(run);
  const reply = lastReplyOf(state, runId);
  if (results.size === 0 || reply === null) {
    return [];
  }
  const parts = toolCallsOf(reply).map((call) => results.get(call.id) ?? syntheticResult(call));
  return [{ type: 'message', runId, message: { role: 'tool-results', id: newId(), parts } }];
}

/** Returns the results that are not in a message yet, by call id. */
function resultsOf({ calls }: RunState): ReadonlyMap<string, ToolResultPart> {
  return new Map(calls.flatMap(({ callId, end }) => (end === null || end.result === null ? [] : [[callId, end.result] as const])));
}

/** Returns the user's answers to calls that have not started, by call id. */
function approvalsOf({ calls }: RunState): ReadonlyMap<string, BoundApproval> {
  return new Map(
    calls.flatMap(({ callId, asked, approval, startedAt }) =>
      asked === null || approval === null || startedAt !== null ? [] : [[callId, { ...approval, binding: asked.binding }] as const],
    ),
  );
}

function lastReplyOf({ timeline }: ChatState, runId: string): AssistantMessage | null {
  const said = timeline.findLast((item) => item.kind === 'message' && item.runId === runId && item.message.role === 'assistant');
  return said?.kind === 'message' && said.message.role === 'assistant' ? said.message : null;
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
