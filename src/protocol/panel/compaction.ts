import type { FactReuse } from '../../engine/compaction/facts/neededAgain.js';
import type { Outline } from '../../engine/compaction/outline.js';
import type { SummaryPrice } from '../../engine/compaction/summaryPrice.js';
import type { TriggerPlace } from '../../engine/compaction/policies/triggers.js';
import type { FailedAttempt, KeptFacts, SizeBasis } from './entries.js';

/** Facts that a summary lost, and that later messages contain again. */
export interface LostFactsView extends FactReuse {
  /** US dollars for these tokens as input. Null without prices, and for free models. */
  readonly cost: number | null;
}

/** When the next summary will happen and what it would change, for the context meter. */
export interface SummaryForecast {
  /** When the summary happens. Null if only the user can start a summary. */
  readonly trigger: SummaryTrigger | null;
  /** What a summary would change now. Null if the trigger is far away, or if a summary would free no tokens. */
  readonly now: SummaryEffect | null;
}

/** What a summary would replace. */
export interface SummaryEffect {
  /** Id of the last message that the summary would replace. */
  readonly upTo: string;
  readonly messages: number;
  readonly tokens: number;
  /** Estimated tokens of the summary text. */
  readonly summaryTokens: number;
}

export interface SummaryTrigger extends TriggerPlace {
  /** What happens at the trigger: Loupe summarizes, asks the user, or waits because the user postponed the question. */
  readonly then: 'summarized' | 'asked' | 'putOff';
}

/** A new summary that the user reviews before Loupe uses it, or the active summary while the user edits it. */
export interface SummaryPreviewView {
  /** What a new summary would replace. Null while the user edits the active summary. */
  readonly plan: SummaryPlanView | null;
  /** The text of the summary. Null until it is written. */
  readonly draft: SummaryDraftView | null;
  /** Whether a text exists but is hidden, because the user changed the plan or a new text is being written. */
  readonly hasText: boolean;
  /** The state of the writing. Null if no text is being written and no attempt has failed. */
  readonly work: CompactionView | null;
}

export type { OutlineFold, OutlineRow } from '../../engine/compaction/outline.js';

export interface SummaryPlanView extends Omit<Outline, 'staying'> {
  /** Tokens of the next request if there is no summary. */
  readonly requestTokens: number;
  readonly basis: SizeBasis;
  /** The price of writing the summary. Null without prices. */
  readonly price: SummaryPriceView | null;
}

/** The price of writing a summary. `isMost`: `cost` is the maximum, because the real cost is not known (yet). */
export interface SummaryPriceView extends SummaryPrice {
  readonly isMost: boolean;
  readonly isPretended: boolean;
}

export interface SummaryDraftView {
  /** `written`: the original text. `text`: the user's version in the host. The webview may have newer edits. */
  readonly written: string;
  readonly text: string;
  /** Tokens of `text`, and the maximum that Loupe gave to the model. */
  readonly tokens: number;
  readonly mostTokens: number;
  readonly kept: readonly KeptFacts[];
  /** Heading above the lines that Loupe copied verbatim to the end of the text. */
  readonly keptHeading: string;
}

export type CompactionView =
  | {
      readonly kind: 'running';
      /** Number of messages to summarize. Null while the model shortens one message that is too long. */
      readonly messages: number | null;
      /** When the writing started, in epoch milliseconds. */
      readonly startedAt: number;
      /** Output tokens that have arrived (an estimate), and the maximum. */
      readonly tokens: number;
      readonly mostTokens: number;
      /** Whether a message waits until the summary is written. */
      readonly isAwaited: boolean;
    }
  | {
      readonly kind: 'failed';
      readonly text: string;
      readonly detail: string | null;
      /** Id of the last message to replace; null for all messages. *Try again* uses the same value. */
      readonly upTo: string | null;
      /** Id of the last attempt for the summary. Null if no request was sent. */
      readonly attemptId: string | null;
      /** Earlier failed attempts for the same summary. */
      readonly failedAttempts: readonly FailedAttempt[];
    }
  /** Loupe asks for approval of a summary. `why`: the reason; null if the chat always asks. */
  | (SummaryEffect & { readonly kind: 'due'; readonly why: string | null })
  /** Loupe closed the preview, because the replaced messages changed. `madeRoom`: an automatic summary changed them. */
  | { readonly kind: 'outdated'; readonly madeRoom: boolean }
  | { readonly kind: 'cancelled' };
