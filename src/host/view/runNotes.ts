import { canContinue, lastRun } from '../../engine/chat/branch.js';
import type { RunState } from '../../engine/chat/slices/runs.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { EntryView, RunAction, RunNoteEntry } from '../../protocol/view.js';
import { failureActions } from '../../engine/failures/catalogue.js';

/** A note about a run, with its entry's id. */
export interface Note {
  readonly id: string;
  readonly derive: () => EntryView;
}

/** The wait before a failed request is made again; nothing while one is on its way. */
export function retryEntry(run: RunState, state: ChatState): Note[] {
  const end = state.attempts.get(run.attemptIds.at(-1) ?? '')?.end;
  const retry = end?.retry ?? null;
  if (run.status !== 'running' || retry === null) {
    return [];
  }
  const { at, number, most } = retry;
  const text = end?.error?.message ?? 'The request failed.';
  const id = `retry-${run.id}-${String(number)}`;
  return [{ id, derive: () => ({ kind: 'retry', id, text, at, number, most }) }];
}

/** How a run ended, when it did not end well. */
export function runNote(run: RunState, state: ChatState): Note[] {
  const status = noteStatus(run);
  const { userMessageId } = run;
  if (status === null || userMessageId === null) {
    return [];
  }
  const actions = noteActions(run, state);
  const detail = run.error?.detail ?? null;
  const id = `note-${run.id}`;
  const text = noteText(run);
  return [{ id, derive: () => ({ kind: 'runNote', id, status, text, detail, actions, userMessageId }) }];
}

/** What helps first: a key, another model, then going on. */
function noteActions(run: RunState, state: ChatState): RunAction[] {
  const isLast = lastRun(state)?.id === run.id;
  return [
    ...(isLast && run.error !== null ? failureActions(run.error.code) : []),
    ...(isLast && canContinue(run) ? (['continue'] as const) : []),
    ...(isLast || run.status === 'rolledBack' ? (['retry'] as const) : []),
    ...(run.error?.kind === 'internal' ? (['showLog'] as const) : []),
  ];
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
      return 'failed';
  }
}

function noteText(run: RunState): string {
  if (run.error !== null) {
    return run.error.message;
  }
  return run.status === 'interrupted'
    ? 'Interrupted: the window closed or the extension host ended while the reply was arriving.'
    : 'You stopped this; what had arrived is kept.';
}
