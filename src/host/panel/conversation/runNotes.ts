import { canContinue, lastRun, unfinishedReplyId } from '../../../engine/chat/branch.js';
import { endsBrokenOff } from '../../../engine/run/brokenOff.js';
import { messageTexts, type SentMessage } from '../../../engine/chat/message/message.js';
import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { RunState } from '../../../engine/chat/slices/runs.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { FailureAction } from '../../../engine/failures/entry.js';
import type { EntryView, FailedAttempt, RunAction, RunNoteEntry } from '../../../protocol/panel/entries.js';
import { historyOf } from '../../../engine/compaction/history.js';
import { gain, planAt } from '../../../engine/compaction/plan.js';
import { openMessages } from '../../../engine/compaction/range.js';
import { failureActions, replyActions } from '../../../engine/failures/failures.js';
import { ROUGH_COUNTER } from '../../../engine/tokens/roughCounter.js';
import { countedFailure, failureText } from './failedAttempts.js';

export interface Note {
  readonly id: string;
  readonly derive: () => EntryView;
}

type Attempts = ChatState['attempts'];

/** Returns the notes at the end of a run: the wait before a retry, how the run ended, or the failed requests so far. */
export function endNotes(run: RunState, state: ChatState, failures: readonly FailedAttempt[]): Note[] {
  const waiting = waitingFor(run, state.attempts);
  if (waiting !== undefined) {
    return retryEntry(run, waiting, failures);
  }
  const note = runNote(run, state, failures);
  return noteStatus(run) === 'failed' ? note : [...failuresLine(run, failures), ...note];
}

/** Returns a line with the failed requests of a run that has not failed. */
export function failuresLine(run: RunState, failures: readonly FailedAttempt[]): Note[] {
  const last = failures.at(-1);
  const id = `failures-${run.id}`;
  return last === undefined ? [] : [{ id, derive: () => ({ kind: 'failures', id, text: countedFailure(last.text, failures), failures }) }];
}

function retryEntry(run: RunState, waiting: AttemptState, failures: readonly FailedAttempt[]): Note[] {
  const { id: attemptId, end } = waiting;
  if (end === null || end.retry === null) {
    return [];
  }
  const { at, number, most } = end.retry;
  const id = `retry-${run.id}-${String(number)}`;
  const text = countedFailure(failureText(waiting), failures);
  return [{ id, derive: () => ({ kind: 'retry', id, attemptId, text, failures, at, number, most }) }];
}

/** Returns the failed attempt that the run will retry after a wait. */
function waitingFor(run: RunState, attempts: Attempts): AttemptState | undefined {
  const last = attempts.get(run.attemptIds.at(-1) ?? '');
  return run.status === 'running' && last?.end?.retry ? last : undefined;
}

/** Returns the id of a run's last attempt if it failed without output, and so has no entry. Null otherwise. */
function silentAttempt(run: RunState, attempts: Attempts): string | null {
  const last = attempts.get(run.attemptIds.at(-1) ?? '');
  const isSilent = last?.end?.retry === null && last.end.outcome !== 'complete' && last.reply.length === 0;
  return isSilent ? last.id : null;
}

/** Returns the note about a failed, stopped or interrupted run. Empty for other runs. */
export function runNote(run: RunState, state: ChatState, failures: readonly FailedAttempt[]): Note[] {
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
  const text = countedFailure(noteText(run, state.attempts, attemptId !== null), failures);
  return [{ id, derive: () => ({ kind: 'runNote', id, status, text, detail, attemptId, failures, actions, isLast, userMessageId }) }];
}

/** Returns the actions in the order in which they help. After a later message, only *Retry* and *Show log* remain. */
function noteActions(run: RunState, state: ChatState, isLast: boolean): RunAction[] {
  if (isHeld(run)) {
    // Neither Continue nor Retry, which would stop at the same spend limit.
    return isLast && run.error !== null ? [...failureActions(run.error.code)] : [];
  }
  const all: readonly FailureAction[] = run.error === null ? ['retry'] : replyActions(run.error.code);
  const offered: readonly RunAction[] = all.filter((action) => {
    switch (action) {
      case 'retry':
        return isLast || run.status === 'rolledBack';
      case 'showLog':
        return true;
      default:
        return isLast && helps(action, state);
    }
  });
  if (!isLast || !(canContinue(run) || unfinishedReplyId(state) !== null || endsBrokenOff(state))) {
    return [...offered];
  }
  // What has arrived stays, so Continue comes before Retry and other models, but after a wrong key or address.
  const at = offered.findIndex((action) => action === 'retry' || action === 'selectModel');
  return offered.toSpliced(at, 0, 'continue', ...(endsBrokenOff(state) ? (['keepReply'] as const) : []));
}

/** Whether an action helps in this chat: a summary shortens the request, or the chat has a limit to raise. */
function helps(action: FailureAction, state: ChatState): boolean {
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
    return `Interrupted: VS Code closed ${interruptedAt(run, attempts)}.`;
  }
  return isSilent ? 'The reply was stopped before any text arrived.' : 'Stopped';
}

function interruptedAt({ attemptIds }: RunState, attempts: Attempts): string {
  const latest = attemptIds.at(-1);
  if (latest === undefined) {
    return 'before the request was sent';
  }
  return attempts.get(latest)?.end?.outcome === 'complete' ? 'before the tools had finished' : 'while the reply was arriving';
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
