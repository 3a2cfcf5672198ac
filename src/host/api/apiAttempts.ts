import { attemptPlaces, isDiscarded } from '../../engine/accounting/attemptUsage.js';
import type { Cost } from '../../engine/model/price.js';
import { figureValue, type Usage } from '../../engine/model/usage.js';
import { modelKey } from '../../engine/model/modelRef.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { LoggedSideRequests } from '../../engine/chat/slices/sideRequests.js';
import type { ChatState } from '../../engine/chat/state.js';
import { messagesOf } from '../../engine/chat/timeline.js';
import type { ApiAttempt } from '../../protocol/api/api.js';
import type { ApiAttemptUsage } from '../../protocol/api/apiMessage.js';

export function apiAttempts(state: ChatState): readonly ApiAttempt[] {
  const replies = messagesOf(state.timeline).filter((message) => message.role === 'assistant');
  const messageIds = new Map(replies.map(({ attemptId, id }) => [attemptId, id]));
  const places = attemptPlaces(state);
  const own = [...state.attempts.values()].map((attempt) => ({
    id: attempt.id,
    purpose: attempt.purpose,
    requests: 1,
    messageId: messageIds.get(attempt.id) ?? null,
    model: modelKey(attempt.model),
    startedAt: attempt.startedAt,
    outcome: attempt.end?.outcome ?? ('running' as const),
    usage: attemptUsage(attempt),
    ...attemptCost(attempt),
    discarded: isDiscarded(attempt, places),
    inherited: attempt.inheritedFrom !== null,
  }));
  return [...own, ...[...state.sideRequests.values()].map(sideRequests)].toSorted((a, b) => a.startedAt - b.startedAt);
}

function sideRequests({ id, purpose, requests, model, at, usage, cost, isUnbilled }: LoggedSideRequests): ApiAttempt {
  const price = costOf(cost);
  return {
    ...{ id, purpose, requests, messageId: null, model: modelKey(model), startedAt: at },
    // The server rejected unbilled requests or never got them. Null without usage, for example for token counts.
    outcome: isUnbilled ? 'failed' : usage === null ? null : 'complete',
    usage: usage === null ? null : { ...figuresOf(usage), ...price },
    ...price,
    ...{ discarded: false, inherited: false },
  };
}

/** Returns the usage of an attempt. Null when the usage is unknown or the attempt has not ended. */
export function attemptUsage(attempt: AttemptState): ApiAttemptUsage | null {
  const { end } = attempt;
  const usage = end?.usage ?? null;
  if (end === null || usage === null) {
    return null;
  }
  return { ...figuresOf(usage), ...attemptCost(attempt) };
}

function figuresOf(usage: Usage): Omit<ApiAttemptUsage, keyof PriceInApi> {
  return {
    promptTokens: figureValue(usage.promptTokens),
    cacheReadInputTokens: figureValue(usage.cacheReadInputTokens),
    cacheCreationInputTokens: figureValue(usage.cacheCreationInputTokens),
    completionTokens: figureValue(usage.completionTokens),
    inputEstimated: usage.promptTokens?.source === 'estimated',
    outputEstimated: usage.completionTokens?.source === 'estimated',
  };
}

type PriceInApi = Pick<ApiAttemptUsage, 'cost' | 'costAtLeast'>;

/** Returns the price of an attempt. Empty for a practice model, whose prices are only examples. */
function attemptCost({ end, isPretended }: AttemptState): PriceInApi {
  return costOf(isPretended === true ? null : (end?.cost ?? null));
}

function costOf(cost: Cost | null): PriceInApi {
  return { cost: cost?.usd ?? null, costAtLeast: cost?.atLeast === true };
}
