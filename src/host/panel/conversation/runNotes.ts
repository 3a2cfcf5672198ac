import { canContinue, endsStopped, lastRun } from '../../../engine/chat/branch.js';
import { endsBrokenOff } from '../../../engine/run/brokenOff.js';
import { messageTexts, type SentMessage } from '../../../engine/chat/message/message.js';
import type { AttemptEnd, AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { RunState } from '../../../engine/chat/slices/runs.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { FailedAttemptEntry, RunAction, RunNoteEntry, EntryView } from '../../../protocol/panel/entries.js';
import { historyOf } from '../../../engine/compaction/history.js';
import { gain, planAt } from '../../../engine/compaction/plan.js';
import { openMessages } from '../../../engine/compaction/range.js';
import { failureActions, replyActions } from '../../../engine/failures/failures.js';
import { ROUGH_COUNTER } from '../../../engine/tokens/roughCounter.js';

export interface Note {
  readonly id: string;
  readonly derive: () => EntryView;
}

type Attempts = ChatState['attempts'];

interface FailedAttemptNote extends Note {
  readonly derive: () => FailedAttemptEntry;
}

/** Returns notes on the retried attempts with an index from `from` up to, but not including, `to`. */
export function failedAttempts(
  run: RunState,
  attempts: Attempts,
  { from, to }: { readonly from: number; readonly to: number },
): FailedAttemptNote[] {
  return run.attemptIds.slice(from, to).flatMap((id, index): FailedAttemptNote[] => {
    const attempt = attempts.get(id);
    const end = attempt?.end ?? null;
    if (attempt === undefined || end === null || end.retry === null || attempt === waitingFor(run, attempts)) {
      return [];
    }
    const { startedAt: at } = attempt;
    const next = attempts.get(run.attemptIds[from + index + 1] ?? '');
    const waitMs = next === undefined ? null : next.startedAt - end.at;
    const status = end.exchange?.response?.status ?? null;
    return [{ id, derive: () => ({ kind: 'failedAttempt', id, text: failureText(end), status, at, durationMs: end.at - at, waitMs }) }];
  });
}

/** Returns the note about the wait before a retry. Empty while a request is running. */
export function retryEntry(run: RunState, { attempts }: ChatState): Note[] {
  const { id: attemptId, end } = waitingFor(run, attempts) ?? { id: '', end: null };
  if (end === null || end.retry === null) {
    return [];
  }
  const { at, number, most } = end.retry;
  const id = `retry-${run.id}-${String(number)}`;
  return [{ id, derive: () => ({ kind: 'retry', id, attemptId, text: failureText(end), at, number, most }) }];
}

/** Returns the failed attempt that the run will retry after a wait. */
function waitingFor(run: RunState, attempts: Attempts): AttemptState | undefined {
  const last = attempts.get(run.attemptIds.at(-1) ?? '');
  return run.status === 'running' && last?.end?.retry ? last : undefined;
}

function failureText({ error }: AttemptEnd): string {
  return error?.message ?? 'The request failed for an unknown reason.';
}

/** Returns the id of a run's last attempt if it failed without output, and so has no entry. Null otherwise. */
function silentAttempt(run: RunState, attempts: Attempts): string | null {
  const last = attempts.get(run.attemptIds.at(-1) ?? '');
  const isSilent = last?.end?.retry === null && last.end.outcome !== 'complete' && last.reply.length === 0;
  return isSilent ? last.id : null;
}

/** Returns the note about a failed, stopped or interrupted run. Empty for other runs. */
export function runNote(run: RunState, state: ChatState): Note[] {
  const status = noteStatus(run);
  const { userMessageId } = run;
  if (status === null || userMessageId === null) {
    return [];
  }
  const isLast = lastRun(state)?.id === run.id;
  const actions = noteActions(run, state, isLast);
  const detail = run.error?.detail ?? null;
  const id = `note-${run.id}`;
  const attemptId = silentAttempt(run, state.attempts);
  const text = noteText(run, state.attempts, attemptId !== null);
  return [{ id, derive: () => ({ kind: 'runNote', id, status, text, detail, attemptId, actions, isLast, userMessageId }) }];
}

/** Returns the actions in the order in which they help. After a later message, only *Retry* and *Show log* remain. */
function noteActions(run: RunState, state: ChatState, isLast: boolean): RunAction[] {
  if (isHeld(run)) {
    // Neither Continue nor Retry, which would stop at the same spend limit.
    return isLast && run.error !== null ? [...failureActions(run.error.code)] : [];
  }
  const all: readonly RunAction[] = run.error === null ? ['retry'] : replyActions(run.error.code);
  const goesOn = isLast && (canContinue(run) || endsStopped(state) || endsBrokenOff(state));
  return all.flatMap((action): readonly RunAction[] => {
    switch (action) {
      case 'retry':
        return [...(goesOn ? (['continue'] as const) : []), ...(isLast || run.status === 'rolledBack' ? (['retry'] as const) : [])];
      case 'showLog':
        return ['showLog'];
      default:
        return isLast && helps(action, state) ? [action] : [];
    }
  });
}

/** Whether an action helps in this chat: a summary only if it shortens the request, a limit only if the chat has one. */
function helps(action: RunAction, state: ChatState): boolean {
  return (action !== 'summarize' || couldMakeRoom(state)) && (action !== 'raiseLimit' || state.config.maxPromptTokens !== null);
}

/** Whether a spend limit stopped the run between two of its steps. */
function isHeld({ error }: RunState): boolean {
  return error !== null && failureActions(error.code).includes('goOnOnce');
}

function noteStatus(run: RunState): RunNoteEntry['status'] | null {
  switch (run.status) {
    case 'running':
    case 'committed':
      return null;
    case 'stopped':
      return 'stopped';
    case 'interrupted':
      return 'interrupted';
    case 'failed':
    case 'rolledBack':
      if (isHeld(run)) {
        return 'held';
      }
      // Nothing failed: the user did not approve the cost.
      return run.error?.kind === 'cancelled' ? 'stopped' : 'failed';
  }
}

function noteText(run: RunState, attempts: Attempts, isSilent: boolean): string {
  if (run.error !== null) {
    return run.error.message;
  }
  if (run.status === 'interrupted') {
    const hasArrived = attempts.get(run.attemptIds.at(-1) ?? '')?.end?.outcome === 'complete';
    return `Interrupted: VS Code closed ${hasArrived ? 'before the tools had finished' : 'while the reply was arriving'}.`;
  }
  return isSilent ? 'The reply was stopped before any text arrived.' : 'Stopped';
}

/** Estimates from the loaded messages whether a summary would shorten the next request. */
function couldMakeRoom(state: ChatState): boolean {
  const history = historyOf(
    openMessages(state).map((message) => ({ message, tokens: roughTokens(message) })),
    state.pinned,
  );
  return gain(planAt(history, history.messages.length, 'summarize')) > 0;
}

/** Returns a lower bound of the tokens: of a large tool result, only the beginning is counted. */
function roughTokens(message: SentMessage): number {
  return messageTexts(message).reduce((sum, text) => sum + ROUGH_COUNTER.count(text), 0);
}
