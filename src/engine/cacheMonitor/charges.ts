import { costOf, type Prices } from '../model/price.js';
import type { Usage } from '../model/usage.js';
import { isEstimated } from '../accounting/usageSum.js';
import type { CachePart } from '../model/providerCache.js';
import type { MonitoredRequest } from './trials.js';

/*
 * Whether a provider charges by the prices that are set here. What it says it charged is a product of tokens and prices, and no matter of
 * chance: with the right prices each request has the ratio 1 between the two, whatever it holds, but for the rounding of the report. So no
 * statistics are needed. The ratio of the sums is told, and not the mean of the ratios: it is what is paid more or less, and a small request, whose
 * report is the most rounded, counts little in it.
 */

/** A request that a provider said it charged for. */
export interface ChargedRequest extends Pick<MonitoredRequest, 'at' | 'chatId' | 'attemptId'> {
  /** In US dollars. */
  readonly charged: number;
  /** By the prices that are set here, in US dollars. */
  readonly byPrices: number;
}

/** What a provider really charges, in shares of what the prices that are set here come to. */
export interface Charges {
  readonly requests: number;
  /** 1 where it is what the prices say, or a report that is rounded may hide a difference. */
  readonly share: number;
  /** Null where it charges as before, or as the prices say now. */
  readonly change: ChargeChange | null;
}

export interface ChargeChange {
  /** The share before. */
  readonly before: number;
  /** The requests since, in the order in which they were sent. */
  readonly proofs: readonly ChargedRequest[];
}

/** From so many requests on: one or two may hold something that is billed once. */
const FEWEST = 5;

/** The newest that are looked at: what is long ago says little about today. */
const MOST = 400;

/** One request charged otherwise may be served by another machine of a gateway, at its own price; three in a row are not. */
const ENOUGH = 3;

/** Charges are alike up to this share: finer ones are shown as none. */
const ALIKE = 0.01;

/** `requests` come in the order in which they were sent. Null where too few tell what they were charged. */
export function chargesOf(requests: readonly MonitoredRequest[], prices: Prices): Charges | null {
  const charged = requests.flatMap((request) => chargedRequest(request, prices) ?? []).slice(-MOST);
  if (charged.length < FEWEST) {
    return null;
  }
  const unit = unitOf(charged);
  const { before, since } = lastChange(charged, unit);
  const share = toldShare(since, unit);
  const isChange = before.length > 0 && share !== 1;
  return { requests: since.length, share, change: isChange ? { before: toldShare(before, unit), proofs: since } : null };
}

/** Null where its charge cannot be compared: it is not told, or the price by the usage is not certain. */
function chargedRequest({ at, chatId, attemptId, parts, usage }: MonitoredRequest, prices: Prices): ChargedRequest | null {
  if (usage?.charged === undefined || isEstimated(usage) || isWriteUnclear(parts, usage)) {
    return null;
  }
  const cost = costOf(usage, prices);
  return cost === null || cost.atLeast || cost.usd === 0 ? null : { at, chatId, attemptId, charged: usage.charged, byPrices: cost.usd };
}

/** Whether something may have been written for an hour, which costs more, and the provider does not say how much. */
function isWriteUnclear(parts: readonly CachePart[], { cacheCreation, cacheCreationInputTokens }: Usage): boolean {
  return cacheCreation === null && (cacheCreationInputTokens?.value ?? 0) > 0 && parts.some(({ mark }) => mark === '1h');
}

interface Split {
  /** Those before the last change; none without one. */
  readonly before: readonly ChargedRequest[];
  readonly since: readonly ChargedRequest[];
}

/** Only what was charged steadily can change: charges that vary from one request to the next prove nothing. */
function lastChange(charged: readonly ChargedRequest[], unit: number): Split {
  let [before, from]: readonly [readonly ChargedRequest[], number] = [[], 0];
  for (let end = FEWEST + ENOUGH; end <= charged.length; end += 1) {
    const earlier = charged.slice(from, end - ENOUGH);
    if (earlier.length >= FEWEST && isOtherwise(charged.slice(end - ENOUGH, end), earlier, unit)) {
      [before, from] = [earlier, end - ENOUGH];
    }
  }
  return { before, since: charged.slice(from) };
}

function isOtherwise(latest: readonly ChargedRequest[], earlier: readonly ChargedRequest[], unit: number): boolean {
  const share = shareOf(earlier);
  const sides = new Set(latest.map((request) => sideOf(request, share, unit)));
  return sides.size === 1 && !sides.has(0) && earlier.every((request) => sideOf(request, share, unit) === 0);
}

/** 1 where more was charged than a share of the price, -1 where less, 0 where it is alike, or its rounding may make it so. */
function sideOf({ charged, byPrices }: ChargedRequest, share: number, unit: number): number {
  const off = charged - share * byPrices;
  return Math.abs(off) <= ALIKE * share * byPrices + unit / 2 ? 0 : Math.sign(off);
}

function shareOf(requests: readonly ChargedRequest[]): number {
  return sum(requests.map(({ charged }) => charged)) / sum(requests.map(({ byPrices }) => byPrices));
}

/** The share that is told: a difference that is not shown, or that rounding may make, is none. */
function toldShare(requests: readonly ChargedRequest[], unit: number): number {
  const share = shareOf(requests);
  const off = sum(requests.map(({ charged, byPrices }) => charged - byPrices));
  return Math.abs(share - 1) < ALIKE || Math.abs(off) <= (requests.length * unit) / 2 ? 1 : share;
}

/** The most decimals that are looked for: a billionth of a cent. */
const MOST_DECIMALS = 11;

/** The unit in which charges are reported: the last decimal that any of them has, in US dollars. */
function unitOf(charged: readonly ChargedRequest[]): number {
  const decimals = Array.from({ length: MOST_DECIMALS }, (_, at) => at);
  const found = decimals.find((places) => charged.every((request) => Number(request.charged.toFixed(places)) === request.charged));
  return 10 ** -(found ?? MOST_DECIMALS);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** What was charged more in US dollars than before the change; below 0 where it was less. */
export function chargedMore({ before }: ChargeChange, requests: readonly ChargedRequest[]): number {
  return sum(requests.map(({ charged, byPrices }) => charged - before * byPrices));
}
