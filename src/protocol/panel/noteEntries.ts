import type { RewindReason } from '../../engine/chat/message/message.js';
import type { UsageTotals } from '../../engine/model/usage.js';
import type { HousekeepingCause } from '../../engine/chat/slices/runs.js';

export type { UsageTotals };

/*
 * Entries between the messages of a conversation: notes about attempts, runs and edits.
 */

/** A line about an edit or a retry, with the usage of the discarded messages, and of the whole chat until then. */
export interface AccountingEntry {
  readonly kind: 'accounting';
  readonly id: string;
  readonly reason: RewindReason;
  /** Whether the reply before the edit or retry had ended early. */
  readonly isAfterError: boolean;
  readonly discardedMessages: number;
  /** Usage of the replaced replies. Null if the log does not contain it. */
  readonly discarded: UsageTotals | null;
  /** Usage of the whole chat at the time of the edit or retry, including the replaced replies. */
  readonly soFar: UsageTotals;
  readonly rewindId: string;
}

/** A line after the messages that a fork copied, with a link to the original chat. */
export interface ForkEntry {
  readonly kind: 'fork';
  readonly id: string;
  /** Id of the original chat, and of the message or attempt in that chat. */
  readonly chatId: string;
  readonly messageId: string;
  /** Set if the user sent a message again with one change: the change, and the cost of both replies. */
  readonly sentAgain: {
    readonly text: string;
    /** Id of the attempt in the original chat for the same message. */
    readonly attemptId: string;
  } | null;
}

/** Tokens and cost (US dollars) of a request. Null when unknown, which is not the same as 0. */
export interface RequestFigures {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cost: number | null;
  /** Whether the real cost may be higher: searches are billed in addition, or a part of the price is unknown. */
  readonly isAtLeast: boolean;
  /** Whether the model is free, so that the cost is only an example. */
  readonly isPretended: boolean;
}

/** A request that Loupe made for its own purposes, such as a title or a summary. */
export interface OwnRequest extends RequestFigures {
  readonly attemptId: string;
  readonly purpose: HousekeepingCause;
  /** What Loupe asked the model. Null for a topic search, because its text is only in the request. */
  readonly asked: string | null;
  readonly model: string;
}

/** Requests that Loupe made for its own purposes, and their cost. */
export interface OwnUsage extends Pick<RequestFigures, 'cost' | 'isAtLeast' | 'isPretended'> {
  /** The requests, in the order in which they were sent. */
  readonly requests: readonly OwnRequest[];
  /** Number of requests that may be billed. Rejected requests are not included. */
  readonly paidRequests: number;
}

/** The title that a model wrote for the chat, or why that failed. `id` is the id of the title's run. */
export interface TitleEntry {
  readonly kind: 'title';
  readonly id: string;
  readonly status: 'running' | 'done' | 'stopped' | 'failed';
  /** The new title. Null during the writing, and if the writing failed. */
  readonly title: string | null;
  /** Whether this is the first title of the chat. */
  readonly isFirst: boolean;
  /** Why no title was written. Null without an error. */
  readonly text: string | null;
  readonly requests: readonly OwnRequest[];
}

/** A request that failed and was sent again. Shown as a line before the reply. `id` is the id of the attempt. */
export interface FailedAttemptEntry {
  readonly kind: 'failedAttempt';
  readonly id: string;
  readonly text: string;
  /** HTTP status of the response. Null without a response. */
  readonly status: number | null;
  /** When the request was sent, in epoch milliseconds. */
  readonly at: number;
  readonly durationMs: number;
  /** Milliseconds from the end of this attempt until the next attempt. Null if the run ended in between. */
  readonly waitMs: number | null;
}

/** Why a request failed, and when Loupe sends it again. Shown until Loupe sends the request. */
export interface RetryEntry {
  readonly kind: 'retry';
  readonly id: string;
  readonly attemptId: string;
  readonly text: string;
  /** When Loupe sends the request again, in epoch milliseconds: retry `number` of at most `most`. */
  readonly at: number;
  readonly number: number;
  readonly most: number;
}

/** Why a run ended early, and what the user can do. */
export interface RunNoteEntry {
  readonly kind: 'runNote';
  readonly id: string;
  /** `held`: the run was stopped at a spend limit. */
  readonly status: 'stopped' | 'failed' | 'interrupted' | 'held';
  readonly text: string;
  /** Technical details of the error. Null without details. */
  readonly detail: string | null;
  /** Id of the run's last attempt. Null if that attempt has another entry, or if no request was sent. */
  readonly attemptId: string | null;
  readonly actions: readonly RunAction[];
  readonly isLast: boolean;
  /** Id of the user message to send again with `retry`. */
  readonly userMessageId: string;
}

export type RunAction = 'retry' | 'continue' | 'goOnOnce' | 'openSpendSettings' | 'setApiKey' | 'selectModel' | 'summarize' | 'showLog';
