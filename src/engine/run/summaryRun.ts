import { newId } from '../chat/order/ids.js';
import { replyText } from '../chat/message/reply.js';
import type { NewEvent } from '../chat/slices/table.js';
import { failure, toErrorRecord, toLoupeError, type ErrorRecord } from '../errors.js';
import { ask, type AskOutcome, type RunPorts } from './ask.js';
import type { AttemptResult } from './attempt.js';
import type { PreparedRequest, RunEvents } from './input.js';
import { unansweredEvents } from './unanswered.js';

/** Maximum retries of a request for a summary. The user does not wait for the summary, and Loupe retries later. */
const MOST_SUMMARY_RETRIES = 2;

export interface SummaryRunInput {
  readonly runId: string;
  /** Id and text of the `system-summary` message. */
  readonly asks: { readonly id: string; readonly text: string };
  /** Number of requests: 1, or the number of parts of a conversation that is too long for one request. */
  readonly parts: number;
  /** Builds the request for part `part`. `soFar`: the summary of the earlier parts, or null for the first part. */
  prepare(attemptId: string, part: number, soFar: string | null): Promise<PreparedRequest>;
  /** Returns the events that end the run with this summary. Throws a `LoupeError` when the summary cannot be used. */
  finish(summary: string): { readonly text: string; readonly events: (summaryId: string) => readonly NewEvent[] };
  readonly signal: AbortSignal;
}

export type SummaryOutcome =
  | { readonly outcome: 'done'; readonly summaryId: string; readonly text: string }
  | { readonly outcome: 'stopped' }
  | { readonly outcome: 'failed'; readonly error: ErrorRecord };

/**
 * A run that asks a model for a summary. Its events are logged like the events of `run`. After a failure, the
 * conversation is unchanged: only the events of `finish` change what is sent.
 */
export async function* summaryRun(input: SummaryRunInput, ports: RunPorts): AsyncGenerator<RunEvents, SummaryOutcome, void> {
  const { runId, asks } = input;
  yield {
    events: [
      { type: 'run-started', runId, cause: 'summary', userMessageId: null },
      { type: 'message', runId, message: { role: 'system-summary', ...asks } },
    ],
    persistence: 'durable',
  };
  let soFar: string | null = null;
  for (let part = 0; ; part += 1) {
    const [at, before] = [part, soFar];
    const prepare = (attemptId: string): Promise<PreparedRequest> => input.prepare(attemptId, at, before);
    const asked: AskOutcome = yield* ask(
      { ...input, prepare, purpose: 'summary', keepImage: null, mostRetries: MOST_SUMMARY_RETRIES },
      ports,
    );
    if (asked.outcome !== 'answered') {
      const { events, error } = unansweredEvents(input, asked);
      yield { events, persistence: 'durable' };
      return error === null ? { outcome: 'stopped' } : { outcome: 'failed', error };
    }
    const { result } = asked;
    try {
      soFar = usableSummary(result);
      if (part === input.parts - 1) {
        const { text, events } = input.finish(soFar);
        const summaryId = newId(ports.clock, ports.random);
        const said: NewEvent = { type: 'message', runId, message: { role: 'summary', id: summaryId, text } };
        yield { events: [result.ended, said, ...events(summaryId), { type: 'run-committed', runId }], persistence: 'durable' };
        return { outcome: 'done', summaryId, text };
      }
    } catch (thrown) {
      const error = toErrorRecord(toLoupeError(thrown));
      yield { events: [result.ended, { type: 'run-rolled-back', runId, error }], persistence: 'durable' };
      return { outcome: 'failed', error };
    }
    yield { events: [result.ended], persistence: 'written' };
  }
}

/** Returns the text of a summary. Throws a `LoupeError` for a reply that is not a summary. */
function usableSummary({ reply, ended: { stopReason, finishReason } }: AttemptResult): string {
  if (reply.some((part) => part?.type === 'toolCall')) {
    throw failure('summary.calledTool');
  }
  if (stopReason === 'refused') {
    throw failure('summary.refused');
  }
  if (stopReason === 'length') {
    throw failure('summary.cutOff');
  }
  if (stopReason === 'other') {
    throw failure('summary.endedEarly', { reason: finishReason ?? stopReason });
  }
  const text = replyText(reply).trim();
  if (text === '') {
    throw failure('summary.empty');
  }
  return text;
}
