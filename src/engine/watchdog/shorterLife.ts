import { fallingFit } from './fallingFit.js';
import { bestUpTo, MINUTE, MOST_FALSE_CHANGES, mostEvident, products, sumOf, TRIALS } from './regimes.js';
import { mostLikely, placeInSize, placeInTime, type Served } from './served.js';
import type { Trial } from './trial.js';

/*
 * Whether the lifetime of a cache got shorter, where all pauses are of nearly one length. The test of `regimes.ts` takes any outcome at the edge of
 * a lifetime, so an honest lifetime of just that length explains that all were served and then none. This one asks more of an honest cache:
 *
 *     G = max over k, a, b of [ L(trials before k | a) + L(trials from k on | b) - T(k) ]  -  max over c of L*(all trials | c)
 *
 * b is shorter than a, and L* takes at the edge of c what fits best of the chances that fall with the gap and do not change with time: that of
 * the cache is among these. A change is found when G reaches 0, with T(k) = ln(2 P / (w(k) MOST_FALSE_CHANGES)) for P pairs of a and b. The error is
 * bounded as there, but for each k with its own weight w(k). The sum of the weights is at most 1:
 *
 *     P(any false alarm)  <=  sum over k of 2 P e^-T(k)  =  MOST_FALSE_CHANGES * sum over k of w(k)
 *
 * Half of it is for all k alike, and half of it for the early ones, 1 / (k (k + 1)): most chats are short.
 */

/** Lifetimes that get shorter, and those that they get to: few, because each pair costs evidence. */
const LONG = products([5 * MINUTE, 10 * MINUTE, 60 * MINUTE, Infinity], [0]);
const SHORT = products([MINUTE, 5 * MINUTE, 20 * MINUTE], [0]);
const PAIRS = LONG.flatMap((long) => SHORT.filter(({ lifetime }) => lifetime < long.lifetime).map((short) => ({ long, short })));

/** Whether a trial tells of a lifetime. */
export function isAfterPause({ gap }: Trial): boolean {
  return gap > 0;
}

/**
 * The first trial after a lifetime got shorter; null where none is found. `dropped` trials after a pause came before these. `expected` is
 * what the cache is said to serve; null when unknown.
 */
export function shorterFrom(all: readonly Trial[], dropped: number, expected: Served | null): number | null {
  const trials = all.filter(isAfterPause);
  const reversed = trials.toReversed();
  const before = new Map(LONG.map((served) => [served, bestUpTo(trials, [served])]));
  const after = new Map(SHORT.map((served) => [served, bestUpTo(reversed, [served]).toReversed()]));
  const evidence = trials.map((_, at) => {
    const fits = PAIRS.map(({ long, short }) => (before.get(long)?.[at] ?? 0) + (after.get(short)?.[at] ?? 0));
    return Math.max(...fits) - thresholdAt(dropped + at);
  });
  const at = mostEvident(evidence, expected, (served, least) => mostOfSteady(trials, served, least));
  const first = at === null ? undefined : trials[at];
  return first === undefined ? null : all.indexOf(first);
}

/** Without a trial before it there is no change. */
function thresholdAt(k: number): number {
  if (k === 0) {
    return Infinity;
  }
  const weight = (1 / TRIALS + 1 / (k * (k + 1))) / 2;
  return Math.log((2 * PAIRS.length) / (weight * MOST_FALSE_CHANGES));
}

function mostOfSteady(trials: readonly Trial[], served: Served, least: number): number {
  const inPlace = sumOf(trials, served, mostLikely, least);
  if (inPlace < least) {
    return inPlace;
  }
  const edge = trials.filter((trial) => placeInSize(trial, served) === 'inside' && placeInTime(trial, served) === 'edge');
  return inPlace + fallingFit(edge);
}
