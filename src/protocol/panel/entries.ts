import type { RateLimit } from '../../engine/model/rateLimit.js';
import type { RewindReason } from '../../engine/chat/message/message.js';
import type { FailureAction } from '../../engine/failures/entry.js';
import type { UsageTotals } from '../../engine/model/usage.js';
import type { HousekeepingCause } from '../../engine/chat/slices/runs.js';
import type { ImagePart } from '../../engine/model/part.js';
import type { TurnVersions } from '../../engine/chat/versions.js';
import { tokens } from '../numbers.js';
import type { ReplyExtra } from '../../engine/model/model.js';
import type { ReplyStatus } from '../../engine/chat/replyStatus.js';
import type { RequestSize } from '../../engine/record/requestSize.js';
import type { ForecastWithError } from '../forecast.js';
import type { WrittenFileView, ToolCallView } from './toolCalls.js';
import type { SummaryWindow } from '../../engine/accounting/contextWindow.js';

export type { UsageTotals, TurnVersions };

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

/** The writing of a title by a model. The header shows the newest one. */
export interface TitleRun {
  readonly status: 'running' | 'done' | 'stopped' | 'failed';
  readonly requests: readonly OwnRequest[];
}

/** Why a model wrote no title. `id` is the id of the title's run. */
export interface TitleEntry extends Pick<TitleRun, 'requests'> {
  readonly kind: 'title';
  readonly id: string;
  readonly text: string;
}

/** Requests of one pause that kept the cache of the chat warm. `id` is the id of the run of the first one. */
export interface KeepWarmEntry extends OwnUsage {
  readonly kind: 'keepWarm';
  readonly id: string;
}

/** A request that failed. `id` is the id of the attempt. `cost`: null when unknown. */
export interface FailedAttempt extends Pick<RequestFigures, 'cost' | 'isAtLeast' | 'isPretended'> {
  readonly id: string;
  readonly text: string;
  /** HTTP status of the response. Null without a response. */
  readonly status: number | null;
  /** When the request was sent, in epoch milliseconds. */
  readonly at: number;
  readonly durationMs: number;
  /** Milliseconds from the end of this attempt until the next attempt. Null if the run ended in between. */
  readonly waitMs: number | null;
  /** Whether the provider certainly did not bill the request. */
  readonly isUnbilled: boolean;
}

/** Requests that failed before the reply that is being written, or before the user stopped the reply. One line. */
export interface FailuresEntry {
  readonly kind: 'failures';
  readonly id: string;
  /** The last failure in words, with the number of failures. */
  readonly text: string;
  readonly failures: readonly FailedAttempt[];
}

/** Why a request failed, and when Loupe sends it again. Shown until Loupe sends the request. */
export interface RetryEntry {
  readonly kind: 'retry';
  readonly id: string;
  readonly attemptId: string;
  readonly text: string;
  /** The failed requests so far, with the last one. */
  readonly failures: readonly FailedAttempt[];
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
  /** The failed requests of the note, with the last one. */
  readonly failures: readonly FailedAttempt[];
  readonly actions: readonly RunAction[];
  readonly isLast: boolean;
  /** Id of the user message to send again with `retry`. */
  readonly userMessageId: string;
}

export type RunAction = FailureAction | 'continue' | 'keepReply';

export interface UserEntry {
  readonly kind: 'user';
  readonly id: string;
  readonly text: string;
  readonly images: readonly ImageView[];
  /** Number of images that come before the text. */
  readonly imagesFirst: number;
  /** Tokens of the images in the request that sent them. Null without images, and when unknown. */
  readonly imageTokens: { readonly tokens: number; readonly isEstimate: boolean } | null;
  /** `unsent`: the message has no reply, so later requests skip it. `queued`: it waits until the chat is idle. */
  readonly status: 'sent' | 'unsent' | 'queued';
  /** Whether the user pinned the message, so that requests send it even after a summary. Also in `AssistantEntry`. */
  readonly isPinned: boolean;
  /** Whether the user excluded the message's turn from requests. */
  readonly isExcluded: boolean;
  /** Which version of the message and its reply is visible. Null if there is only one version. */
  readonly versions: TurnVersions | null;
}

/** An image of a message. `blob` is its name. An unknown size is null. */
export type ImageView = ImagePart;

/** A rate limit that a provider reported together with a reply. */
export type RateLimitView = RateLimit;

const NAMES = { requests: 'requests', tokens: 'tokens', 'input-tokens': 'input tokens', 'output-tokens': 'output tokens' } as const;

/** Returns `12,400 of 80,000 input tokens left`, and `limit resets at 14:03` if known. `clock` formats a time. */
export function limitInWords({ of, per, limit, remaining, resetsAt }: RateLimitView, clock: (at: number) => string): readonly string[] {
  const left = `${tokens(remaining)} of ${tokens(limit)} ${NAMES[of]}${per === undefined ? '' : ` per ${per}`} left`;
  return resetsAt === null ? [left] : [left, `limit resets at ${clock(resetsAt)}`];
}

/**
 * How the size of a request was measured: by the tokenizer of the model, by the provider, or as an estimate. `atLeast`:
 * Loupe counted only the end of the conversation, and this end is already over the budget.
 */
export type SizeBasis = RequestSize['basis'] | 'atLeast';

/** One block of the conversation. `id` never changes and is unique in the conversation. */
export type EntryView =
  | UserEntry
  | AssistantEntry
  | SummaryEntry
  | AccountingEntry
  | ForkEntry
  | FailuresEntry
  | RetryEntry
  | RunNoteEntry
  | TitleEntry
  | KeepWarmEntry;

export type PartView =
  | { readonly type: 'text'; readonly text: string }
  | ImageView
  /** `ms`: duration of the reasoning. Null during streaming, and if the time was not recorded. */
  | { readonly type: 'reasoning'; readonly text: string; readonly ms: number | null }
  | ToolCallView;

export interface AssistantEntry {
  readonly kind: 'assistant';
  readonly id: string;
  readonly isPinned: boolean;
  /** What the user excluded: the reply's turn, all its tool calls, or some calls. Null if nothing is excluded. */
  readonly excluded: 'turn' | 'calls' | { readonly callIds: readonly string[] } | null;
  readonly parts: readonly PartView[];
  readonly status: ReplyStatus;
  /** The provider's word for an early end or a refusal. Null when the provider sent no such word. */
  readonly finishReason: string | null;
  /** Id of the model that replied, if it differs from the requested model. Null otherwise. */
  readonly answeredBy: string | null;
  /** Files that the reply's tools wrote. */
  readonly files: readonly WrittenFileView[];
  /** Sources that the reply names, and images that version 0.1.0 could not store. */
  readonly extras: readonly ReplyExtra[];
  /** The requested model. Null if the log has no record of the request. */
  readonly model: ModelName | null;
  /** When the request was sent, in epoch milliseconds. */
  readonly at: number;
  /** Usage of the reply. Null until the attempt has ended, or when unknown. */
  readonly usage: UsageLine | null;
  /** Rate limits that are nearly reached, by the provider's report. */
  readonly limits: readonly RateLimitView[];
  /** Figures about the request. Null until the attempt has ended, or if the log has no record of the request. */
  readonly contextUsed: ContextUsed | null;
  /** Whether the provider ended this reply early, and the user can ask for the rest. */
  readonly canContinue: boolean;
  /** The requests that failed before this reply. */
  readonly failures: readonly FailedAttempt[];
}

export interface ModelName {
  readonly label: string;
  /** The model in the form `provider/model`. */
  readonly key: string;
}

/** Output tokens of a streaming reply so far, counted by Loupe. */
export interface OutputProgress {
  readonly entryId: string;
  readonly tokens: number;
  /** Whether Loupe estimated the tokens. False only if Loupe has the tokenizer of the model. */
  readonly isEstimate: boolean;
  /** Estimated cost in US dollars: of the input by the forecast, and of the output so far. Null when unknown. */
  readonly cost: number | null;
  /** Whether the model is free, so that the cost is only an example. */
  readonly isPretended: boolean;
}

export interface UsageLine extends RequestFigures {
  readonly cachedTokens: number | null;
  readonly writtenTokens: number | null;
  /** Whether Loupe counted these tokens, because the provider did not report them. */
  readonly inputEstimated: boolean;
  readonly outputEstimated: boolean;
  /** Whether the provider itself reported the cost. */
  readonly isCharged: boolean;
  readonly durationMs: number;
  /** The forecast that was made before sending. Null if the cache rules were unknown. */
  readonly forecast: ForecastWithError | null;
  /** Whether a fork copied the request from its original chat. The usage then belongs to that chat. */
  readonly inherited: boolean;
}

/** Figures about the content of a request. */
export interface ContextUsed {
  /** The items in words, such as `1 rule (always), 2 files (manual), 1 cut to fit`. `No files` without items. */
  readonly summary: string;
  readonly totalTokens: number;
  readonly basis: SizeBasis;
}

/*
 * Summaries that replace a part of the conversation, as the panel shows them.
 */

/** A summary in the conversation. `id` is the id of the summary's message. */
export interface SummaryEntry extends OwnUsage {
  readonly kind: 'summary';
  readonly id: string;
  /** The text of the summary in requests, without its heading. */
  readonly text: string;
  /** `active`: requests contain the summary. `replaced`: a later summary contains it. `undone`: the user undid it. */
  readonly status: 'active' | 'replaced' | 'undone';
  /** `written`: a model wrote the text. `leftOut`: the text has only facts that must be kept, without a model. */
  readonly form: 'written' | 'leftOut';
  /** Number of messages that the summary replaced. Null if they are not loaded. */
  readonly messages: number | null;
  /** Tokens of the replaced messages (`before`), and of the summary (`after`). */
  readonly tokens: { readonly before: number; readonly after: number };
  /** Number of lines that Loupe copied verbatim into the summary. */
  readonly lines: number;
  /** Number of pinned messages that requests send in addition to the summary. */
  readonly pins: number;
  /** The context window after the summary. Null if no request contains the summary, or if a size is unknown. */
  readonly window: Pick<SummaryWindow, 'summary' | 'kept'> | null;
  /** Facts of the replaced messages that the summary has or lost. Empty if these messages are not loaded. */
  readonly kept: readonly KeptFacts[];
}

/** Facts of one kind in the replaced messages. */
export interface KeptFacts {
  /** The kind of facts, for example `File paths`. */
  readonly label: string;
  readonly kept: number;
  readonly all: number;
  /** Facts that are missing in the summary, at most `MOST_LOST`. */
  readonly lost: readonly string[];
}

/** Maximum number of lost facts of one kind in the list. */
export const MOST_LOST = 50;
