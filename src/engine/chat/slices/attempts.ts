import type { Usage } from '../../accounting/usage.js';
import type { Cost } from '../../accounting/price.js';
import type { ErrorRecord } from '../../errors.js';
import type { Json } from '../../json.js';
import type { Manifest } from '../../request/manifest.js';
import type { StopReason } from '../../run/model.js';
import type { ModelRef } from '../config.js';
import { applyPiece, type ProgressPiece, type GrowingReply, type ReplyPart } from '../reply.js';
import type { FoldStamp } from '../stamp.js';
import { changeEntry, silent, type Draft, type OwnSlice } from './slice.js';

export type AttemptPurpose = 'reply' | 'title' | 'summary' | 'topic';
export type AttemptOutcome = 'complete' | 'stopped' | 'failed' | 'interrupted';

/** When a failed request is made again: the `number`th of at most `most` times, at the epoch millisecond `at`. */
export interface RetryPlan {
  readonly at: number;
  readonly number: number;
  readonly most: number;
}

/** How a request was sent and answered, bodies apart. In the values of headers each key is masked. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: readonly (readonly [name: string, value: string])[];
  /** Null when no response came. */
  readonly response: { readonly status: number; readonly headers: readonly (readonly [name: string, value: string])[] } | null;
}

/** What was sent, and for what. */
interface AttemptRequest {
  readonly purpose: AttemptPurpose;
  readonly model: ModelRef;
  readonly protocol: string;
  readonly manifest: Manifest;
}

/** What came of it. */
interface AttemptResult {
  readonly outcome: AttemptOutcome;
  readonly usage: Usage | null;
  readonly rawUsage: Json;
  /** At the prices of the time, since prices are configuration and may change; null when it is unknown. */
  readonly cost: Cost | null;
  readonly responseId: string | null;
  readonly stopReason: StopReason | null;
  readonly error: ErrorRecord | null;
  /** The failed request is made again; null when it is not. */
  readonly retry: RetryPlan | null;
  /** Null where nothing went over HTTP, or it is not known. */
  readonly exchange: Exchange | null;
}

export interface AttemptEnd extends AttemptResult {
  readonly at: number;
}

export interface AttemptState extends AttemptRequest {
  readonly id: string;
  /** Null for one that was inherited: its run is in the chat it was made in. */
  readonly runId: string | null;
  /** The chat that made it and paid for it, when that is another one; null for this one. */
  readonly inheritedFrom: string | null;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** What has streamed in so far, in place; kept when the attempt fails. */
  readonly reply: GrowingReply;
  /** Null while it runs. */
  readonly end: AttemptEnd | null;
}

export interface AttemptsState {
  /** Every attempt ever made, discarded branches included: the ledger is a fold over these. */
  readonly attempts: ReadonlyMap<string, AttemptState>;
}

interface OfAttempt {
  readonly runId: string;
  readonly attemptId: string;
}

export interface AttemptStarted extends OfAttempt, AttemptRequest {
  readonly type: 'attempt-started';
}

export interface AttemptProgress extends OfAttempt {
  readonly type: 'attempt-progress';
  readonly pieces: readonly ProgressPiece[];
}

export interface AttemptEnded extends OfAttempt, AttemptResult {
  readonly type: 'attempt-ended';
}

/** An attempt behind a reply that a fork copied: its record. What it used is in the ledger of the chat that made it. */
export interface AttemptInherited extends AttemptRequest {
  readonly type: 'attempt-inherited';
  readonly attemptId: string;
  readonly from: string;
  readonly startedAt: number;
  readonly end: AttemptEnd | null;
}

export type AttemptEvent = AttemptStarted | AttemptProgress | AttemptEnded | AttemptInherited;

/** JSON has no undefined parts. */
type AttemptJson = Omit<AttemptState, 'reply'> & { readonly reply: readonly (ReplyPart | null)[] };

/** Every call to a model, for any purpose. */
export const attempts: OwnSlice<AttemptsState, AttemptEvent, readonly AttemptJson[]> = {
  initial: () => ({ attempts: new Map() }),
  events: {
    'attempt-started': silent('run', start),
    'attempt-progress': silent('run', (state, { attemptId, pieces }, report) => {
      changeEntry(state.attempts, ['attempt', attemptId], report, (attempt) => {
        for (const piece of pieces) {
          applyPiece(attempt.reply, piece);
        }
        return attempt;
      });
    }),
    'attempt-ended': silent('run', (state, event, report) => {
      changeEntry(state.attempts, ['attempt', event.attemptId], report, (attempt) => ({ ...attempt, end: endOf(event) }));
    }),
    'attempt-inherited': silent('slice', (state, { attemptId: id, from, startedAt, end, ...request }) => {
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

function start(state: Draft<AttemptsState>, event: AttemptStarted & FoldStamp): void {
  const { attemptId: id, runId, purpose, model, protocol, manifest, at } = event;
  // Written out: a long chat has tens of thousands of them, and a spread makes each slower to make and larger.
  state.attempts.set(id, { id, runId, inheritedFrom: null, purpose, model, protocol, manifest, startedAt: at, reply: [], end: null });
}

function requestOf({ purpose, model, protocol, manifest }: AttemptRequest): AttemptRequest {
  return { purpose, model, protocol, manifest };
}

function endOf({ outcome, usage, rawUsage, cost, responseId, stopReason, error, retry, exchange, at }: AttemptEnd): AttemptEnd {
  return { outcome, usage, rawUsage, cost, responseId, stopReason, error, retry, exchange, at };
}

function inherited(attempt: AttemptState, chatId: string): AttemptInherited {
  const { id, inheritedFrom, startedAt, end } = attempt;
  return { type: 'attempt-inherited', attemptId: id, from: inheritedFrom ?? chatId, ...requestOf(attempt), startedAt, end };
}
