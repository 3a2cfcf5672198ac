import { givesCost, priceOfPart, ratesOfUsage, type Prices } from '../model/price.js';
import { inputTokens, type Usage } from '../model/usage.js';
import { CONTENT_CAUSES, type Cause } from './cause.js';
import { causeOf, type RequestComparison, type DiagnosisInput } from './causeOf.js';
import { firstDifference, type FirstDifference } from './firstDifference.js';
import { isOfModel, readTokens, type PastRequest } from '../request/pastRequest.js';
import { isAlone, requestBefore } from './requestBefore.js';
import { coveredBy, resentTokens, type ResentTokens } from './sentAgain.js';

/*
 * Explains what a request cost. Loupe compares three numbers of tokens:
 *
 * - the part of this request that the previous request left in the cache
 * - the part that the provider reported as read from the cache
 * - the part that the provider should have read by the cache rules
 *
 * The cause follows from these numbers and from differences between the two requests:
 *
 * - The entry of the previous request had expired: the provider read at most what had not expired.
 * - The request differs before the end of the cached part: the first block that differs is the cause.
 * - Less was read than the rules promise, and nothing differs: the provider is the cause.
 */

export interface Diagnosis {
  readonly cause: Cause;
  /** The earlier request with which the request was compared. Null without an earlier request. */
  readonly before: PastRequest | null;
  /** The first block that differs from `before` within the cached part. Null if nothing differs there. */
  readonly difference: FirstDifference | null;
  /** Tokens that were read from the cache; null when not reported. */
  readonly read: number | null;
  /** Tokens that would have been read if the cache had contained everything that was sent earlier. */
  readonly expected: number;
  /** Tokens of this request that an earlier request left in the cache, but that were not read from it. */
  readonly again: number;
  /** The cost of the `again` tokens in US dollars; null when unknown. */
  readonly againCost: number | null;
  /** The cost of request and reply in US dollars if the `again` tokens had been read; null when unknown. */
  readonly costHadHeld: number | null;
}

export function diagnose(input: DiagnosisInput): Diagnosis {
  const { request, model } = input;
  const read = readTokens(request.attempt);
  if (isAlone(request.attempt.purpose, request.blocks)) {
    return { cause: { kind: 'alone' }, before: null, difference: null, read, expected: read ?? 0, again: 0, ...NO_PRICES };
  }
  const compared = comparison(input);
  const cause = causeOf(input, compared);
  const { before, difference, again } = compared;
  if (!LOSSES.has(cause.kind)) {
    return { cause, before, difference, read, expected: read ?? 0, again: 0, ...NO_PRICES };
  }
  const prices = priceOfLoss(request, again, model?.prices ?? null);
  return { cause, before, difference, read, expected: (read ?? 0) + again.tokens, again: again.tokens, ...prices };
}

const NO_PRICES = { againCost: null, costHadHeld: null } as const;

function comparison(input: DiagnosisInput): RequestComparison {
  const { request, model } = input;
  const before = comparedWith(input);
  if (before === null) {
    return { before, difference: null, again: resentTokens(request, []) };
  }
  const isSameModel = isOfModel(before, request);
  const covered = coveredBy(before, isSameModel ? (model?.rules ?? null) : null);
  const found = firstDifference(request.blocks, before.blocks);
  const difference = found !== null && isSameModel && found.at < covered.length ? found : null;
  return { before, difference, again: resentTokens(request, covered) };
}

function comparedWith({ request, earlier }: DiagnosisInput): PastRequest | null {
  const attempts = earlier.map(({ attempt }) => attempt);
  const before = requestBefore(attempts, request.attempt.model, () => true);
  return earlier.find(({ attempt }) => attempt === before) ?? null;
}

/** The causes that explain why the provider did not read tokens that were in its cache. */
const LOSSES: ReadonlySet<Cause['kind']> = new Set<Cause['kind']>([
  ...CONTENT_CAUSES,
  'expired',
  'modelChanged',
  'marks',
  'parameters',
  'provider',
]);

/** Returns both costs in US dollars. Both are null without a recorded cost, or if today's prices give another cost. */
function priceOfLoss({ attempt }: PastRequest, again: ResentTokens, prices: Prices | null): Pick<Diagnosis, 'againCost' | 'costHadHeld'> {
  const { usage, cost } = attempt.end ?? { usage: null, cost: null };
  if (usage === null || cost === null || inputTokens(usage) === null || !givesCost(prices, usage, cost.usd)) {
    return { againCost: null, costHadHeld: null };
  }
  const hour = oneHourShare(usage);
  const written1h = again.written * hour;
  const rates = ratesOfUsage(usage, prices);
  const againCost = priceOfPart({ read: 0, written5m: again.written - written1h, written1h, fresh: again.fresh }, rates);
  const asRead = priceOfPart({ read: again.tokens, written5m: 0, written1h: 0, fresh: 0 }, rates);
  return { againCost, costHadHeld: cost.usd - againCost + asRead };
}

function oneHourShare({ cacheCreation }: Usage): number {
  const { fiveMinutes, oneHour } = cacheCreation ?? { fiveMinutes: 0, oneHour: 0 };
  return fiveMinutes + oneHour === 0 ? 0 : oneHour / (fiveMinutes + oneHour);
}
