import { assertNever } from '../assertNever.js';
import { TTL_SECONDS, type CacheRules, type Ttl } from '../cache/cacheRules.js';
import { AutomaticTrials } from './automaticTrials.js';
import { findingOf, NOTHING, type Finding } from './finding.js';
import { MarkedTrials } from './markedTrials.js';
import { bestFit, changeIn, likeliestChange } from './regimes.js';
import { placeOf, type Served } from './served.js';
import { isAfterPause, shorterFrom } from './shorterLife.js';
import { ToldLifetimes, type ToldOtherwise } from './toldOtherwise.js';
import type { Trial, TrialSource, WatchedRequest } from './trial.js';

/** Trials that are kept of each lifetime. When there are more, the older half goes: what is long ago says little about today. */
const MOST_TRIALS = 400;

/** By how many trials the time of a change may be moved: about as many as it takes to find one. */
const MOST_MOVED = 20;

const NO_TRIALS: TrialSource = { take: () => [] };

/** What a model's cache was found to do. */
export interface Observations {
  /** One for each lifetime that was asked for and observed. */
  readonly findings: readonly Finding[];
  readonly toldOtherwise: readonly ToldOtherwise[];
}

/** Learns what the cache of a model does from the requests that were answered. They come in the order in which they were sent. */
export class Watchdog implements Observations {
  readonly #rules: CacheRules;
  readonly #source: TrialSource;
  /** By the lifetime that was asked for. */
  readonly #histories = new Map<Ttl | null, History>();
  readonly #told = new ToldLifetimes();

  constructor(rules: CacheRules) {
    this.#rules = rules;
    this.#source = sourceOf(rules);
  }

  take(request: WatchedRequest): void {
    const trials = this.#source.take(request);
    this.#told.take(request, trials);
    // What is given otherwise than asked is known from the provider's own figures: it says nothing of what is given as asked.
    for (const trial of trials.filter(({ asked, given }) => given === asked)) {
      const history = this.#histories.get(trial.asked) ?? new History(expectedOf(this.#rules, trial.asked));
      this.#histories.set(trial.asked, history);
      history.add(trial);
    }
  }

  get findings(): readonly Finding[] {
    return [...this.#histories.values()].map(({ finding }) => finding);
  }

  get toldOtherwise(): readonly ToldOtherwise[] {
    return this.#told.otherwise;
  }
}

/** The trials with one lifetime asked, since the cache last changed. */
class History {
  readonly #expected: Served | null;
  #trials: readonly Trial[] = [];
  /** How many trials after a pause were dropped since the last change. */
  #dropped = 0;
  #before: Served | null = null;
  /** The last trials before the change. */
  #earlier: readonly Trial[] = [];
  #finding: Finding | null = null;
  /** What it was last found to serve. */
  #served: Served;

  constructor(expected: Served | null) {
    this.#expected = expected;
    this.#served = expected ?? NOTHING;
  }

  get finding(): Finding {
    this.#finding ??= findingOf(this.#trials, this.#expected, this.#before);
    this.#served = this.#finding.served ?? NOTHING;
    return this.#finding;
  }

  add(trial: Trial): void {
    if (this.#trials.length >= MOST_TRIALS) {
      this.#dropped += this.#trials.slice(0, -MOST_TRIALS / 2).filter(isAfterPause).length;
      this.#trials = this.#trials.slice(-MOST_TRIALS / 2);
    }
    this.#trials = [...this.#trials, trial];
    this.#finding = null;
    const isContradicted = this.#isContradicted(trial);
    if (isContradicted || !trial.isServed) {
      const at = isContradicted ? changeIn(this.#trials, this.#expected) : null;
      this.#split(at ?? shorterFrom(this.#trials, this.#dropped, this.#expected));
      if (!trial.isServed && this.#before !== null) {
        this.#relocate();
      }
    }
  }

  /** Only what contradicts is evidence for any change; of what is erratic, anything may be. For a shorter lifetime it is all that is lost. */
  #isContradicted(trial: Trial): boolean {
    return this.#served.isErratic || placeOf(trial, this.#served) === (trial.isServed ? 'outside' : 'inside');
  }

  /** `at` is the first trial after a change; null without one. */
  #split(at: number | null): void {
    if (at !== null) {
      this.#before = bestFit(this.#trials.slice(0, at), this.#expected);
      this.#earlier = this.#trials.slice(0, at).slice(-MOST_MOVED);
      this.#trials = this.#trials.slice(at);
      this.#dropped = 0;
    }
    this.#served = this.finding.served ?? NOTHING;
  }

  /** What is lost after a change shows better when that was. */
  #relocate(): void {
    const all = [...this.#earlier, ...this.#trials];
    const at = likeliestChange(all);
    if (at > 0 && at !== this.#earlier.length && at <= this.#earlier.length + MOST_MOVED) {
      this.#earlier = all.slice(0, at).slice(-MOST_MOVED);
      this.#trials = all.slice(at);
      this.#finding = null;
      this.#served = this.finding.served ?? NOTHING;
    }
  }
}

function sourceOf(rules: CacheRules): TrialSource {
  switch (rules.kind) {
    case 'marks':
      return new MarkedTrials(rules);
    case 'automatic':
    case 'unknown':
      return new AutomaticTrials();
    case 'none':
      return NO_TRIALS;
    default:
      return assertNever(rules);
  }
}

/** What the rules say that a cache serves; null where they do not say. */
function expectedOf(rules: CacheRules, asked: Ttl | null): Served | null {
  if (rules.kind === 'automatic') {
    return { lifetime: rules.lifetimeSeconds * 1_000, minimum: rules.minimumTokens, isErratic: false };
  }
  return rules.kind === 'marks' && asked !== null
    ? { lifetime: TTL_SECONDS[asked] * 1_000, minimum: rules.minimumTokens, isErratic: false }
    : null;
}
