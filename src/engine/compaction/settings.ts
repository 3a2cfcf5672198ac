import type { ChatConfig } from '../chat/settings/config.js';
import { MOST_SUMMARY_TOKENS } from './summaryBudget.js';

/** The compaction settings of a chat. Settings for policies other than `policy` have no effect. */
export interface CompactionSettings {
  readonly policy: 'topic-boundary' | 'rolling-window' | 'message-count' | 'manual';
  /** `topic-boundary`: limit of the conversation, in percent of the budget that tools, prompt and files leave. */
  readonly triggerPercent: number;
  /** `topic-boundary`: limit in tokens. The lower of this limit and `triggerPercent` applies. Null for no limit. */
  readonly triggerTokens: number | null;
  readonly mostSummaryTokens: number;
  /** `topic-boundary`: tokens at the end of the conversation that no summary replaces. */
  readonly verbatimTokens: number;
  /** `rolling-window`: number of messages at the end of the conversation that are kept. */
  readonly recentMessages: number;
  /** `rolling-window`: minimum messages kept at the end of the conversation if `recentMessages` do not fit. */
  readonly leastRecentMessages: number;
  /** `topic-boundary` and `message-count`: minimum turns kept at the end. The last turn is always kept. */
  readonly leastExchanges: number;
}

/** The value of `triggerPercent`. It leaves room for the next message and its reply. */
const TRIGGER_PERCENT = 75;

/** The values of the trigger `early`. Requests are cheaper, summaries are shorter and more frequent. */
const EARLY = { triggerTokens: 24_000, mostSummaryTokens: 500 } as const;

export function compactionSettings(config: ChatConfig): CompactionSettings {
  const { compactionPolicy: policy, compactionTrigger, verbatimTokens, recentMessages, leastRecentMessages, leastExchanges } = config;
  const isEarly = policy === 'topic-boundary' && compactionTrigger === 'early';
  const preset = isEarly ? EARLY : { triggerTokens: null, mostSummaryTokens: MOST_SUMMARY_TOKENS };
  return { policy, triggerPercent: TRIGGER_PERCENT, ...preset, verbatimTokens, recentMessages, leastRecentMessages, leastExchanges };
}

export function isAutomatic(config: ChatConfig): boolean {
  return isWatched(config) && config.summaryAsk === 'off';
}

/** Whether Loupe offers a summary at the trigger, instead of writing it automatically. */
export function isOffered(config: ChatConfig): boolean {
  return isWatched(config) && config.summaryAsk === 'on';
}

/** Whether Loupe starts or offers a summary when the trigger is reached. */
export function isWatched({ compaction, compactionPolicy }: ChatConfig): boolean {
  return compaction === 'on' && compactionPolicy !== 'manual';
}
