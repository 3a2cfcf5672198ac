import type { ComposedRequest } from './compose.js';

/**
 * Returns a request as it is priced while tools will be added whose text is unknown. Tools come first in a request, so
 * the provider then reads nothing from its cache. Unchanged if nothing would be read.
 */
export function withNewTools(composed: ComposedRequest): ComposedRequest {
  const { forecast, model } = composed;
  if (forecast === null || forecast.parts.read === 0) {
    return composed;
  }
  const { read, written, fresh } = forecast.parts;
  const isMarked = model.capabilities.cache.kind === 'marks';
  const parts = isMarked ? { read: 0, written: written + read, fresh } : { read: 0, written, fresh: fresh + read };
  const { costAfter } = forecast;
  return { ...composed, forecast: { ...forecast, parts, costNow: costAfter, expiresAt: null, lifetime: null, expired: null } };
}
