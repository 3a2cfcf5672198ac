import type { Outline } from '../../engine/compaction/outline.js';
import type { SummaryPrice } from '../../engine/compaction/summaryPrice.js';
import type { TriggerPlace } from '../../engine/compaction/policies/triggers.js';
import type { FailedAttemptEntry, OwnUsage } from './noteEntries.js';

/*
 * Summaries that replace a part of the conversation, as the panel shows them.
 */

/** A summary in the conversation. Its id is that of its message. */
export interface SummaryEntry extends OwnUsage {
  readonly kind: 'summary';
  readonly id: string;
  /** The text that requests send, without its heading. */
  readonly text: string;
  /** `active`: requests send it. `replaced`: a later summary includes it. `undone`: requests send the old messages. */
  readonly status: 'active' | 'replaced' | 'undone';
  /** `leftOut`: no model was asked; the text has only facts that must stay. */
  readonly form: 'written' | 'leftOut';
  /** Number of messages that it replaced. Null if they are not loaded. */
  readonly messages: number | null;
  /** Tokens of the replaced messages, and of the summary. */
  readonly tokens: { readonly before: number; readonly after: number };
  /** Number of lines that were added verbatim. */
  readonly lines: number;
  /** Number of pinned messages that are sent with it. */
  readonly pins: number;
  /** The context window after it. Null if no request holds it, or if it is unknown. */
  readonly window: SummaryWindowView | null;
  /** Facts of the replaced messages that it kept or lost. Empty if the messages are not loaded. */
  readonly kept: readonly KeptFacts[];
}

/** Tokens in the context window after a summary. */
export interface SummaryWindowView {
  readonly summaryTokens: number;
  /** Pinned messages, and messages after the summary. Null when unknown. */
  readonly keptTokens: number | null;
}

/** Facts of one kind in the replaced messages. */
export interface KeptFacts {
  /** `File paths`. */
  readonly label: string;
  readonly kept: number;
  readonly all: number;
  /** Facts that the summary lacks, at most `MOST_LOST`. */
  readonly lost: readonly string[];
}

/** Most lost facts of a kind that are listed. */
export const MOST_LOST = 50;

/** Facts lost by a summary that were needed again. */
export interface LostFactsView {
  /** Number of file paths and of names in code that were mentioned again. */
  readonly paths: number;
  readonly names: number;
  /** Tokens of the tool results and code blocks that brought them back. */
  readonly tokens: number;
  /** US dollars of these tokens as input. Null without prices, and for free models. */
  readonly cost: number | null;
}

/** The next summary, as the context meter shows it. */
export interface SummaryForecast {
  /** When it happens. Null if only the user starts it. */
  readonly trigger: SummaryTrigger | null;
  /** Its effect now. Null while it is far away, or if it would free nothing. */
  readonly now: {
    /** The last message that it would replace. */
    readonly upTo: string;
    readonly messages: number;
    readonly tokens: number;
    /** Estimated tokens of the summary. */
    readonly summaryTokens: number;
  } | null;
}

export interface SummaryTrigger extends TriggerPlace {
  /** What happens then: Loupe summarizes, asks, or waits because the user postponed the question. */
  readonly then: 'summarized' | 'asked' | 'putOff';
}

/** A summary that the user reviews before it is used, or an active one that the user edits. */
export interface SummaryPreviewView {
  /** What it would replace. Null for the active summary. */
  readonly plan: SummaryPlanView | null;
  /** Its text. Null before it is written. */
  readonly draft: SummaryDraftView | null;
  /** Whether a text exists but is hidden, because the plan changed or a new text is being written. */
  readonly hasText: boolean;
  /** Null unless it is being written or has failed. */
  readonly work: CompactionView | null;
}

export type { OutlineFold, OutlineRow } from '../../engine/compaction/outline.js';

export interface SummaryPlanView extends Omit<Outline, 'staying'> {
  /** Tokens of the next request without the summary. */
  readonly requestTokens: number;
  /** Null without prices. */
  readonly price: SummaryPriceView | null;
}

/** Until the summary is written, or if its cost is unknown, `cost` is the maximum. */
export interface SummaryPriceView extends SummaryPrice {
  readonly isMost: boolean;
  readonly isPretended: boolean;
}

export interface SummaryDraftView {
  /** `written`: the original text. `text`: the user's version that the host knows. The webview keeps newer typing. */
  readonly written: string;
  readonly text: string;
  /** Tokens of the user's version, and the maximum that the model was asked for. */
  readonly tokens: number;
  readonly mostTokens: number;
  readonly kept: readonly KeptFacts[];
  /** Heading of the lines at the end of a text that are kept verbatim. */
  readonly keptHeading: string;
}

export type CompactionView =
  | {
      readonly kind: 'running';
      /** Null while a message is shortened because it is too long. */
      readonly messages: number | null;
      /** Start time in epoch milliseconds. */
      readonly startedAt: number;
      /** Tokens that have arrived, and the maximum. */
      readonly tokens: number;
      readonly mostTokens: number;
      /** Whether a message waits for it. */
      readonly isAwaited: boolean;
    }
  | {
      readonly kind: 'failed';
      readonly text: string;
      readonly detail: string | null;
      /** The last message that it was meant to replace; null for all. *Try again* sends it back. */
      readonly upTo: string | null;
      /** Its last request. Null if no request was sent. */
      readonly attemptId: string | null;
      /** Earlier requests for it that failed, too. */
      readonly failedAttempts: readonly FailedAttemptEntry[];
    }
  /** A summary up to message `upTo` needs approval. `why`: why it is not automatic; null if the user chose approval. */
  | {
      readonly kind: 'due';
      readonly upTo: string;
      readonly messages: number;
      readonly tokens: number;
      readonly summaryTokens: number;
      readonly why: string | null;
    }
  /** Its preview was closed because the messages to replace have changed. `madeRoom`: an automatic summary did that. */
  | { readonly kind: 'outdated'; readonly madeRoom: boolean }
  | { readonly kind: 'cancelled' };
