import { canContinue, endsStopped, lastRun } from '../../../engine/chat/branch.js';
import { endsBrokenOff } from '../../../engine/run/brokenOff.js';
import { messageTexts, type SentMessage } from '../../../engine/chat/message/message.js';
import type { AttemptEnd, AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { RunState } from '../../../engine/chat/slices/runs.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { FailedAttemptEntry, RunAction, RunNoteEntry } from '../../../protocol/panel/noteEntries.js';
import type { EntryView } from '../../../protocol/panel/view.js';
import { historyOf } from '../../../engine/compaction/history.js';
import { gain, planAt } from '../../../engine/compaction/plan.js';
import { openMessages } from '../../../engine/compaction/range.js';
import { failureActions } from '../../../engine/failures/catalogue.js';
import { ROUGH_COUNTER } from '../../../engine/tokens/roughCounter.js';

/** A note about a run, with its entry's id. */
export interface Note {
  readonly id: string;
  readonly derive: () => EntryView;
}

/** The attempts of a run, as its notes need them. */
type Attempts = ChatState['attempts'];

interface FailedAttemptNote extends Note {
  readonly derive: () => FailedAttemptEntry;
}

/** The lines of the attempts numbered `from` up to, not including, `to` that failed with a retry planned. */
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

/** The wait before a failed request is retried; none while a request is on its way. */
export function retryEntry(run: RunState, { attempts }: ChatState): Note[] {
  const { id: attemptId, end } = waitingFor(run, attempts) ?? { id: '', end: null };
  if (end === null || end.retry === null) {
    return [];
  }
  const { at, number, most } = end.retry;
  const id = `retry-${run.id}-${String(number)}`;
  return [{ id, derive: () => ({ kind: 'retry', id, attemptId, text: failureText(end), at, number, most }) }];
}

/** The failed attempt whose retry a run waits for. */
function waitingFor(run: RunState, attempts: Attempts): AttemptState | undefined {
  const last = attempts.get(run.attemptIds.at(-1) ?? '');
  return run.status === 'running' && last?.end?.retry ? last : undefined;
}

function failureText({ error }: AttemptEnd): string {
  return error?.message ?? 'The request failed.';
}

/** The last attempt of a run when it ended without anything that has an entry of its own; null otherwise. */
function silentAttempt(run: RunState, attempts: Attempts): string | null {
  const last = attempts.get(run.attemptIds.at(-1) ?? '');
  const isSilent = last?.end?.retry === null && last.end.outcome !== 'complete' && last.reply.length === 0;
  return isSilent ? last.id : null;
}

/** The outcome of a run that did not end well. */
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

/** Actions in the order of their use: set a key, choose another model, then continue. */
function noteActions(run: RunState, state: ChatState, isLast: boolean): RunAction[] {
  const against = isLast && run.error !== null ? actionsAgainst(run.error.code, state) : [];
  if (isHeld(run)) {
    // Without another word it would be held again.
    return against;
  }
  return [
    ...against,
    ...(isLast && (canContinue(run) || endsStopped(state) || endsBrokenOff(state)) ? (['continue'] as const) : []),
    ...(isLast || run.status === 'rolledBack' ? (['retry'] as const) : []),
    ...(run.error?.kind === 'internal' ? (['showLog'] as const) : []),
  ];
}

/** What helps against the cause of a failure in this chat: a summary only where it would make room. */
function actionsAgainst(code: string, state: ChatState): RunAction[] {
  return failureActions(code).filter((action) => action !== 'summarize' || couldMakeRoom(state));
}

/** Whether a cap of what is spent has stopped a run between two of its steps. */
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
      // Nothing went wrong: the user did not allow what it costs.
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
  return isSilent ? 'Stopped before any text arrived.' : 'Stopped';
}

/** Whether a summary would shorten the next request, by a rough count of what is loaded. A message that was not sent is no part of it. */
function couldMakeRoom(state: ChatState): boolean {
  const history = historyOf(
    openMessages(state).map((message) => ({ message, tokens: roughTokens(message) })),
    state.pinned,
  );
  return gain(planAt(history, history.messages.length, 'summarize')) > 0;
}

/** Of a large tool result only the begin counts, so a conversation has at least so many tokens. */
function roughTokens(message: SentMessage): number {
  return messageTexts(message).reduce((sum, text) => sum + ROUGH_COUNTER.count(text), 0);
}
