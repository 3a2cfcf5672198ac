import type { Prices } from '../../../engine/model/price.js';
import type { SentMessage } from '../../../engine/chat/message/message.js';
import type { Compaction, CompactionPolicy } from '../../../engine/chat/slices/compaction.js';
import type { NeededAgain } from '../../../engine/compaction/facts/neededAgain.js';
import type { Plan } from '../../../engine/compaction/plan.js';
import type { TriggerPlace } from '../../../engine/compaction/policies/triggers.js';
import type { FoldedPart, Outline } from '../../../engine/compaction/outline.js';
import type { ErrorRecord } from '../../../engine/errors.js';

/** What is shown of a chat's summaries beside its messages. `plan` is what one would do now, if that is near. */
export interface SummaryFigures {
  readonly trigger: TriggerPlace | null;
  readonly plan: Plan | null;
  /** Null without a summary whose replaced messages are loaded. */
  readonly neededAgain: NeededAgain | null;
}

/** A summary before it is written: what it would replace. */
export interface SummaryPlan {
  /** Id of the first message that goes. */
  readonly from: string;
  readonly outline: Outline;
  /** The outline with these of its folds open. */
  readonly outlined: (opened: ReadonlySet<FoldedPart>) => Outline;
  /** Tokens of the next request as it is. */
  readonly requestTokens: number;
  /** Of the chat's model; null without prices. */
  readonly prices: Prices | null;
  readonly isCached: boolean;
}

/** A summary that is not in use yet, or a new text for the one that is. */
export interface SummaryDraft {
  /** Null for the one in use: what it replaces does not change. */
  readonly plan: SummaryPlan | null;
  readonly compaction: Compaction;
  /** The text as it was written, and as the user has it now. */
  readonly written: string;
  readonly text: string;
  /** Tokens of the text, with its heading, and the most that were asked for. */
  readonly tokens: number;
  readonly mostTokens: number;
  /** US dollars that writing it took; null when unknown. */
  readonly cost: number | null;
  /** What it replaces, as far as it is loaded. */
  readonly replaced: readonly SentMessage[];
}

/** What goes on about the chat's summary, or how the last one ended without any; null when nothing does. */
export type CompactionStatus =
  | {
      readonly kind: 'running';
      readonly runId: string;
      /** Which policy wants it; `manual` for the user. */
      readonly policy: CompactionPolicy;
      /** Number of messages that it replaces; null when it shortens one that is not sent yet. */
      readonly messages: number | null;
      /** Epoch milliseconds. */
      readonly startedAt: number;
      /** Most tokens of the summary. */
      readonly mostTokens: number;
    }
  /** `runId` is null when nothing was asked. */
  | { readonly kind: 'failed'; readonly upTo: string | null; readonly error: ErrorRecord; readonly runId: string | null }
  /** The user looks at what a summary would replace, or at one that is not in use yet. */
  | { readonly kind: 'planned' }
  | { readonly kind: 'drafted'; readonly draft: SummaryDraft }
  /** One is due, and the user is asked: what it would replace up to message `upTo`. `why` is a sentence; null where the user wants to be asked. */
  | {
      readonly kind: 'due';
      readonly upTo: string;
      readonly messages: number;
      readonly tokens: number;
      readonly summaryTokens: number;
      readonly why: string | null;
    }
  /** What the user looked at is closed: what it stood for has changed, by a summary that made room for a message or otherwise. Until the next message. */
  | { readonly kind: 'outdated'; readonly madeRoom: boolean }
  /** By the user, who has not sent anything since. */
  | { readonly kind: 'cancelled' }
  | null;
