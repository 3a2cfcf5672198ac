import type { CompactionSettings } from '../settings.js';

/** The numbers that a trigger compares. Tokens are by the model's counter, with those that the wire format adds. */
export interface Load {
  readonly budget: number;
  /** All tokens outside of the conversation: tools, system prompt, files, excluded turns that are still sent. */
  readonly fixedTokens: number;
  readonly historyTokens: number;
  readonly messages: number;
}

/** `message-count`: a compaction starts when the conversation has more messages than this. */
const MOST_MESSAGES = 80;

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

/** The size (`at`) at which Loupe starts or offers a compaction, in tokens of the request or in messages. */
export interface TriggerPlace {
  readonly unit: 'tokens' | 'messages';
  readonly at: number;
  /** Tokens or messages until the trigger. Negative after the trigger. */
  readonly left: number;
}

/** Returns the size at which `isDue` becomes true, or null for `manual`. */
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

/** Returns the token limit of a conversation: the budget without the fixed parts, or a lower limit by the settings. */
export function triggerTokens(
  { policy, triggerPercent, triggerTokens: early }: CompactionSettings,
  { budget, fixedTokens }: Omit<Load, 'historyTokens' | 'messages'>,
): number {
  const room = Math.max(0, budget - fixedTokens);
  const share = policy === 'topic-boundary' ? Math.floor((room * triggerPercent) / 100) : room;
  return early === null ? share : Math.min(share, early);
}
