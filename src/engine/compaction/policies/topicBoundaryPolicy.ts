import { cutAtOrBefore, lastCutKeeping, windowBegin, type History } from '../history.js';
import { gain, NO_PLAN, planAt, type Plan } from '../plan.js';
import type { CompactionSettings } from '../settings.js';

export interface TopicBegin {
  /** Id of the first message of the new topic; null when there is none. */
  readonly messageId: string | null;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Below this, a boundary is more likely wrong than right, and a truncation loses the messages before it. */
const LEAST_CONFIDENCE = 0.5;

/**
 * Truncates before a sure boundary inside the verbatim window; otherwise summarizes the messages before that window.
 * Ignores a boundary whose message no longer exists. Returns no plan when a summary would free nothing.
 */
export function topicBoundaryPolicy(
  history: History,
  settings: Pick<CompactionSettings, 'verbatimTokens' | 'leastExchanges'>,
  { messageId, confidence }: TopicBegin,
): Plan {
  const last = lastCutKeeping(history, settings.leastExchanges);
  const verbatim = cutAtOrBefore(history, windowBegin(history, settings.verbatimTokens));
  const boundary = messageId === null ? -1 : history.messages.findIndex(({ message }) => message.id === messageId);
  if (boundary >= verbatim && confidence >= LEAST_CONFIDENCE) {
    return planAt(history, Math.min(last, cutAtOrBefore(history, boundary)), 'truncate');
  }
  const plan = planAt(history, Math.min(last, verbatim), 'summarize');
  return gain(plan) > 0 ? plan : NO_PLAN;
}
