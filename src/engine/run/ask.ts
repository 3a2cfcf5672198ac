import { newId } from '../chat/order/ids.js';
import type { AttemptPurpose } from '../chat/slices/attempts.js';
import type { NewEvent } from '../chat/slices/table.js';
import { toErrorRecord, toLoupeError, type ErrorRecord } from '../errors.js';
import type { Clock, RandomHex } from '../ports.js';
import { raceAbort } from './abortRace.js';
import { streamAttempt, type AttemptResult } from './attempt.js';
import type { PreparedRequest, RunInput, RunEvents } from './input.js';
import { planRetry } from './retry.js';

export interface RunPorts {
  readonly clock: Clock;
  readonly random: RandomHex;
}

export interface AskInput extends Pick<RunInput, 'runId' | 'signal' | 'prepare'> {
  /** Null for a run that needs no images of replies. */
  readonly keepImage: RunInput['keepImage'] | null;
  readonly purpose: AttemptPurpose;
  readonly mostRetries: number;
}

/** How a request to a model ended. The caller logs the end of the last attempt, together with other events. */
export type AskOutcome =
  | {
      readonly outcome: 'answered';
      readonly prepared: PreparedRequest;
      readonly result: Extract<AttemptResult, { readonly outcome: 'complete' }>;
    }
  /** The reply was stopped or interrupted, or failed without another retry. */
  | { readonly outcome: 'incomplete'; readonly prepared: PreparedRequest; readonly result: AttemptResult }
  /** The request could not be built, so nothing was sent. */
  | { readonly outcome: 'unprepared'; readonly error: ErrorRecord }
  /** Aborted before anything was sent, or while waiting for a retry. */
  | { readonly outcome: 'aborted' };

/** Sends a request, with retries. Builds each retry from the log. An abort ends the wait for a retry at once. */
export async function* ask(input: AskInput, ports: RunPorts): AsyncGenerator<RunEvents, AskOutcome, void> {
  for (let retries = 0; ; retries += 1) {
    const attemptId = newId(ports.clock, ports.random);
    let prepared: PreparedRequest | 'aborted';
    try {
      prepared = input.signal.aborted ? 'aborted' : await prepare(input, attemptId);
    } catch (thrown) {
      return { outcome: 'unprepared', error: toErrorRecord(toLoupeError(thrown)) };
    }
    if (prepared === 'aborted') {
      return { outcome: 'aborted' };
    }
    // Durable before sending: the provider bills the request even if this computer fails in the meantime.
    yield { events: [attemptStarted(input, prepared)], persistence: 'durable' };
    const result = yield* streamAttempt({ ...input, prepared }, ports.clock);
    if (result.outcome === 'complete') {
      return { outcome: 'answered', prepared, result };
    }
    const retry = result.outcome === 'failed' ? planRetry(result, { retries, most: input.mostRetries }, ports) : null;
    if (retry === null) {
      return { outcome: 'incomplete', prepared, result };
    }
    yield { events: [{ ...result.ended, retry }], persistence: 'written' };
    await ports.clock.sleep(Math.max(0, retry.at - ports.clock.now()), input.signal);
  }
}

/** Prepares the next request. An abort ends the wait at once, for any cause of the delay. */
async function prepare(input: AskInput, attemptId: string): Promise<PreparedRequest | 'aborted'> {
  try {
    return await raceAbort(input.prepare(attemptId, input.signal), input.signal);
  } catch (thrown) {
    if (input.signal.aborted) {
      return 'aborted';
    }
    throw thrown;
  }
}

function attemptStarted({ runId, purpose }: AskInput, { attemptId, model, manifest }: PreparedRequest): NewEvent {
  const started = { type: 'attempt-started', runId, attemptId, purpose, model: model.ref, protocol: model.protocol, manifest } as const;
  return model.prices?.isPretended === true ? { ...started, isPretended: true } : started;
}
