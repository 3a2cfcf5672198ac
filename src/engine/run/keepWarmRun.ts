import { ask, type RunPorts } from './ask.js';
import type { RunEvents, RunInput } from './input.js';
import { unansweredEvents } from './unanswered.js';
import type { ErrorRecord } from '../errors.js';

/** A run that keeps the cached prompt of a chat from expiring. Returns the error, or null. Logged like `run`. */
export async function* keepWarmRun(
  input: Pick<RunInput, 'runId' | 'prepare' | 'signal'>,
  ports: RunPorts,
): AsyncGenerator<RunEvents, ErrorRecord | null, void> {
  const { runId } = input;
  yield { events: [{ type: 'run-started', runId, cause: 'keepWarm', userMessageId: null }], persistence: 'durable' };
  // Without a retry: the cache expires meanwhile, and a late request would write all of it again.
  const asked = yield* ask({ ...input, purpose: 'keepWarm', keepImage: null, mostRetries: 0 }, ports);
  if (asked.outcome !== 'answered') {
    const { events, error } = unansweredEvents(input, asked);
    yield { events, persistence: 'durable' };
    return error;
  }
  yield { events: [asked.result.ended, { type: 'run-committed', runId }], persistence: 'durable' };
  return null;
}
