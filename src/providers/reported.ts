import type { Figure } from '../engine/model/usage.js';

/** Marks a figure as reported by the provider. Null when unknown. */
export function reported(value: number | null): Figure | null {
  return value === null ? null : { value, source: 'reported' };
}
