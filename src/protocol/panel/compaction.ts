import type { Outline } from '../../engine/compaction/outline.js';
import type { SummaryPrice } from '../../engine/compaction/summaryPrice.js';
import type { TriggerPlace } from '../../engine/compaction/policies/triggers.js';
import type { FailedAttemptEntry, OwnSpent } from './noteEntries.js';

/*
 * What the panel shows of summaries that stand for a part of the conversation.
 */

/** A summary in the conversation. Its id is that of its message. */
export interface SummaryEntry extends OwnSpent {
  readonly kind: 'summary';
  readonly id: string;
  /** As requests send it, without its heading. */
  readonly text: string;
  /** `active`: requests send it; `replaced`: a later summary stands for it, too; `undone`: requests send what it replaced. */
  readonly status: 'active' | 'replaced' | 'undone';
  /** `leftOut`: no model was asked, and its text is only what must not be lost. */
  readonly form: 'written' | 'leftOut';
  /** Number of messages it replaced; null when they are not loaded. */
  readonly messages: number | null;
  /** Tokens of what it replaced, and its own. */
  readonly tokens: { readonly before: number; readonly after: number };
  /** Number of lines that were added to it word for word. */
  readonly lines: number;
  /** Number of pinned messages that are sent beside it. */
  readonly pins: number;
  /** The context window after it; null where no request holds it, or none that is known. */
  readonly window: SummaryWindowView | null;
  /** What of the replaced messages it kept; empty when they are not loaded. */
  readonly kept: readonly KeptFacts[];
  /** What was needed again of what it lost; null when nothing was. */
  readonly neededAgain: NeededAgainView | null;
}

/** The context window after a summary, in tokens: the output that it came as, and what is sent beside it. */
export interface SummaryWindowView {
  readonly summaryTokens: number;
  /** Pinned messages, and those behind the summary; null when unknown. */
  readonly keptTokens: number | null;
}

/** The facts of one kind that the replaced messages held. */
export interface KeptFacts {
  /** `File paths`. */
  readonly label: string;
  readonly kept: number;
  readonly all: number;
  /** Those that the summary lacks, at most `MOST_LOST`. */
  readonly lost: readonly string[];
}

/** Most lost facts of a kind that are listed: more than anyone reads. */
export const MOST_LOST = 50;

/** What was needed again of what a summary dropped. */
export interface NeededAgainView {
  /** Number of file paths and of names in code that were named again. */
  readonly paths: number;
  readonly names: number;
  /** Tokens of the tool results and fenced blocks that brought them anew. */
  readonly tokens: number;
  /** US dollars of these tokens as input; null without prices that are to be paid. */
  readonly cost: number | null;
}

/** What the meter says of the next summary. */
export interface SummaryForecast {
  /** Where it is due; null when it happens only by hand. */
  readonly trigger: SummaryTrigger | null;
  /** What it would do now; null while it is far off, or would free nothing. */
  readonly now: {
    /** The last message that it would replace. */
    readonly upTo: string;
    readonly messages: number;
    readonly tokens: number;
    /** About so many tokens would stand for them. */
    readonly summaryTokens: number;
  } | null;
}

export interface SummaryTrigger extends TriggerPlace {
  /** What happens there: it is written by itself, or the user is asked; they may have put that off until after a summary. */
  readonly then: 'summarized' | 'asked' | 'putOff';
}

/** A summary that the user looks at before it is used, or the text of one that is edited. */
export interface SummaryPreviewView {
  /** What it would replace; null for the summary in use. */
  readonly plan: SummaryPlanView | null;
  /** Its text; null before it is written. */
  readonly draft: SummaryDraftView | null;
  /** Whether a text is there that is not on show, because what goes is changed or another text is being written. */
  readonly hasText: boolean;
  /** Null unless it is being written, or could not be. */
  readonly work: CompactionView | null;
}

export type { OutlineFold, OutlineRow } from '../../engine/compaction/outline.js';

export interface SummaryPlanView extends Omit<Outline, 'staying'> {
  /** Tokens of the next request as it is. */
  readonly requestTokens: number;
  /** Null without prices. */
  readonly price: SummaryPriceView | null;
}

/** Before the summary is written, and where its cost is unknown, `cost` is the most that writing it may cost. */
export interface SummaryPriceView extends SummaryPrice {
  readonly isMost: boolean;
  /** Whether none of it is billed. */
  readonly isPretended: boolean;
}

export interface SummaryDraftView {
  /** As it was written, and as the host knows that the user has left it. The webview keeps what is typed meanwhile. */
  readonly written: string;
  readonly text: string;
  /** Tokens of what the user has made of it, and the most that were asked for. */
  readonly tokens: number;
  readonly mostTokens: number;
  readonly kept: readonly KeptFacts[];
  /** Heads the lines at the end of a text that are kept word for word. */
  readonly keptHeading: string;
}

/** A summary that is being written, or how the last one ended without any. */
export type CompactionView =
  | {
      readonly kind: 'running';
      /** Null while a message is shortened that is too long to be sent. */
      readonly messages: number | null;
      /** When it began, in epoch milliseconds. */
      readonly startedAt: number;
      /** Tokens that have arrived, and the most it may have. */
      readonly tokens: number;
      readonly mostTokens: number;
      /** Whether a message is sent as soon as it is there. */
      readonly isAwaited: boolean;
    }
  | {
      readonly kind: 'failed';
      readonly text: string;
      readonly detail: string | null;
      /** The message up to which it was to reach; null for all. *Try again* sends it back. */
      readonly upTo: string | null;
      /** Its last request; null when nothing was asked. */
      readonly attemptId: string | null;
      /** The requests before it that failed, too. */
      readonly failedAttempts: readonly FailedAttemptEntry[];
    }
  /** One is due, up to message `upTo`, and the user is asked. `why` says why it does not happen by itself; null where the user wants that. */
  | {
      readonly kind: 'due';
      readonly upTo: string;
      readonly messages: number;
      readonly tokens: number;
      readonly summaryTokens: number;
      readonly why: string | null;
    }
  /** Its preview was closed: what it would replace has changed, by a summary that made room for a message or otherwise. */
  | { readonly kind: 'outdated'; readonly madeRoom: boolean }
  | { readonly kind: 'cancelled' };
