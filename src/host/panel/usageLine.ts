import { figureValue, inputTokens } from '../../engine/accounting/usage.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { UsageLine } from '../../protocol/view.js';

/** Null until the attempt has ended, and when it probably used nothing. */
export function usageLine({ end, startedAt, inheritedFrom, isPretended }: AttemptState): UsageLine | null {
  const usage = end?.usage ?? null;
  if (end === null || usage === null) {
    return null;
  }
  return {
    inputTokens: inputTokens(usage),
    cachedTokens: figureValue(usage.cacheReadInputTokens),
    writtenTokens: figureValue(usage.cacheCreationInputTokens),
    outputTokens: figureValue(usage.completionTokens),
    inputEstimated: usage.promptTokens?.source === 'estimated',
    outputEstimated: usage.completionTokens?.source === 'estimated',
    cost: end.cost?.usd ?? null,
    isAtLeast: end.cost?.atLeast === true,
    isCharged: usage.charged !== undefined,
    isPretended: isPretended === true,
    durationMs: end.at - startedAt,
    inherited: inheritedFrom !== null,
  };
}
