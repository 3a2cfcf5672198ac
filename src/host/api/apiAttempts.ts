import { attemptPlaces, isDiscarded } from '../../engine/accounting/attemptUsage.js';
import { figureValue } from '../../engine/accounting/usage.js';
import { modelKey } from '../../engine/chat/config.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../engine/chat/state.js';
import { messagesOf } from '../../engine/chat/timeline.js';
import type { ApiAttempt } from '../../protocol/api.js';
import type { ApiAttemptUsage } from '../../protocol/apiMessage.js';

/** Every attempt of a chat, oldest first. */
export function apiAttempts(state: ChatState): readonly ApiAttempt[] {
  const replies = messagesOf(state.timeline).filter((message) => message.role === 'assistant');
  const messageIds = new Map(replies.map(({ attemptId, id }) => [attemptId, id]));
  const places = attemptPlaces(state);
  return [...state.attempts.values()]
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map((attempt) => ({
      id: attempt.id,
      purpose: attempt.purpose,
      messageId: messageIds.get(attempt.id) ?? null,
      model: modelKey(attempt.model),
      startedAt: attempt.startedAt,
      outcome: attempt.end?.outcome ?? 'running',
      usage: attemptUsage(attempt),
      ...attemptCost(attempt),
      discarded: isDiscarded(attempt, places),
      inherited: attempt.inheritedFrom !== null,
    }));
}

/** Null when it is unknown, or while the attempt runs. */
export function attemptUsage(attempt: AttemptState): ApiAttemptUsage | null {
  const { end } = attempt;
  const usage = end?.usage ?? null;
  if (end === null || usage === null) {
    return null;
  }
  return {
    promptTokens: figureValue(usage.promptTokens),
    cacheReadInputTokens: figureValue(usage.cacheReadInputTokens),
    cacheCreationInputTokens: figureValue(usage.cacheCreationInputTokens),
    completionTokens: figureValue(usage.completionTokens),
    inputEstimated: usage.promptTokens?.source === 'estimated',
    outputEstimated: usage.completionTokens?.source === 'estimated',
    ...attemptCost(attempt),
  };
}

/** The pretended price of a model that nobody bills is none. */
function attemptCost({ end, isPretended }: AttemptState): Pick<ApiAttemptUsage, 'cost' | 'costAtLeast'> {
  const cost = isPretended === true ? null : (end?.cost ?? null);
  return { cost: cost?.usd ?? null, costAtLeast: cost?.atLeast === true };
}
