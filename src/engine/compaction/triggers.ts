import type { CompactionSettings } from './settings.js';

/** The numbers that a trigger compares. All tokens are by the model's counter, with framing. */
export interface Load {
  /** B. */
  readonly budget: number;
  /** Tokens of what no compaction changes: tools, system prompt, files. */
  readonly fixedTokens: number;
  readonly historyTokens: number;
  readonly messages: number;
}

/** `message-count` lets a conversation have so many messages. */
const MOST_MESSAGES = 80;

/** Whether an automatic compaction is due. */
export function isDue(settings: CompactionSettings, load: Load): boolean {
  switch (settings.policy) {
    case 'topic-boundary':
    case 'rolling-window':
      return load.historyTokens > triggerTokens(settings, load);
    case 'message-count':
      return load.messages > MOST_MESSAGES;
    case 'manual':
      return false;
  }
}

/**
 * Tokens over which a conversation is too long: a share of what B leaves beside the fixed parts for `topic-boundary`, all of
 * it for the others. Never negative.
 */
export function triggerTokens(
  { policy, triggerPercent, triggerTokens: early }: CompactionSettings,
  { budget, fixedTokens }: Omit<Load, 'historyTokens' | 'messages'>,
): number {
  const room = Math.max(0, budget - fixedTokens);
  const share = policy === 'topic-boundary' ? Math.floor((room * triggerPercent) / 100) : room;
  return early === null ? share : Math.min(share, early);
}
