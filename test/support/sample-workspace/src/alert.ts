import type { HighWater } from './predict.js';

export type Alert = 'none' | 'notice' | 'warning' | 'alarm';

const NOTICE_BELOW_QUAY_M = 0.3;

/** How loudly to warn; see docs/warnings.md. */
export function alertFor(quayM: number, currentM: number, next: HighWater | undefined): Alert {
  if (currentM > quayM) return 'alarm';
  if (next === undefined) return 'none';
  if (next.heightM > quayM) return 'warning';
  return next.heightM > quayM - NOTICE_BELOW_QUAY_M ? 'notice' : 'none';
}
