import type { NewEvent } from '../chat/slices/table.js';
import type { ErrorRecord } from '../errors.js';
import type { AskOutcome } from './ask.js';
import { SHUT_DOWN, type RunInput } from './input.js';
import { finalRecord } from './retry.js';

/** Returns the last events of a run for a title, topic or summary without a reply, and the error. Null after a stop. */
export function unansweredEvents(
  { runId, signal }: Pick<RunInput, 'runId' | 'signal'>,
  asked: Exclude<AskOutcome, { readonly outcome: 'answered' }>,
): { readonly events: readonly NewEvent[]; readonly error: ErrorRecord | null } {
  const result = asked.outcome === 'incomplete' ? asked.result : null;
  const error = asked.outcome === 'unprepared' ? asked.error : result?.outcome === 'failed' ? finalRecord(result) : null;
  const ended: NewEvent[] = result === null ? [] : [{ ...result.ended, error }];
  if (error !== null) {
    return { events: [...ended, { type: 'run-rolled-back', runId, error }], error };
  }
  const type = signal.reason === SHUT_DOWN ? 'run-interrupted' : 'run-stopped';
  return { events: [...ended, { type, runId }], error };
}
