import type { Rates } from '../accounting/price.js';
import type { Ttl } from '../cache/cacheRules.js';
import type { Trial } from './trial.js';

const PER_MILLION = 1_000_000;

/** What it cost in US dollars that prefixes were gone: they were paid again, written or fresh, instead of read. */
export function lostCost(trials: readonly Trial[], rates: Rates): number {
  return trials.reduce((sum, { lost, asked }) => sum + (lost * (rateOf(asked, rates) - rates.cacheRead)) / PER_MILLION, 0);
}

function rateOf(asked: Ttl | null, { input, cacheWrite5m, cacheWrite1h }: Rates): number {
  if (asked === null) {
    return input;
  }
  return asked === '1h' ? cacheWrite1h : cacheWrite5m;
}
