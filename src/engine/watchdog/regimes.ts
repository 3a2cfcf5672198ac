import { likely, mostLikely, type Served } from './served.js';
import type { Trial } from './trial.js';

/*
 * Whether a cache still does what it did: a generalized likelihood ratio test for a change at an unknown time (Willsky and Jones 1976;
 * Basseville and Nikiforov, "Detection of Abrupt Changes", 1993, section 4.3).
 *
 *     G = max over k, a, b of [ L(trials before k | a) + L(trials from k on | b) ]  -  max over c of L*(all trials | c)
 *
 * L is the log-likelihood, a and b are of the `ALTERNATIVES`, c is of `HONEST`. A change is found when G reaches `THRESHOLD`.
 *
 * Its error: for fixed k, a and b the exponential of the difference is a supermartingale for an honest cache, whatever its rates of early
 * and late prefixes are as long as `served.ts` allows them, because L* takes at the edge what speaks best for the cache. So it ever
 * reaches e^THRESHOLD with a probability of at most e^-THRESHOLD (Ville's inequality). Summed over all k, a and b:
 *
 *     P(any false alarm in n trials)  <=  2 n K^2 e^-THRESHOLD      (K alternatives; 2, because each k is in two windows)
 */

export const MINUTE = 60_000;

/** Lifetimes that a provider may turn to: coarse, because each costs evidence. Those between two are found by the nearest. */
const LIFETIMES: readonly number[] = [1, 3, 5, 10, 20, 40, Infinity].map((minutes) => minutes * MINUTE);
const MINIMA: readonly number[] = [0, 2_048, 4_096, 8_192, Infinity];
const ERRATIC: Served = { lifetime: Infinity, minimum: 0, isErratic: true };
const ALTERNATIVES = [...products(LIFETIMES, MINIMA), ERRATIC];

/** What an honest cache may serve: fine, because each only speaks for it. Steps are well within the edge of `served.ts`. */
const FINE_LIFETIMES = [...LIFETIMES, ...steps(MINUTE, 24 * 60 * MINUTE, 1.1)];
const FINE_MINIMA = [...MINIMA, ...steps(128, 65_536, 1.4)];
/** The round ones come first: among equals they are taken. */
const HONEST = products(FINE_LIFETIMES, FINE_MINIMA);

/** At most one false alarm in twenty histories of so many trials of one model; the sum bounds it from far above. */
const MOST_FALSE = 0.05;
export const TRIALS = 10_000;

/** What each of the two tests for a change may have of that: this one, and the one for shorter lives. */
export const MOST_FALSE_CHANGES = MOST_FALSE / 2;

const THRESHOLD = Math.log((2 * TRIALS * ALTERNATIVES.length ** 2) / MOST_FALSE_CHANGES);

/** When it is sure that a cache has always served otherwise than it is said to: as above, without a time of change and a state before. */
const SURE = Math.log((TRIALS * ALTERNATIVES.length) / MOST_FALSE);

/** The same of a time that is given, at which it is known to have changed. */
const SURE_SINCE = Math.log(ALTERNATIVES.length / MOST_FALSE);

/** Whether trials are surely not of a cache that serves so. `isSince` where they begin with a time at which it is known to have changed. */
export function isOther(trials: readonly Trial[], expected: Served, isSince: boolean): boolean {
  const least = sumOf(trials, expected, mostLikely, -Infinity) + (isSince ? SURE_SINCE : SURE);
  return ALTERNATIVES.some((served) => sumOf(trials, served, likely, least) >= least);
}

/** An odd outcome costs up to 4: what differs from what is expected must explain more than one. */
const DIFFERENCE = 5;

/** What fits the trials best, with as few differences from what is expected as it needs; among equals what is round. */
export function bestFit(trials: readonly Trial[], expected: Served | null): Served {
  let best = ERRATIC;
  let most = -Infinity;
  const compare = (served: Served): void => {
    const price = DIFFERENCE * differences(served, expected);
    const least = most + price;
    const sum = sumOf(trials, served, likely, least);
    [best, most] = sum > least ? [served, sum - price] : [best, most];
  };
  for (const served of honest(expected)) {
    compare(served);
  }
  compare(ERRATIC);
  return best;
}

function differences({ lifetime, minimum }: Served, expected: Served | null): number {
  return expected === null ? 0 : Number(lifetime !== expected.lifetime) + Number(minimum !== expected.minimum);
}

/** What is expected first, then all else, and what differs from it in one thing alone. */
function* honest(expected: Served | null): Generator<Served> {
  if (expected !== null) {
    yield expected;
    yield* FINE_LIFETIMES.map((lifetime) => ({ ...expected, lifetime }));
    yield* FINE_MINIMA.map((minimum) => ({ ...expected, minimum }));
  }
  yield* HONEST;
}

/** The first trial after a change; null where none is found. `expected` is what the cache is said to serve; null when unknown. */
export function changeIn(trials: readonly Trial[], expected: Served | null): number | null {
  if (trials.every(({ isServed }) => isServed) || trials.every(({ isServed }) => !isServed)) {
    return null;
  }
  return mostEvident(
    fitsWithChange(trials).map((fit) => fit - THRESHOLD),
    expected,
    (served, least) => sumOf(trials, served, mostLikely, least),
  );
}

/** The first trial after a change, where there is one. */
export function likeliestChange(trials: readonly Trial[]): number {
  return latestMost(fitsWithChange(trials))[1];
}

/** How likely the trials are with a change at each of them. */
function fitsWithChange(trials: readonly Trial[]): readonly number[] {
  const before = bestUpTo(trials, ALTERNATIVES);
  const after = bestUpTo(trials.toReversed(), ALTERNATIVES).toReversed();
  return trials.map((_, at) => (before[at] ?? 0) + (after[at] ?? 0));
}

/** The most and its place; of equals the latest: what is as likely before as after a change proves nothing about the time after it. */
function latestMost(all: readonly number[]): readonly [number, number] {
  return all.reduce<readonly [number, number]>((best, each, index) => (each >= best[0] ? [each, index] : best), [-Infinity, 0]);
}

/**
 * Where the evidence for a change is strongest; null where a cache that has always served one thing explains the trials as well. `evidence` has the
 * likelihood of the trials with a change at each of them, less the threshold; `steady` how likely they are at most without one, as `sumOf` tells it.
 */
export function mostEvident(
  evidence: readonly number[],
  expected: Served | null,
  steady: (served: Served, least: number) => number,
): number | null {
  const [most, at] = latestMost(evidence);
  if (at === 0) {
    return null;
  }
  // Most histories are told by what is expected alone, which comes first.
  for (const served of honest(expected)) {
    if (most < steady(served, most)) {
      return null;
    }
  }
  return at;
}

/** At each place, the likelihood of the trials before it by the alternative that fits them best. */
export function bestUpTo(trials: readonly Trial[], alternatives: readonly Served[]): readonly number[] {
  const best: number[] = Array.from({ length: trials.length + 1 }, (_, at) => (at === 0 ? 0 : -Infinity));
  for (const served of alternatives) {
    let [sum, at] = [0, 0];
    for (const trial of trials) {
      at += 1;
      sum += likely(trial, served);
      best[at] = Math.max(best[at] ?? -Infinity, sum);
    }
  }
  return best;
}

/**
 * How likely trials are together. No logarithm of a probability is more than 0: where the sum has fallen below `least` it is not worked out
 * to its end, and is less than `least`, too.
 */
export function sumOf(trials: readonly Trial[], served: Served, of: typeof likely, least: number): number {
  let sum = 0;
  for (const trial of trials) {
    sum += of(trial, served);
    if (sum < least) {
      break;
    }
  }
  return sum;
}

export function products(lifetimes: readonly number[], minima: readonly number[]): readonly Served[] {
  return lifetimes.flatMap((lifetime) => minima.map((minimum) => ({ lifetime, minimum, isErratic: false })));
}

function steps(from: number, to: number, step: number): readonly number[] {
  return Array.from({ length: Math.ceil(Math.log(to / from) / Math.log(step)) + 1 }, (_, at) => from * step ** at);
}
