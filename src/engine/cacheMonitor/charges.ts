import { costOf, type Prices } from '../model/price.js';
import type { Usage } from '../model/usage.js';
import { isEstimated } from '../accounting/usageSum.js';
import type { PartColumns } from '../model/providerCache.js';
import type { MonitoredRequest } from './trials.js';

/*
 * Checks whether a provider charges by the prices set in Loupe. A charge is tokens times prices. So with the right
 * prices, charge and computed cost are equal for each request, except for rounding. No statistics are needed.
 *
 * The result is the ratio of the sums, not the mean of the ratios. The sums are what the user pays, and the rounding of
 * small charges hardly changes them.
 */

export interface ChargedRequest extends Pick<MonitoredRequest, 'at' | 'chatId' | 'attemptId'> {
  readonly charged: number;
  /** The cost by the prices set in Loupe, in US dollars. */
  readonly byPrices: number;
}

/** What a provider really charges, compared with the prices set in Loupe. */
export interface Charges {
  readonly requests: number;
  /** The charge divided by the cost by prices. 1 when both are equal, or when rounding may hide a difference. */
  readonly share: number;
  /** The last change of the charges. Null without a change, or when the charges now equal the cost by prices. */
  readonly change: ChargeChange | null;
}

export interface ChargeChange {
  /** `Charges.share` before the change. */
  readonly before: number;
  /** The requests since the change, in the order in which they were sent. */
  readonly proofs: readonly ChargedRequest[];
}

/** Minimum requests for a result. One or two prove nothing, because their charge may contain a one-time part. */
const FEWEST = 5;

/** How many of the latest requests are compared. Older requests say little about today's charges. */
const MOST = 400;

/** Consecutive requests that prove a change. A gateway may send a single request to a more expensive machine. */
const ENOUGH = 3;

/** Values of `Charges.share` that differ by less than this count as equal: a smaller difference is not shown. */
const ALIKE = 0.01;

/** Compares charges with prices. `requests` are in the order of sending. Null when too few have a reported charge. */
export function chargesOf(requests: readonly MonitoredRequest[], prices: Prices): Charges | null {
  const charged = requests.flatMap((request) => chargedRequest(request, prices) ?? []).slice(-MOST);
  if (charged.length < FEWEST) {
    return null;
  }
  const unit = unitOf(charged);
  const { before, since } = lastChange(charged, unit);
  const share = shownShare(since, unit);
  const isChange = before.length > 0 && share !== 1;
  return { requests: since.length, share, change: isChange ? { before: shownShare(before, unit), proofs: since } : null };
}

/** Returns null when the provider reported no charge, or when the cost by prices is uncertain. */
function chargedRequest({ at, chatId, attemptId, parts, usage }: MonitoredRequest, prices: Prices): ChargedRequest | null {
  if (usage?.charged === undefined || isEstimated(usage) || isWriteUnclear(parts, usage)) {
    return null;
  }
  const cost = costOf(usage, prices);
  return cost === null || cost.atLeast || cost.usd === 0 ? null : { at, chatId, attemptId, charged: usage.charged, byPrices: cost.usd };
}

/** Whether the cost of cache writes is unclear: some may be 1-hour writes, but the provider reports no lifetimes. */
function isWriteUnclear({ breakpoints }: PartColumns, { cacheCreation, cacheCreationInputTokens }: Usage): boolean {
  return cacheCreation === null && (cacheCreationInputTokens?.value ?? 0) > 0 && breakpoints.some(({ ttl }) => ttl === '1h');
}

interface ChargeSplit {
  /** Requests up to the last change; empty without a change. */
  readonly before: readonly ChargedRequest[];
  readonly since: readonly ChargedRequest[];
}

/** Finds the last change of the charged share. If the charges before a possible change vary, they prove no change. */
function lastChange(charged: readonly ChargedRequest[], unit: number): ChargeSplit {
  let [before, from]: readonly [readonly ChargedRequest[], number] = [[], 0];
  for (let end = FEWEST + ENOUGH; end <= charged.length; end += 1) {
    const earlier = charged.slice(from, end - ENOUGH);
    if (earlier.length >= FEWEST && isPriceChange(charged.slice(end - ENOUGH, end), earlier, unit)) {
      [before, from] = [earlier, end - ENOUGH];
    }
  }
  return { before, since: charged.slice(from) };
}

function isPriceChange(latest: readonly ChargedRequest[], earlier: readonly ChargedRequest[], unit: number): boolean {
  const share = shareOf(earlier);
  const sides = new Set(latest.map((request) => sideOf(request, share, unit)));
  return sides.size === 1 && !sides.has(0) && earlier.every((request) => sideOf(request, share, unit) === 0);
}

/** Returns 1 for a higher charge than this share of the cost by prices, -1 for a lower charge, 0 within rounding. */
function sideOf({ charged, byPrices }: ChargedRequest, share: number, unit: number): number {
  const off = charged - share * byPrices;
  return Math.abs(off) <= ALIKE * share * byPrices + unit / 2 ? 0 : Math.sign(off);
}

function shareOf(requests: readonly ChargedRequest[]): number {
  return sum(requests.map(({ charged }) => charged)) / sum(requests.map(({ byPrices }) => byPrices));
}

/** Returns the share to show: 1 when the difference can come from rounding, or is too small to show. */
function shownShare(requests: readonly ChargedRequest[], unit: number): number {
  const share = shareOf(requests);
  const off = sum(requests.map(({ charged, byPrices }) => charged - byPrices));
  return Math.abs(share - 1) < ALIKE || Math.abs(off) <= (requests.length * unit) / 2 ? 1 : share;
}

/** Maximum number of decimals in a charge in US dollars: 1e-11 dollars are a billionth of a cent. */
const MOST_DECIMALS = 11;

/** Returns the unit of the reported charges in US dollars: the last decimal place that any of the charges has. */
function unitOf(charged: readonly ChargedRequest[]): number {
  const decimals = Array.from({ length: MOST_DECIMALS }, (_, at) => at);
  const found = decimals.find((places) => charged.every((request) => Number(request.charged.toFixed(places)) === request.charged));
  return 10 ** -(found ?? MOST_DECIMALS);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Returns how much more was charged than with the share before the change, in US dollars; negative when less. */
export function chargedMore({ before }: ChargeChange, requests: readonly ChargedRequest[]): number {
  return sum(requests.map(({ charged, byPrices }) => charged - before * byPrices));
}
