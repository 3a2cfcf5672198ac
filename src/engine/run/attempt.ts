import { billedUsage } from '../chat/billedUsage.js';
import { chargeOf } from '../model/price.js';
import { type Usage, figureValue } from '../model/usage.js';
import type { NewEvent } from '../chat/slices/table.js';
import type { Reply, StoredStreamPart } from '../chat/message/reply.js';
import type { ReceivedImage, ReplyBegin, StopReason, StreamPart } from '../model/model.js';
import { type LoupeError, failure, toErrorRecord, toLoupeError } from '../errors.js';
import { isUnfinishedObject } from '../objectEnd.js';
import type { Clock } from '../ports.js';
import { ownToolName } from '../record/toolNames.js';
import { AbortRace } from './abortRace.js';
import type { HttpExchange } from '../model/httpExchange.js';
import { type PreparedRequest, type RunEvents, type RunInput, SHUT_DOWN } from './input.js';
import { Progress } from './progress.js';

type AttemptEnded = Extract<NewEvent, { readonly type: 'attempt-ended' }>;

/** How an attempt ended. The run logs `ended`, because only the run decides about a retry. */
export type AttemptResult =
  | { readonly outcome: 'complete'; readonly reply: Reply; readonly ended: AttemptEnded }
  | { readonly outcome: 'stopped' | 'interrupted'; readonly reply: Reply; readonly ended: AttemptEnded }
  | { readonly outcome: 'failed'; readonly reply: Reply; readonly ended: AttemptEnded; readonly error: LoupeError };

type UsageReport = Pick<Extract<StreamPart, { readonly type: 'usage' }>, 'usage' | 'rawUsage' | 'shrunk' | 'answeredBy'>;
const NO_REPORT = { usage: null, rawUsage: null, shrunk: undefined, answeredBy: undefined } as const;

type EndPart = Extract<StreamPart, { readonly type: 'end' }>;
/** `keepImage` is null for a run that needs no images of replies. */
type StreamInput = Pick<RunInput, 'runId' | 'signal'> & {
  readonly keepImage: RunInput['keepImage'] | null;
  readonly prepared: PreparedRequest;
};

interface StreamState {
  readonly progress: Progress;
  /** The provider's latest usage report; null before the first. */
  report: UsageReport | null;
  /** The first part of the stream. Null before it arrives, and for a provider that does not send this part. */
  begin: ReplyBegin | null;
  /** The HTTP request and response; null before anything was sent over HTTP. */
  exchange: HttpExchange | null;
}

/** Sends one request and shows its reply. Logs new pieces every 250 ms or 4 KB. An abort ends the attempt at once. */
export async function* streamAttempt(input: StreamInput, clock: Clock): AsyncGenerator<RunEvents, AttemptResult, void> {
  const received: StreamState = { progress: new Progress(clock), report: null, begin: null, exchange: null };
  let end: EndPart | null = null;
  let broken: unknown = null;
  try {
    end = input.signal.aborted ? null : yield* pump(input, received);
  } catch (thrown) {
    broken = thrown;
  }
  const rest = received.progress.take();
  if (rest.length > 0) {
    yield { events: [progressEvent(input, rest)], persistence: 'written' };
  }
  return await resultOf(input, received, end, broken);
}

/** Reads the stream up to its end part. Null if the stream has no end part, or after an abort. */
async function* pump(input: StreamInput, received: StreamState): AsyncGenerator<RunEvents, EndPart | null, void> {
  const { prepared, signal } = input;
  const { progress } = received;
  const stream = prepared.client.stream(prepared.model, prepared.wire, signal, (exchange) => {
    received.exchange = exchange;
  });
  const iterator = stream[Symbol.asyncIterator]();
  const race = new AbortRace(signal);
  let next = iterator.next();
  try {
    for (;;) {
      const event = await race.first([next, ...(progress.due === null ? [] : [progress.due])]);
      if (event === 'aborted' || signal.aborted) {
        return null;
      }
      if (event === 'due') {
        yield { events: [progressEvent(input, progress.take())], persistence: 'written' };
        continue;
      }
      if (event.done === true) {
        return null;
      }
      if (event.value.type === 'end') {
        return event.value;
      }
      if (event.value.type === 'usage') {
        received.report = event.value;
      } else if (event.value.type === 'begin') {
        received.begin = event.value;
      } else {
        const part = event.value.type === 'image' ? await storedImage(event.value, input, progress) : event.value;
        yield* part === null ? [] : show(input, progress, withOwnToolName(part, prepared));
      }
      next = iterator.next();
    }
  } finally {
    race.dispose();
    abandon(iterator, next);
  }
}

/** Stores an image. Null for an image that the reply already has, because some servers repeat images. */
async function storedImage(
  { index, ...received }: ReceivedImage,
  { keepImage }: StreamInput,
  { reply }: Progress,
): Promise<StoredStreamPart | null> {
  const image = keepImage === null ? null : await keepImage(received);
  return image === null || reply.some((part) => part?.type === 'image' && part.blob === image.blob)
    ? null
    : { type: 'image', index, image };
}

async function* show(input: StreamInput, progress: Progress, part: StoredStreamPart): AsyncGenerator<RunEvents, void, void> {
  yield { events: [progressEvent(input, [progress.add(part)])], persistence: 'shown' };
  if (progress.isFull) {
    yield { events: [progressEvent(input, progress.take())], persistence: 'written' };
  }
}

/** Returns the part with the name of the tool in Loupe, if the request renamed the tool. */
function withOwnToolName(part: StoredStreamPart, { manifest }: PreparedRequest): StoredStreamPart {
  return part.type === 'toolCall' ? { ...part, name: ownToolName(part.name, manifest.toolNames) } : part;
}

/** Closes a stream without waiting, because a provider that hangs must not delay Stop. */
function abandon(iterator: AsyncIterator<StreamPart>, next: Promise<unknown>): void {
  const ignore = (): void => {
    // Reading has already ended, so a later failure of the stream changes nothing.
  };
  next.catch(ignore);
  void iterator.return?.().catch(ignore);
}

function progressEvent(input: StreamInput, pieces: Extract<NewEvent, { type: 'attempt-progress' }>['pieces']): NewEvent {
  return { type: 'attempt-progress', runId: input.runId, attemptId: input.prepared.attemptId, pieces };
}

async function resultOf(input: StreamInput, received: StreamState, end: EndPart | null, broken: unknown): Promise<AttemptResult> {
  const { reply } = received.progress;
  const ended = (outcome: AttemptEnded['outcome'], error: LoupeError | null): Promise<AttemptEnded> =>
    endedEvent(input, received, end, { outcome, error });
  if (end !== null) {
    return { outcome: 'complete', reply, ended: await ended('complete', null) };
  }
  if (input.signal.aborted) {
    const outcome = input.signal.reason === SHUT_DOWN ? 'interrupted' : 'stopped';
    return { outcome, reply, ended: await ended(outcome, null) };
  }
  const error = broken === null ? failure('request.noEndMarker') : toLoupeError(broken);
  return { outcome: 'failed', reply, error, ended: await ended('failed', error) };
}

async function endedEvent(
  { runId, prepared }: StreamInput,
  { progress: { reply, reasoningMs }, report, begin, exchange }: StreamState,
  end: EndPart | null,
  { outcome, error }: { readonly outcome: AttemptEnded['outcome']; readonly error: LoupeError | null },
): Promise<AttemptEnded> {
  const { model, pricesOf } = prepared;
  // The end part has the complete usage. If there is no end part, or no usage in it, the latest report is used.
  const { usage: reported, rawUsage, shrunk, answeredBy } = (end !== null && end.usage !== null ? end : (report ?? end)) ?? NO_REPORT;
  const usage = await billedUsage({ outcome, hasContent: reply.length > 0, reported }, () => prepared.estimateUsage(reply));
  return {
    type: 'attempt-ended',
    runId,
    attemptId: prepared.attemptId,
    outcome,
    usage,
    rawUsage,
    ...(shrunk === undefined ? {} : { shrunk }),
    cost: usage === null ? null : chargeOf(usage, answeredBy === undefined ? model.prices : pricesOf(answeredBy), pricesOf),
    ...(answeredBy === undefined ? {} : { answeredBy }),
    ...endReport(end, begin),
    stopReason: stopReasonOf(end, reply, reported, prepared),
    ...diagnosisOf(begin, prepared),
    error: error === null ? null : toErrorRecord(error),
    retry: null,
    ...(reasoningMs.length === 0 ? {} : { reasoningMs }),
    exchange,
  };
}

/** What the provider reported at the end of the reply, without usage and stop reason. */
function endReport(end: EndPart | null, begin: ReplyBegin | null): Pick<AttemptEnded, 'responseId' | 'finishReason' | 'extras'> {
  if (end === null) {
    return { responseId: begin?.responseId ?? null };
  }
  const { responseId, finishReason, extras } = end;
  return { responseId, ...(finishReason === undefined ? {} : { finishReason }), ...(extras === undefined ? {} : { extras }) };
}

/** Returns why the reply ended. An unfinished call at the output limit gives `length`, despite the server's report. */
function stopReasonOf(
  end: EndPart | null,
  reply: Reply,
  reported: Usage | null,
  { manifest: { params } }: PreparedRequest,
): StopReason | null {
  if (end === null || (end.stopReason !== 'end' && end.stopReason !== 'toolCalls')) {
    return end === null ? null : end.stopReason;
  }
  const used = figureValue(reported?.completionTokens ?? null);
  const isAtLimit = used !== null && params.maxOutputTokens !== null && used >= params.maxOutputTokens;
  const isCut = isAtLimit && reply.some((part) => part?.type === 'toolCall' && isUnfinishedObject(part.rawArgs));
  return isCut ? 'length' : end.stopReason;
}

/** Returns the provider's diagnosis. Empty without an earlier request: the provider then always reports `same`. */
function diagnosisOf(begin: ReplyBegin | null, { manifest: { params } }: PreparedRequest): Pick<AttemptEnded, 'providerDiagnosis'> {
  const diagnosis = begin?.diagnosis ?? null;
  return diagnosis === null || typeof params.previousResponseId !== 'string' ? {} : { providerDiagnosis: diagnosis };
}
