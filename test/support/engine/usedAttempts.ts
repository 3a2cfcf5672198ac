import type { AttemptUsage } from '../../../src/engine/accounting/attemptUsage.js';
import { costOf, type Prices } from '../../../src/engine/model/price.js';
import { usage } from './events.js';

export const PRICES: Prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 };

/** Noon on Wednesday, 2026-11-18. */
export const WEDNESDAY = Date.UTC(2026, 10, 18, 12);

export function usedAttempt(id: string, changed: Partial<AttemptUsage>): AttemptUsage {
  const used = changed.usage === undefined ? usage(1_000, 20_000, 2_000, 500) : changed.usage;
  return {
    id,
    at: WEDNESDAY,
    purpose: 'reply',
    model: { provider: 'house', model: 'large' },
    isDiscarded: false,
    usage: used,
    cost: used === null ? null : costOf(used, PRICES),
    isUnbilled: false,
    ...changed,
  };
}
