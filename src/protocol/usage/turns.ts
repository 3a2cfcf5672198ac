import type { CacheLoss, MoneySum, TokenSum, TurnTokens } from '../../engine/accounting/chatTurns.js';
import type { UsageSaving } from '../../engine/accounting/usageReport.js';
import type { UsageSum } from '../../engine/accounting/usageSum.js';

/* The turns of one chat in the *Usage* view, as plain JSON. */

export type { MoneySum, TokenSum };

/** Maximum number of columns of the chart. In longer chats, a column has several turns. */
export const MOST_COLUMNS = 40;

interface TurnFigures {
  readonly sum: UsageSum;
  readonly tokens: TurnTokens;
  /** How often requests sent cached content again, and the extra cost. */
  readonly lost: MoneySum;
}

/** One turn, or several consecutive turns, as a column of the chart. */
export interface TurnColumn extends TurnFigures {
  /** Numbers of the first and the last turn. */
  readonly from: number;
  readonly to: number;
  readonly summaries: number;
}

/** Why a request sent cached content again, as a sentence. */
export interface TurnLoss extends Pick<CacheLoss, 'attemptId' | 'usd' | 'by'> {
  readonly reason: string;
}

export interface TurnRow extends TurnFigures {
  readonly number: number;
  /** The start in local time. */
  readonly local: number;
  /** The beginning of the user message. Null for requests of a chat without turns. */
  readonly message: string | null;
  readonly isDiscarded: boolean;
  /** The request that explains the turn. Null without a request for a reply. */
  readonly attemptId: string | null;
  readonly losses: readonly TurnLoss[];
}

export interface UsageTurns {
  readonly chatId: string;
  /** Number of turns of the chat. */
  readonly count: number;
  readonly sum: UsageSum;
  readonly tokens: TurnTokens;
  readonly saving: UsageSaving;
  /** Tokens that requests sent again although they had been in the cache. */
  readonly lostTokens: number;
  readonly lost: MoneySum;
  /** The part of `lost` by expired caches. */
  readonly waited: MoneySum;
  readonly summaries: MoneySum;
  /** Number of summaries that the chat used. */
  readonly summaryCount: number;
  readonly saved: MoneySum;
  readonly unbilled: number;
  readonly columns: readonly TurnColumn[];
  /** Number of turns that match the filters. */
  readonly matching: number;
  /** The newest matching turns, newest first. */
  readonly rows: readonly TurnRow[];
}
