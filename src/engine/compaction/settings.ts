import type { ChatConfig } from '../chat/settings/config.js';
import { MOST_SUMMARY_TOKENS } from './summaryBudget.js';

/** The compaction settings of a chat. Settings of other policies have no effect. */
export interface CompactionSettings {
  readonly policy: 'topic-boundary' | 'rolling-window' | 'message-count' | 'manual';
  /** `topic-boundary`: percent of the budget, without the fixed parts, that the conversation may have. */
  readonly triggerPercent: number;
  /** `topic-boundary`: a limit in tokens, if it is below that share; null for none. */
  readonly triggerTokens: number | null;
  readonly mostSummaryTokens: number;
  /** `topic-boundary`: tokens at the end of the conversation that no summary replaces. */
  readonly verbatimTokens: number;
  /** `rolling-window`: messages at the end that stay, and the fewest that stay when these do not fit. */
  readonly recentMessages: number;
  readonly leastRecentMessages: number;
  /** `topic-boundary` and `message-count`: turns at the end that stay. The last one always stays. */
  readonly leastExchanges: number;
}

/** Leaves room for the next message and its reply. */
const TRIGGER_PERCENT = 75;

/** The numbers of the reference implementation: cheaper requests and shorter summaries, but more of them. */
const EARLY = { triggerTokens: 24_000, mostSummaryTokens: 500 } as const;

export function compactionSettings(config: ChatConfig): CompactionSettings {
  const { compactionPolicy: policy, compactionTrigger, verbatimTokens, recentMessages, leastRecentMessages, leastExchanges } = config;
  const isEarly = policy === 'topic-boundary' && compactionTrigger === 'early';
  const preset = isEarly ? EARLY : { triggerTokens: null, mostSummaryTokens: MOST_SUMMARY_TOKENS };
  return { policy, triggerPercent: TRIGGER_PERCENT, ...preset, verbatimTokens, recentMessages, leastRecentMessages, leastExchanges };
}

/** Whether Loupe summarizes a chat automatically. */
export function isAutomatic(config: ChatConfig): boolean {
  return isWatched(config) && config.summaryAsk === 'off';
}

/** Whether Loupe only offers a summary. */
export function isOffered(config: ChatConfig): boolean {
  return isWatched(config) && config.summaryAsk === 'on';
}

/** Whether a trigger starts a summary or an offer of one. */
export function isWatched({ compaction, compactionPolicy }: ChatConfig): boolean {
  return compaction === 'on' && compactionPolicy !== 'manual';
}
