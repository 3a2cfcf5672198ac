import type { SpendLimits } from '../../../src/engine/spend/limits.js';
import type { ShownLimitsPorts } from '../../../src/host/chat/spend/shownLimits.js';

type SpendSettings = ShownLimitsPorts['settings'];

export interface SpendOptions {
  /** Called each time. Default: no limits. */
  readonly spend?: () => SpendLimits;
  /** Default: rejects. */
  readonly writeSpendLimit?: SpendSettings['writeSpendLimit'];
}

const NO_LIMITS: SpendLimits = { askAbove: null, capPerChat: null, capPerDay: null };

export function spendSettings({ spend, writeSpendLimit }: SpendOptions): SpendSettings {
  return {
    spendLimits: () => spend?.() ?? NO_LIMITS,
    writeSpendLimit: writeSpendLimit ?? (() => Promise.reject(new Error('The settings cannot be written.'))),
  };
}
