import { costOf } from '../accounting/price.js';
import type { EventDraft } from '../chat/event.js';
import type { Reply } from '../chat/reply.js';
import { LoupeError, toErrorRecord, toLoupeError, type ErrorRecord } from '../errors.js';
import type { Clock } from '../ports.js';
import { whenAborted } from './abort.js';
import { SHUT_DOWN, type PreparedRequest, type RunInput, type RunStep } from './input.js';
import type { StreamPart } from './model.js';
import { Progress } from './progress.js';

type AttemptEnded = Extract<EventDraft, { readonly type: 'attempt-ended' }>;

/** How an attempt ended, and the event that says so, which the run logs together with what follows from it. */
export type AttemptResult =
  | { readonly outcome: 'complete' | 'stopped' | 'interrupted'; readonly reply: Reply; readonly ended: AttemptEnded }
  | { readonly outcome: 'failed'; readonly reply: Reply; readonly ended: AttemptEnded; readonly error: ErrorRecord };

type EndPart = Extract<StreamPart, { readonly type: 'end' }>;
type Streaming = RunInput & { readonly prepared: PreparedRequest };

/**
 * Sends one request and shows its reply as it arrives; pieces are written at most every 250 ms or 4 KB. An abort
 * ends it at once, whatever the provider does: nothing that arrives later is looked at.
 */
export async function* streamAttempt(input: Streaming, clock: Clock): AsyncGenerator<RunStep, AttemptResult, void> {
  const progress = new Progress(clock);
  let end: EndPart | null = null;
  let failure: unknown = null;
  try {
    end = input.signal.aborted ? null : yield* pump(input, progress);
  } catch (thrown) {
    failure = thrown;
  }
  const rest = progress.take();
  if (rest.length > 0) {
    yield { drafts: [progressEvent(input, rest)], persistence: 'written' };
  }
  return resultOf(input, progress.reply, end, failure);
}

/** Reads the stream to its end part; null when it is over without one, or aborted. */
async function* pump(input: Streaming, progress: Progress): AsyncGenerator<RunStep, EndPart | null, void> {
  const { prepared, signal } = input;
  const iterator = prepared.client.stream(prepared.model, prepared.wire, signal)[Symbol.asyncIterator]();
  const aborted = whenAborted(signal);
  let next = iterator.next();
  try {
    for (;;) {
      const event = await Promise.race([aborted.promise, next, ...(progress.due === null ? [] : [progress.due])]);
      if (event === 'aborted' || signal.aborted) {
        return null;
      }
      if (event === 'due') {
        yield { drafts: [progressEvent(input, progress.take())], persistence: 'written' };
        continue;
      }
      if (event.done === true) {
        return null;
      }
      if (event.value.type === 'end') {
        return event.value;
      }
      yield { drafts: [progressEvent(input, [progress.add(event.value)])], persistence: 'shown' };
      if (progress.isFull) {
        yield { drafts: [progressEvent(input, progress.take())], persistence: 'written' };
      }
      next = iterator.next();
    }
  } finally {
    aborted.dispose();
    abandon(iterator, next);
  }
}

/** Lets go of a stream without waiting for it: a provider that hangs must not hold up Stop. */
function abandon(iterator: AsyncIterator<StreamPart>, next: Promise<unknown>): void {
  const ignore = (): void => {
    // The run has ended for a reason of its own; what a stream says after that changes nothing.
  };
  next.catch(ignore);
  void iterator.return?.().catch(ignore);
}

function progressEvent(input: Streaming, pieces: Extract<EventDraft, { type: 'attempt-progress' }>['pieces']): EventDraft {
  return { type: 'attempt-progress', runId: input.runId, attemptId: input.prepared.attemptId, pieces };
}

function resultOf(input: Streaming, reply: Reply, end: EndPart | null, failure: unknown): AttemptResult {
  if (end !== null) {
    return { outcome: 'complete', reply, ended: endedEvent(input, 'complete', end, null) };
  }
  if (input.signal.aborted) {
    const outcome = input.signal.reason === SHUT_DOWN ? 'interrupted' : 'stopped';
    return { outcome, reply, ended: endedEvent(input, outcome, null, null) };
  }
  const error = toErrorRecord(failure === null ? endedEarly() : toLoupeError(failure));
  return { outcome: 'failed', reply, error, ended: endedEvent(input, 'failed', null, error) };
}

function endedEarly(): LoupeError {
  return new LoupeError('incomplete', 'The reply ended before it was complete: the model sent no end marker.');
}

function endedEvent(
  input: Streaming,
  outcome: AttemptEnded['outcome'],
  end: EndPart | null,
  error: ErrorRecord | null,
): AttemptEnded {
  const usage = end?.usage ?? null;
  return {
    type: 'attempt-ended',
    runId: input.runId,
    attemptId: input.prepared.attemptId,
    outcome,
    usage,
    rawUsage: end?.rawUsage ?? null,
    cost: usage === null ? null : costOf(usage, input.prepared.model.prices),
    responseId: end?.responseId ?? null,
    stopReason: end?.stopReason ?? null,
    error,
  };
}
