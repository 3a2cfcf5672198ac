import { figureValue, inputTokens } from '../../engine/accounting/usage.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import { forecastError } from '../../engine/diagnosis/forecastAccuracy.js';
import type { UsageLine } from '../../protocol/view.js';

/** Null until the attempt has ended, and when it probably used nothing. */
export function usageLine(attempt: AttemptState): UsageLine | null {
  const { end, startedAt, inheritedFrom, isPretended } = attempt;
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
    forecast: forecastBeside(attempt),
    inherited: inheritedFrom !== null,
  };
}

function forecastBeside(attempt: AttemptState): UsageLine['forecast'] {
  const { forecast } = attempt.manifest;
  if (forecast === undefined) {
    return null;
  }
  const { read, written, fresh } = forecast;
  return { read, written, fresh, off: forecastError(attempt) };
}
