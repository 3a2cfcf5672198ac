import type { CompactionSettings } from '../settings.js';

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

/** Where a compaction happens by itself: at so many tokens of the whole request or messages of the conversation, and how many are left until then. */
export interface TriggerPlace {
  readonly unit: 'tokens' | 'messages';
  readonly at: number;
  /** Negative when it is due. */
  readonly left: number;
}

/** Where `isDue` begins to hold; null for `manual`, where it never does. */
export function triggerPlace(settings: CompactionSettings, load: Load): TriggerPlace | null {
  switch (settings.policy) {
    case 'topic-boundary':
    case 'rolling-window': {
      const most = triggerTokens(settings, load);
      return { unit: 'tokens', at: load.fixedTokens + most, left: most - load.historyTokens };
    }
    case 'message-count':
      return { unit: 'messages', at: MOST_MESSAGES + 1, left: MOST_MESSAGES + 1 - load.messages };
    case 'manual':
      return null;
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
