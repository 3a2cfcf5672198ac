import type { ChatConfig } from '../chat/config.js';

/** How a chat is compacted. Settings of other policies than the chosen one have no effect. */
export interface CompactionSettings {
  readonly policy: 'topic-boundary' | 'rolling-window' | 'message-count' | 'manual';
  /** `topic-boundary`: the share, in percent, that the conversation may have of what B leaves beside the fixed parts. */
  readonly triggerPercent: number;
  /** `topic-boundary`: tokens at the end of the conversation that no summary replaces. */
  readonly verbatimTokens: number;
  /** `rolling-window`: messages at the end that stay, and how few may stay when these do not fit. */
  readonly recentMessages: number;
  readonly leastRecentMessages: number;
  /** `topic-boundary` and `message-count`: exchanges at the end that stay. The last one always does. */
  readonly leastExchanges: number;
}

/** The settings that are not in the form: the reference's own numbers. The trigger leaves room for the next message and its reply. */
const FIXED = { triggerPercent: 75, recentMessages: 6, leastRecentMessages: 2, leastExchanges: 2 } as const;

export function compactionSettings({ compactionPolicy: policy, verbatimTokens }: ChatConfig): CompactionSettings {
  return { ...FIXED, policy, verbatimTokens };
}

/** Whether a chat is ever summarized by itself. */
export function isAutomatic({ compaction, compactionPolicy }: ChatConfig): boolean {
  return compaction === 'on' && compactionPolicy !== 'manual';
}
