import type { Figure } from '../engine/accounting/usage.js';

/** A figure of the provider's own; null for one that is not known. */
export function reported(value: number | null): Figure | null {
  return value === null ? null : { value, source: 'reported' };
}
