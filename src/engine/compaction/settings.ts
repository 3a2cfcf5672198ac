import type { ChatConfig } from '../chat/settings/config.js';
import { MOST_SUMMARY_TOKENS } from './summaryBudget.js';

/** How a chat is compacted. Settings of other policies than the chosen one have no effect. */
export interface CompactionSettings {
  readonly policy: 'topic-boundary' | 'rolling-window' | 'message-count' | 'manual';
  /** `topic-boundary`: the share, in percent, that the conversation may have of what B leaves beside the fixed parts. */
  readonly triggerPercent: number;
  /** `topic-boundary`: tokens that the conversation may have if that share is more; null for no such limit. */
  readonly triggerTokens: number | null;
  /** Most tokens of a summary. */
  readonly mostSummaryTokens: number;
  /** `topic-boundary`: tokens at the end of the conversation that no summary replaces. */
  readonly verbatimTokens: number;
  /** `rolling-window`: messages at the end that stay, and how few may stay when these do not fit. */
  readonly recentMessages: number;
  readonly leastRecentMessages: number;
  /** `topic-boundary` and `message-count`: exchanges at the end that stay. The last one always does. */
  readonly leastExchanges: number;
}

/** Leaves room for the next message and its reply. */
const TRIGGER_PERCENT = 75;

/** The reference's own numbers: cheaper requests and shorter summaries, at the price of more of them. */
const EARLY = { triggerTokens: 24_000, mostSummaryTokens: 500 } as const;

export function compactionSettings(config: ChatConfig): CompactionSettings {
  const { compactionPolicy: policy, compactionTrigger, verbatimTokens, recentMessages, leastRecentMessages, leastExchanges } = config;
  const isEarly = policy === 'topic-boundary' && compactionTrigger === 'early';
  const preset = isEarly ? EARLY : { triggerTokens: null, mostSummaryTokens: MOST_SUMMARY_TOKENS };
  return { policy, triggerPercent: TRIGGER_PERCENT, ...preset, verbatimTokens, recentMessages, leastRecentMessages, leastExchanges };
}

/** Whether a chat is ever summarized by itself. */
export function isAutomatic(config: ChatConfig): boolean {
  return isWatched(config) && config.summaryAsk === 'off';
}

/** Whether a summary that is due is only offered. */
export function isOffered(config: ChatConfig): boolean {
  return isWatched(config) && config.summaryAsk === 'on';
}

/** Whether a summary becomes due in a chat: it is then written by itself, or offered. */
export function isWatched({ compaction, compactionPolicy }: ChatConfig): boolean {
  return compaction === 'on' && compactionPolicy !== 'manual';
}
