import type { Figure } from '../engine/model/usage.js';

/** A figure that the provider reported; null when unknown. */
export function reported(value: number | null): Figure | null {
  return value === null ? null : { value, source: 'reported' };
}
