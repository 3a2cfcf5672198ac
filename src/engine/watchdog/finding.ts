import type { Ttl } from '../cache/cacheRules.js';
import { bestFit, isOther } from './regimes.js';
import { placeInSize, placeInTime, placeOf, type Served } from './served.js';
import type { Trial } from './trial.js';

/** What a cache no longer does, though it did. */
export interface Change {
  /** When the first of the proofs was sent, in epoch milliseconds. */
  readonly since: number;
  readonly before: Served;
  /** What was gone, or not taken, and would have been served before; in the order in which it was sent. */
  readonly proofs: readonly Trial[];
}

/** What was learned of a cache from what it did, since it last changed. */
export interface Finding {
  /** The lifetime that was asked for; null where the cache is not asked. */
  readonly asked: Ttl | null;
  /** What it is said to serve; null when unknown. */
  readonly expected: Served | null;
  /** What it serves: as expected, unless that is surely not so. Null where nothing is expected, and too little was seen. */
  readonly served: Served | null;
  /** Whether `served` is not what is expected. */
  readonly isOther: boolean;
  readonly observations: number;
  /** The longest time after which a prefix was still read, and the shortest after which one was gone, in ms; null for none. */
  readonly lived: number | null;
  readonly gone: number | null;
  /** Tokens of the smallest prefix that was taken or read, and of the largest that was not; null for none. */
  readonly smallestKept: number | null;
  readonly largestRefused: number | null;
  /** What was gone within its lifetime. */
  readonly early: readonly Trial[];
  /** Null where it does what it always did, or more. */
  readonly change: Change | null;
}

/** Nothing is expected of a cache whose state is not reported: it has to prove that it serves at all. */
export const NOTHING: Served = { lifetime: Infinity, minimum: Infinity, isErratic: false };

/** What the trials tell since a cache last changed; there is at least one. `before` is what it served until then; null where it never changed. */
export function findingOf(trials: readonly Trial[], expected: Served | null, before: Served | null): Finding {
  const isOtherNow = isOther(trials, expected ?? NOTHING, before !== null);
  const fitting = isOtherNow ? bestFit(trials, expected) : (expected ?? NOTHING);
  const seen = seenIn(trials, fitting);
  return {
    asked: trials[0]?.asked ?? null,
    expected,
    served: isOtherNow ? servedBy(seen, expected, fitting.isErratic) : expected,
    isOther: isOtherNow,
    observations: trials.length,
    ...seen,
    change: before === null ? null : changeOf(trials, before, fitting),
  };
}

type Seen = Pick<Finding, 'lived' | 'gone' | 'smallestKept' | 'largestRefused' | 'early'>;

function seenIn(trials: readonly Trial[], fitting: Served): Seen {
  const kept = trials.filter((trial) => trial.isServed && placeOf(trial, fitting) !== 'outside');
  const not = trials.filter(({ isServed }) => !isServed);
  const isShort = (trial: Trial): boolean => placeInTime(trial, fitting) === 'inside';
  const isLarge = (trial: Trial): boolean => placeInSize(trial, fitting) === 'inside';
  return {
    lived: most(kept.filter(({ gap }) => gap > 0).map(({ gap }) => gap)),
    gone: least(not.filter((trial) => !isShort(trial) && isLarge(trial)).map(({ gap }) => gap)),
    smallestKept: least(kept.map(({ tokens }) => tokens)),
    largestRefused: most(not.filter((trial) => isShort(trial) && !isLarge(trial)).map(({ tokens }) => tokens)),
    early: not.filter((trial) => placeOf(trial, fitting) === 'inside'),
  };
}

/** Providers serve round times: of what was seen between the last time it lived and the first that it did not, the most usual one is taken. In ms. */
const USUAL = [5, 60, 30, 10, 1, 15, 20, 120, 1_440].map((minutes) => minutes * 60_000);

/** What is expected stays where what was seen allows it. Else it is what was seen to be served. */
function servedBy(seen: Seen, expected: Served | null, isErratic: boolean): Served {
  return {
    lifetime: expected !== null && mayLive(seen, expected) ? expected.lifetime : lifetimeIn(seen),
    minimum: expected !== null && mayKeep(seen, expected) ? expected.minimum : (seen.smallestKept ?? Infinity),
    isErratic,
  };
}

/** What was never seen alive is not known to live. */
function lifetimeIn({ lived, gone }: Seen): number {
  return USUAL.find((time) => time >= (lived ?? 0) && time <= (gone ?? 0)) ?? lived ?? 0;
}

function mayLive({ lived, gone }: Seen, expected: Served): boolean {
  return (
    (lived === null || placeInTime({ gap: lived }, expected) !== 'outside') &&
    (gone === null || placeInTime({ gap: gone }, expected) !== 'inside')
  );
}

function mayKeep({ smallestKept, largestRefused }: Seen, expected: Served): boolean {
  return (
    (smallestKept === null || placeInSize({ tokens: smallestKept }, expected) !== 'outside') &&
    (largestRefused === null || placeInSize({ tokens: largestRefused }, expected) !== 'inside')
  );
}

/** Null where nothing was lost by it. */
function changeOf(trials: readonly Trial[], before: Served, now: Served): Change | null {
  const proofs = trials.filter((trial) => !trial.isServed && placeOf(trial, before) === 'inside' && placeOf(trial, now) !== 'inside');
  const [first] = proofs;
  return first === undefined ? null : { since: first.at, before, proofs };
}

function most(all: readonly number[]): number | null {
  return all.length === 0 ? null : Math.max(...all);
}

function least(all: readonly number[]): number | null {
  return all.length === 0 ? null : Math.min(...all);
}
