/*
 * Entries between the messages of a conversation: notes about attempts, runs and edits.
 */

/** Sums over requests, in tokens and US dollars. They are lower bounds if a request has unknown usage or price. */
export interface UsageSumView {
  readonly requests: number;
  readonly uncachedTokens: number;
  readonly cachedTokens: number;
  readonly writtenTokens: number;
  readonly outputTokens: number;
  /** Null if no price is known. */
  readonly cost: number | null;
  readonly unknownRequests: number;
}

/** A line about an edit or a retry, with the usage of the discarded messages and of the chat until then. */
export interface AccountingEntry {
  readonly kind: 'accounting';
  readonly id: string;
  readonly reason: 'edited' | 'retried' | 'broughtBack';
  /** Whether the replaced reply had ended early. */
  readonly isAfterError: boolean;
  readonly discardedMessages: number;
  /** Usage of the replaced replies. Null if the log does not have it. */
  readonly discarded: UsageSumView | null;
  /** Usage of the whole chat up to then, including the replaced replies. */
  readonly soFar: UsageSumView;
  readonly rewindId: string;
}

/** A line after the messages that a fork copied, with a link to the original chat. */
export interface ForkEntry {
  readonly kind: 'fork';
  readonly id: string;
  /** The original chat, and the message there or its attempt. */
  readonly chatId: string;
  readonly messageId: string;
  /** If the fork sent its message again with one change: the change and the cost of both replies. */
  readonly sentAgain: {
    readonly text: string;
    /** The request of the original chat for the same message. */
    readonly attemptId: string;
  } | null;
}

/** A request that Loupe made for itself. */
export interface OwnRequest {
  readonly attemptId: string;
  readonly purpose: 'title' | 'topic' | 'summary';
  /** What the model was asked. Null for a topic search, whose text is only in the request. */
  readonly asked: string | null;
  readonly model: string;
  /** Null means unknown, not 0. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** US dollars. Null when unknown. */
  readonly cost: number | null;
  readonly isAtLeast: boolean;
  readonly isPretended: boolean;
}

/** Requests that Loupe made for itself, and their cost. */
export interface OwnUsage {
  /** In the order in which they were sent. */
  readonly requests: readonly OwnRequest[];
  /** Number of requests that may be billed. Rejected ones do not count. */
  readonly paidRequests: number;
  /** US dollars. Null if no price is known. */
  readonly cost: number | null;
  /** Whether the usage or price of a request is unknown, so that the cost is a lower bound. */
  readonly isAtLeast: boolean;
  /** Whether one of the models is free and has example prices. */
  readonly isPretended: boolean;
}

/** The title that a model wrote for the chat, or why it failed. Its id is that of the run. */
export interface TitleEntry {
  readonly kind: 'title';
  readonly id: string;
  readonly status: 'running' | 'done' | 'stopped' | 'failed';
  /** Null without a title. */
  readonly title: string | null;
  /** Whether it is the first title of the chat. */
  readonly isFirst: boolean;
  /** Why it failed. Null otherwise. */
  readonly text: string | null;
  readonly requests: readonly OwnRequest[];
}

/** A request that failed before a reply and was sent again: a line before that reply. Its id is that of the attempt. */
export interface FailedAttemptEntry {
  readonly kind: 'failedAttempt';
  readonly id: string;
  readonly text: string;
  /** HTTP status of the response. Null without a response. */
  readonly status: number | null;
  /** When it was sent, in epoch milliseconds. */
  readonly at: number;
  readonly durationMs: number;
  /** Time from its end until the request was sent again. Null if the run ended in between. */
  readonly waitMs: number | null;
}

/** Why a request failed, and when it is retried. Shown until the retry. */
export interface RetryEntry {
  readonly kind: 'retry';
  readonly id: string;
  readonly attemptId: string;
  readonly text: string;
  /** Epoch milliseconds of the retry. It is retry `number` of at most `most`. */
  readonly at: number;
  readonly number: number;
  readonly most: number;
}

/** Why a run ended early, and possible actions. */
export interface RunNoteEntry {
  readonly kind: 'runNote';
  readonly id: string;
  /** `held`: a spend limit stopped it. */
  readonly status: 'stopped' | 'failed' | 'interrupted' | 'held';
  readonly text: string;
  /** Technical details. Null without any. */
  readonly detail: string | null;
  /** The last attempt, unless it has its own entry. Null if none was sent. */
  readonly attemptId: string | null;
  readonly actions: readonly RunAction[];
  readonly isLast: boolean;
  /** Id of the user message that `retry` answers again. */
  readonly userMessageId: string;
}

export type RunAction = 'retry' | 'continue' | 'goOnOnce' | 'openSpendSettings' | 'setApiKey' | 'selectModel' | 'summarize' | 'showLog';
