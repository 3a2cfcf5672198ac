import type { ProviderDiagnosis, ReplyExtra, ShrunkFigure, StopReason } from '../../model/model.js';
import type { Usage } from '../../model/usage.js';
import type { Cost } from '../../model/price.js';
import type { ErrorRecord } from '../../errors.js';
import type { Json } from '../../json.js';
import type { Manifest } from '../../record/manifest.js';
import type { HttpExchange } from '../../model/httpExchange.js';
import type { ModelRef } from '../../model/modelRef.js';
import { type GrowingReply, type ProgressPiece, type ReplyPart, applyPiece } from '../message/reply.js';
import type { FoldStamp } from '../order/stamp.js';
import { type Mutable, type OwnSlice, changeEntry, unsearched } from './slice.js';

/** `keepWarm`: the request only keeps the cached prompt of the chat from expiring. Its reply is not used. */
export type AttemptPurpose = 'reply' | 'title' | 'summary' | 'topic' | 'keepWarm';
export type AttemptOutcome = 'complete' | 'stopped' | 'failed' | 'interrupted';

/** A planned retry of a failed request: retry `number` of at most `most`, at `at` (epoch milliseconds). */
export interface RetryPlan {
  readonly at: number;
  readonly number: number;
  readonly most: number;
}

interface AttemptRequest {
  readonly purpose: AttemptPurpose;
  readonly model: ModelRef;
  readonly protocol: string;
  readonly manifest: Manifest;
  /** Present if the model is not billed. Its prices are examples, so the totals of a chat do not include them. */
  readonly isPretended?: true;
}

interface AttemptResult {
  readonly outcome: AttemptOutcome;
  readonly usage: Usage | null;
  readonly rawUsage: Json;
  /** Token counts that the provider lowered during the reply. Missing when the provider lowered no count. */
  readonly shrunk?: readonly ShrunkFigure[];
  /** The cost at the prices of the attempt's time, because the user may change prices later. Null when unknown. */
  readonly cost: Cost | null;
  readonly responseId: string | null;
  /** Id of the model that replied, if a router or a fallback chose another model than requested. Missing otherwise. */
  readonly answeredBy?: string;
  readonly stopReason: StopReason | null;
  /** The provider's word for the stop reason, for `other` and for refusals. Missing if the provider gave no word. */
  readonly finishReason?: string;
  /** The provider's report about how this request differs from an earlier request. Missing without such a report. */
  readonly providerDiagnosis?: ProviderDiagnosis;
  readonly error: ErrorRecord | null;
  /** The planned retry of a failed request. Null if no retry is planned. */
  readonly retry: RetryPlan | null;
  /** Sources of the reply. In logs of version 0.1.0, also its images. Missing without sources and images. */
  readonly extras?: readonly ReplyExtra[];
  /** Milliseconds that each reasoning part of the reply took to arrive. Missing without reasoning. */
  readonly reasoningMs?: readonly number[];
  /** The HTTP exchange. Null if the model uses another transport, or if the request was never sent. */
  readonly exchange: HttpExchange | null;
}

export interface AttemptEnd extends AttemptResult {
  readonly at: number;
}

/** Whether Loupe counted the tokens of a reply, because the provider did not report them. */
export function isReplyEstimated(end: AttemptEnd | null): boolean {
  return end?.usage?.completionTokens?.source === 'estimated';
}

export interface AttemptState extends AttemptRequest {
  readonly id: string;
  /** Id of the run. Null for an attempt that a fork copied, because that run belongs to another chat. */
  readonly runId: string | null;
  /** Id of the original chat, for an attempt that a fork copied. Its usage belongs to that chat. Null otherwise. */
  readonly inheritedFrom: string | null;
  /** Start time in epoch milliseconds. */
  readonly startedAt: number;
  /** The reply so far. The array is changed in place, and is kept if the attempt fails. */
  readonly reply: GrowingReply;
  /** The outcome of the attempt. Null while the attempt runs. */
  readonly end: AttemptEnd | null;
}

export interface AttemptsState {
  /** Attempts by id, including the attempts of discarded branches, because they were billed, too. */
  readonly attempts: ReadonlyMap<string, AttemptState>;
}

interface AttemptReference {
  readonly runId: string;
  readonly attemptId: string;
}

export interface AttemptStarted extends AttemptReference, AttemptRequest {
  readonly type: 'attempt-started';
}

export interface AttemptProgress extends AttemptReference {
  readonly type: 'attempt-progress';
  readonly pieces: readonly ProgressPiece[];
}

export interface AttemptEnded extends AttemptReference, AttemptResult {
  readonly type: 'attempt-ended';
}

/** The record of an attempt whose reply a fork copied. Its usage belongs to the original chat. */
export interface AttemptInherited extends AttemptRequest {
  readonly type: 'attempt-inherited';
  readonly attemptId: string;
  readonly from: string;
  readonly startedAt: number;
  readonly end: AttemptEnd | null;
}

export type AttemptEvent = AttemptStarted | AttemptProgress | AttemptEnded | AttemptInherited;

/** The JSON of an attempt. JSON has no `undefined`, so missing parts of the reply are null. */
type AttemptJson = Omit<AttemptState, 'reply'> & { readonly reply: readonly (ReplyPart | null)[] };

export const attempts: OwnSlice<AttemptsState, AttemptEvent, readonly AttemptJson[]> = {
  initial: () => ({ attempts: new Map() }),
  events: {
    'attempt-started': unsearched('run', start),
    'attempt-progress': unsearched('run', (state, { attemptId, pieces }, report) => {
      changeEntry(state.attempts, ['attempt', attemptId], report, (attempt) => {
        for (const piece of pieces) {
          applyPiece(attempt.reply, piece);
        }
        return attempt;
      });
    }),
    'attempt-ended': unsearched('run', (state, event, report) => {
      changeEntry(state.attempts, ['attempt', event.attemptId], report, (attempt) =>
        attempt.end !== null && isForeignEnd(event) ? attempt : { ...attempt, end: endOf(event) },
      );
    }),
    'attempt-inherited': unsearched('slice', (state, { attemptId: id, from, startedAt, end, ...request }) => {
      state.attempts.set(id, { id, runId: null, inheritedFrom: from, ...requestOf(request), startedAt, reply: [], end });
    }),
  },
  follows: {},
  snapshot: (state, cut) =>
    [...state.attempts.values()]
      .filter(({ id }) => cut.attempts.has(id))
      .map((attempt) => ({ ...attempt, reply: attempt.reply.map((part) => part ?? null) })),
  restore: (json) => ({
    attempts: new Map(json.map((attempt) => [attempt.id, { ...attempt, reply: attempt.reply.map((part) => part ?? undefined) }])),
  }),
  exported: () => [],
  fork: (state, { attempts: copied, chatId }) =>
    [...state.attempts.values()].filter(({ id }) => copied.has(id)).map((attempt) => inherited(attempt, chatId)),
  isUntouched: (state) => state.attempts.size === 0,
};

function start(state: Mutable<AttemptsState>, event: AttemptStarted & FoldStamp): void {
  const { attemptId: id, runId, purpose, model, protocol, manifest, isPretended, at } = event;
  // Object spread would be slower here, and a long chat has tens of thousands of attempts.
  const attempt: AttemptState = { id, runId, inheritedFrom: null, purpose, model, protocol, manifest, startedAt: at, reply: [], end: null };
  state.attempts.set(id, isPretended === true ? { ...attempt, isPretended } : attempt);
}

function requestOf({ purpose, model, protocol, manifest, isPretended }: AttemptRequest): AttemptRequest {
  const request = { purpose, model, protocol, manifest };
  return isPretended === true ? { ...request, isPretended } : request;
}

/**
 * Returns whether another VS Code window may have written this end. A window does so if it wrongly takes the window of
 * the attempt for dead. Such an end has no usage and must not replace the real end.
 */
function isForeignEnd({ outcome, usage }: AttemptEnded): boolean {
  return outcome === 'interrupted' && usage === null;
}

function endOf({
  outcome,
  usage,
  rawUsage,
  shrunk,
  cost,
  responseId,
  stopReason,
  answeredBy,
  finishReason,
  providerDiagnosis,
  extras,
  error,
  retry,
  reasoningMs,
  exchange,
  at,
}: AttemptEnd): AttemptEnd {
  const end = { outcome, usage, rawUsage, cost, responseId, stopReason, error, retry, exchange, at };
  return {
    ...end,
    ...(shrunk === undefined ? {} : { shrunk }),
    ...(answeredBy === undefined ? {} : { answeredBy }),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(providerDiagnosis === undefined ? {} : { providerDiagnosis }),
    ...(extras === undefined ? {} : { extras }),
    ...(reasoningMs === undefined ? {} : { reasoningMs }),
  };
}

function inherited(attempt: AttemptState, chatId: string): AttemptInherited {
  const { id, inheritedFrom, startedAt, end } = attempt;
  return { type: 'attempt-inherited', attemptId: id, from: inheritedFrom ?? chatId, ...requestOf(attempt), startedAt, end };
}
