import type { EventDraft } from '../../engine/chat/slices/table.js';
import { LoupeError, recordedError } from '../../engine/errors.js';

/**
 * What went wrong with a provider in a step of a run, for the log channel: each failed attempt, also one that is made
 * again, and the end of a run that has none, such as when nothing could be sent.
 */
export function runFailures(drafts: readonly EventDraft[]): LoupeError[] {
  const attempts = drafts.flatMap((draft) => (draft.type === 'attempt-ended' && draft.error !== null ? [draft.error] : []));
  const runs = drafts.flatMap((draft) => (draft.type === 'run-failed' || draft.type === 'run-rolled-back' ? [draft.error] : []));
  return (attempts.length > 0 ? attempts : runs).map(recordedError);
}
