import type { Trial } from './trial.js';

/** What a cache keeps: a prefix of at least `minimum` tokens, for `lifetime` milliseconds after its last use. */
export interface Served {
  /** `Infinity` for longer than ever asked. */
  readonly lifetime: number;
  /** `Infinity` for a cache that keeps nothing. */
  readonly minimum: number;
  /** Whether it drops about half of that, at random. */
  readonly isErratic: boolean;
}

/** How many of the prefixes that are to be there an honest provider may drop early: one in fifty. */
const MOST_EARLY = 0.02;

/** How many of those that are to be gone may be read all the same, because a chat that is not known here has used them: one in twenty. */
const MOST_LATE = 0.05;

/** Within this factor of a lifetime both outcomes are honest: lifetimes vary a little. */
const LIFETIME_EDGE = 1.12;

/** Within this factor of a minimum both outcomes are honest: tokens of a prefix are counted in other ways. */
const MINIMUM_EDGE = 1.25;

/** Where a trial stands: the cache has to have it, must not have it, or may. */
export type Place = 'inside' | 'outside' | 'edge';

export function placeOf(trial: Trial, served: Served): Place {
  const inTime = placeInTime(trial, served);
  const inSize = inTime === 'outside' ? inTime : placeInSize(trial, served);
  return inSize === 'inside' ? inTime : inSize;
}

/** Where a trial stands by its gap alone. */
export function placeInTime({ gap }: Pick<Trial, 'gap'>, { lifetime }: Pick<Served, 'lifetime'>): Place {
  return placeBelow(gap, lifetime, LIFETIME_EDGE);
}

/** Where a trial stands by its tokens alone. */
export function placeInSize({ tokens }: Pick<Trial, 'tokens'>, { minimum }: Pick<Served, 'minimum'>): Place {
  return placeBelow(minimum, tokens, MINIMUM_EDGE);
}

function placeBelow(value: number, limit: number, edge: number): Place {
  if (value * edge <= limit) {
    return 'inside';
  }
  return value >= limit * edge ? 'outside' : 'edge';
}

/** The logarithm of how likely the outcome of a trial is at most, for a cache that serves so: at the edge both are. */
export function mostLikely(trial: Trial, served: Served): number {
  const place = placeOf(trial, served);
  return place === 'edge' ? 0 : logOf(place, trial.isServed);
}

/** The logarithm of how likely the outcome of a trial is. The probabilities of both outcomes add up to 1. */
export function likely(trial: Trial, served: Served): number {
  const place = placeOf(trial, served);
  // What is written now cannot be dropped yet.
  return logOf(served.isErratic && place === 'inside' && trial.gap > 0 ? 'edge' : place, trial.isServed);
}

const [KEPT, DROPPED] = [Math.log(1 - MOST_EARLY), Math.log(MOST_EARLY)];
const [LEFT, GONE] = [Math.log(MOST_LATE), Math.log(1 - MOST_LATE)];
const EITHER = Math.log(1 / 2);

function logOf(place: Place, isServed: boolean): number {
  switch (place) {
    case 'inside':
      return isServed ? KEPT : DROPPED;
    case 'outside':
      return isServed ? LEFT : GONE;
    case 'edge':
      return EITHER;
  }
}
