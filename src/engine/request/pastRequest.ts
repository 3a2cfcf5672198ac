import { figureValue, inputTokens, usageOfOneRequest } from '../model/usage.js';
import { isSameRef } from '../model/modelRef.js';
import type { AttemptState } from '../chat/slices/attempts.js';
import type { ManifestContent } from '../record/manifest.js';

export interface PastRequest extends ManifestContent {
  readonly attempt: AttemptState;
}

export function pastRequest(attempt: AttemptState, { blocks, context, forgotten }: ManifestContent): PastRequest {
  return { attempt, blocks, context, forgotten };
}

/** Whether two requests went to the same model. Each model has its own cache. */
export function isOfModel(a: PastRequest, b: PastRequest): boolean {
  return isSameRef(a.attempt.model, b.attempt.model);
}

/** Returns the parameters that, together with the prompt, decide which cache entries a request can read. */
export function parametersOf({ manifest: { params, converterVersion } }: Pick<AttemptState, 'manifest'>): string {
  return JSON.stringify([converterVersion, params.extraBody, params.cacheKey ?? null, params.leftOut ?? []]);
}

/** Whether the provider has read a request: the provider reported usage, or replied. */
export function wasAnswered({ end, reply }: Pick<AttemptState, 'end' | 'reply'>): boolean {
  return end !== null && (end.usage !== null || end.outcome === 'complete' || reply.length > 0);
}

/** Returns the input tokens of a request: as the provider reported, or else as measured before sending. */
export function sizeOfInput({ end, manifest }: Pick<AttemptState, 'end' | 'manifest'>): number {
  const usage = usageOfOneRequest(end?.usage ?? null);
  return (usage === null ? null : inputTokens(usage)) ?? manifest.size.tokens;
}

/** Returns the cache read that the provider reported. Null without a report. */
export function readTokens({ end }: Pick<AttemptState, 'end'>): number | null {
  return figureValue(usageOfOneRequest(end?.usage ?? null)?.cacheReadInputTokens ?? null);
}
