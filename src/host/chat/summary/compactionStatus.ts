import type { Prices } from '../../../engine/model/price.js';
import type { SentMessage } from '../../../engine/chat/message/message.js';
import type { Compaction, CompactionPolicy } from '../../../engine/chat/slices/compaction.js';
import type { FactReuse } from '../../../engine/compaction/facts/neededAgain.js';
import type { Plan } from '../../../engine/compaction/plan.js';
import type { TriggerPlace } from '../../../engine/compaction/policies/triggers.js';
import type { FoldedPart, Outline } from '../../../engine/compaction/outline.js';
import type { CompactionView, SummaryDraftView } from '../../../protocol/panel/compaction.js';
import type { ErrorRecord } from '../../../engine/errors.js';

/** Figures about a chat's summaries. `plan` is the effect of a summary now, if one will be needed soon. */
export interface SummaryFigures {
  readonly trigger: TriggerPlace | null;
  readonly plan: Plan | null;
  /** Null without a summary, or while its replaced messages are not loaded. */
  readonly neededAgain: FactReuse | null;
}

/** A planned summary: what it would replace. */
export interface SummaryPlan {
  readonly from: string;
  readonly outline: Outline;
  /** Returns the outline with these folds open. */
  readonly outlineWith: (opened: ReadonlySet<FoldedPart>) => Outline;
  /** Tokens of the next request without the summary. */
  readonly requestTokens: number;
  readonly prices: Prices | null;
  readonly isCached: boolean;
}

/** A summary that is not in use yet, or a new text for the one in use. */
export interface SummaryDraft extends Pick<SummaryDraftView, 'written' | 'text' | 'tokens' | 'mostTokens'> {
  /** Null for a new text of the summary in use: the replaced messages do not change. */
  readonly plan: SummaryPlan | null;
  readonly compaction: Compaction;
  /** US dollars spent on writing it; null when unknown. */
  readonly cost: number | null;
  /** The loaded part of the messages that it replaces. */
  readonly replaced: readonly SentMessage[];
}

/** The state of the chat's summary, or how the last one ended without result. Null for nothing to report. */
export type CompactionStatus =
  | {
      readonly kind: 'running';
      readonly runId: string;
      /** The policy that requested it, or `manual` for the user. */
      readonly policy: CompactionPolicy;
      /** Number of messages that it replaces. Null when it shortens an unsent message. */
      readonly messages: number | null;
      /** Epoch milliseconds. */
      readonly startedAt: number;
      /** Maximum tokens of the summary. */
      readonly mostTokens: number;
    }
  /** `runId` is null when no request was made. */
  | { readonly kind: 'failed'; readonly upTo: string | null; readonly error: ErrorRecord; readonly runId: string | null }
  /** The user is viewing the plan of a summary or its draft. */
  | { readonly kind: 'planned' }
  | { readonly kind: 'drafted'; readonly draft: SummaryDraft }
  /** A summary is needed and offered, or its preview was closed. */
  | Extract<CompactionView, { readonly kind: 'due' | 'outdated' }>
  /** Cancelled by the user, who has sent no message since. */
  | { readonly kind: 'cancelled' }
  | null;
