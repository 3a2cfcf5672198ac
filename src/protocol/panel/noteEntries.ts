/*
 * What stands between the messages of a conversation: lines and notes about attempts, runs and edits.
 */

/** Sums over requests, in tokens and US dollars. Those whose usage or price is unknown are not in them: then they are the least. */
export interface SpentView {
  readonly requests: number;
  readonly freshTokens: number;
  readonly cachedTokens: number;
  readonly writtenTokens: number;
  readonly outputTokens: number;
  /** Null when no price is known. */
  readonly cost: number | null;
  readonly unknownRequests: number;
}

/** A hairline with a sentence: `Message edited · 2 messages set aside`, what these had used, and what the chat had by then. */
export interface AccountingEntry {
  readonly kind: 'accounting';
  readonly id: string;
  readonly reason: 'edited' | 'retried' | 'broughtBack';
  /** Whether the reply that gave way had ended early. */
  readonly isAfterError: boolean;
  readonly discardedMessages: number;
  /** What the replies that gave way used; null where the log does not say it. */
  readonly discarded: SpentView | null;
  /** What the whole chat had used by then, with them. */
  readonly soFar: SpentView;
  readonly rewindId: string;
}

/** Where a fork leaves the chat that it was made of: a line behind what was copied, with the way back. */
export interface ForkEntry {
  readonly kind: 'fork';
  readonly id: string;
  /** The chat that it was made of, and the message there, or the attempt behind it. */
  readonly chatId: string;
  readonly messageId: string;
  /** Where its message was sent again with one thing changed: what that was, and what both answers cost. */
  readonly sentAgain: {
    readonly text: string;
    /** The request of the other chat that had answered the message. */
    readonly attemptId: string;
  } | null;
}

/** A request of Loupe's own. */
export interface OwnRequest {
  readonly attemptId: string;
  readonly purpose: 'title' | 'topic' | 'summary';
  /** What the model was asked to do; null for a topic search, whose text only the request has. */
  readonly asked: string | null;
  /** The label of the model. */
  readonly model: string;
  /** Null is unknown, not 0. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** US dollars; null when unknown. */
  readonly cost: number | null;
  readonly isAtLeast: boolean;
  readonly isPretended: boolean;
}

/** Requests of Loupe's own, and what they cost together. */
export interface OwnSpent {
  /** In the order they were sent. */
  readonly requests: readonly OwnRequest[];
  /** Number of requests that may be billed. Refused ones are not counted. */
  readonly paidRequests: number;
  /** US dollars; null when no price is known. */
  readonly cost: number | null;
  /** Whether usage or price of one is unknown, so that the cost is a lower bound. */
  readonly isAtLeast: boolean;
  /** Whether one of them used a model whose prices are only for show. */
  readonly isPretended: boolean;
}

/** The title that a model wrote for the chat, or why there is none. Its id is that of the run. */
export interface TitleEntry {
  readonly kind: 'title';
  readonly id: string;
  readonly status: 'running' | 'done' | 'stopped' | 'failed';
  /** Null without one. */
  readonly title: string | null;
  /** Whether it was the first one of the chat. */
  readonly isFirst: boolean;
  /** Why it failed; null otherwise. */
  readonly text: string | null;
  readonly requests: readonly OwnRequest[];
}

/** A request that failed before a reply and was sent again: a line before that reply. Its id is that of the attempt. */
export interface FailedAttemptEntry {
  readonly kind: 'failedAttempt';
  readonly id: string;
  readonly text: string;
  /** The HTTP status of the response; null without one. */
  readonly status: number | null;
  /** When it was sent, in epoch milliseconds. */
  readonly at: number;
  readonly durationMs: number;
  /** From its end until the request was sent again; null when the run ended in between. */
  readonly waitMs: number | null;
}

/** Why a request failed, and when its retry is. Shown until the retry. */
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

/** The cause of a run's early end, and the next actions. */
export interface RunNoteEntry {
  readonly kind: 'runNote';
  readonly id: string;
  /** `held`: a limit of what is spent has stopped it. */
  readonly status: 'stopped' | 'failed' | 'interrupted' | 'held';
  readonly text: string;
  /** Technical detail for those who want it; null without any. */
  readonly detail: string | null;
  /** The attempt that was sent last, unless it has an entry of its own; null when none was sent. */
  readonly attemptId: string | null;
  readonly actions: readonly RunAction[];
  /** Whether its run is the last one of the chat. */
  readonly isLast: boolean;
  /** Id of the user message that `retry` answers anew. */
  readonly userMessageId: string;
}

export type RunAction = 'retry' | 'continue' | 'goOnOnce' | 'openSpendSettings' | 'setApiKey' | 'selectModel' | 'summarize' | 'showLog';
