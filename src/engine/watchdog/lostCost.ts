import { ratesOf, type Prices, type Rates } from '../accounting/price.js';
import type { Ttl } from '../cache/cacheRules.js';
import type { Trial } from './trial.js';

export const PER_MILLION = 1_000_000;

/**
 * What it cost in US dollars that prefixes were gone: they were paid again, written or fresh, instead of read. The rates are those of
 * a request as long as the lost prefix: the whole request was at least as long.
 */
export function lostCost(trials: readonly Trial[], prices: Prices): number {
  return trials.reduce((sum, { lost, asked }) => {
    const rates = ratesOf(prices, lost);
    return sum + (lost * (rateOf(asked, rates) - rates.cacheRead)) / PER_MILLION;
  }, 0);
}

function rateOf(asked: Ttl | null, rates: Rates): number {
  return asked === null ? rates.input : writeRate(asked, rates);
}

/** What writing for a lifetime costs. */
export function writeRate(ttl: Ttl, { cacheWrite5m, cacheWrite1h }: Rates): number {
  return ttl === '1h' ? cacheWrite1h : cacheWrite5m;
}
