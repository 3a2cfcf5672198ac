import type { RewriteFigures } from '../../../engine/next/summaryRewrite.js';
import type { Prices } from '../../../engine/model/price.js';
import type { SentMessage } from '../../../engine/chat/message/message.js';
import type { Compaction, CompactionPolicy } from '../../../engine/chat/slices/compaction.js';
import type { FactReuse } from '../../../engine/compaction/facts/neededAgain.js';
import type { Plan } from '../../../engine/compaction/plan.js';
import type { TriggerPlace } from '../../../engine/compaction/policies/triggers.js';
import type { FoldedPart, Outline } from '../../../engine/compaction/outline.js';
import type { CompactionView, SummaryDraftView, SummaryPlanView } from '../../../protocol/panel/compaction.js';
import type { ErrorRecord } from '../../../engine/errors.js';

/** Figures about summaries of a chat. `plan`: what a summary would replace now. Null when no summary is near. */
export interface SummaryFigures {
  readonly trigger: TriggerPlace | null;
  readonly plan: Plan | null;
  /** Facts that the last summary lost and the model needed again. Null without a summary or its loaded messages. */
  readonly neededAgain: FactReuse | null;
}

export interface SummaryPlan {
  readonly from: string;
  readonly outline: Outline;
  readonly outlineWith: (opened: ReadonlySet<FoldedPart>) => Outline;
  /** Tokens of the next request if no summary is written. */
  readonly requestTokens: number;
  readonly basis: SummaryPlanView['basis'];
  readonly rewrite: RewriteFigures;
  readonly prices: Prices | null;
  readonly isCached: boolean;
}

/** A summary that the user has not applied yet, or a new text for the current summary. */
export interface SummaryDraft extends Pick<SummaryDraftView, 'written' | 'text' | 'tokens' | 'mostTokens'> {
  /** The plan of the summary. Null for a new text of the current summary, whose messages do not change. */
  readonly plan: SummaryPlan | null;
  readonly compaction: Compaction;
  /** US dollars for writing the draft. Null when unknown. */
  readonly cost: number | null;
  /** The messages to replace, as far as they are loaded in memory. */
  readonly replaced: readonly SentMessage[];
}

/** The state of the chat's summary, or why the last attempt gave no summary. Null when there is nothing to show. */
export type CompactionStatus =
  | {
      readonly kind: 'running';
      readonly runId: string;
      /** The policy that started the summary, or `manual` when the user started it. */
      readonly policy: CompactionPolicy;
      /** Number of messages to replace. Null when a model shortens an unsent message instead. */
      readonly messages: number | null;
      /** In epoch milliseconds. */
      readonly startedAt: number;
      readonly mostTokens: number;
    }
  /** The summary has failed. `runId` is null when no request was made. */
  | { readonly kind: 'failed'; readonly upTo: string | null; readonly error: ErrorRecord; readonly runId: string | null }
  /** The user is looking at the messages that a summary would replace. */
  | { readonly kind: 'planned' }
  | { readonly kind: 'drafted'; readonly draft: SummaryDraft }
  /** `due`: Loupe offers a needed summary. `outdated`: Loupe closed the preview, because messages changed. */
  | Extract<CompactionView, { readonly kind: 'due' | 'outdated' }>
  /** The user cancelled the summary and has sent no message since. */
  | { readonly kind: 'cancelled' }
  | null;
