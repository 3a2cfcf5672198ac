import { ASKED_LIFETIMES, type AutomaticCache, type CacheRules, type Lifetimes, type Ttl } from '../model/cacheRules.js';
import { OtherLifetimes, type OtherLifetime } from './otherLifetimes.js';
import { Trials, type MonitoredRequest, type Trial } from './trials.js';

/** What the reported usage shows about the cache of a model. */
export interface Observations {
  /** One finding for each cache lifetime that was requested and observed. */
  readonly findings: readonly Finding[];
  readonly otherLifetimes: readonly OtherLifetime[];
  /** Latest consecutive requests with breakpoints, but without a cache read or write. Empty for a single request. */
  readonly refused: readonly MonitoredRequest[];
}

export interface Finding {
  /** The requested lifetime; null when the cache works without breakpoints. */
  readonly asked: Ttl | null;
  /** The lifetime that the cache rules give, in ms; null when unknown. */
  readonly expected: number | null;
  /** Number of prefixes that were sent a second time. */
  readonly all: number;
  /** Number of these prefixes that the provider read from its cache. */
  readonly read: number;
  /** The longest time in ms after which a prefix was still in the cache; null without a cache read. */
  readonly lived: number | null;
  /** The shortest time in ms above `lived` after which a prefix was no longer cached; null when no prefix was lost. */
  readonly gone: number | null;
  /** Number of prefixes that were sent again within their lifetime. */
  readonly inTime: number;
  /** The trials within the lifetime in which the prefix was no longer in the cache. */
  readonly early: readonly Trial[];
  /** Whether the latest trial is in `early`. Always false when it is unknown whether the provider has a cache. */
  readonly isLatestEarly: boolean;
  /** The lifetime that forecasts use, in ms; null when unknown. */
  readonly lifetime: number | null;
  /** Tokens of the smallest prefix that was read from the cache; null without a cache read. */
  readonly smallestRead: number | null;
}

/** The rules of a cache, corrected by observations. */
export interface ObservedRules {
  readonly rules: CacheRules;
  /** Observed lifetimes of cache entries at breakpoints, by the requested lifetime. */
  readonly lifetimes: Lifetimes;
}

/** How many of the latest trials are used per lifetime. Older trials say little about today's cache. */
const MOST_TRIALS = 100;

/** A prefix lost before this share of its lifetime is lost early. The margin is for clock differences and delays. */
const SURELY_IN_TIME = 0.9;

/**
 * Minimum early losses that shorten the lifetime in forecasts. One proves nothing: a provider may drop single entries,
 * for example when it restarts a machine. With a shorter lifetime, the second prefix after as long a gap is lost, too.
 */
const FEWEST_EARLY = 2;

/** Minimum refused requests to report. A single request proves nothing: some servers do not report cache writes. */
const FEWEST_REFUSED = 2;

/** Step in tokens of a cache with unknown rules. With 1, forecasts use the full length of a prefix that was read. */
const UNKNOWN_STEP = 1;

/** Learns from reported usage how the cache of a model behaves. Pass requests in the order of sending. */
export class CacheMonitor implements Observations {
  readonly #rules: CacheRules;
  readonly #source: Trials;
  /** The latest trials, by the requested lifetime. */
  readonly #trials = new Map<Ttl | null, readonly Trial[]>();
  readonly #otherLifetimes = new OtherLifetimes();
  #refused: readonly MonitoredRequest[] = [];
  #latest: Trial | null = null;

  constructor(rules: CacheRules) {
    this.#rules = rules;
    this.#source = new Trials(rules);
  }

  take(request: MonitoredRequest): void {
    if (this.#rules.kind === 'none') {
      return;
    }
    const isRefused = this.#source.isRefused(request);
    if (request.parts.breakpoints.length === 0) {
      this.#refused = [];
    } else if (isRefused !== null) {
      this.#refused = isRefused ? [...this.#refused, request].slice(-MOST_TRIALS) : [];
    }
    const trial = this.#source.take(request);
    this.#latest = trial ?? this.#latest;
    this.#otherLifetimes.take(request, trial);
    // A prefix with another lifetime than requested proves nothing about the requested lifetime.
    if (trial !== null && trial.given === trial.asked) {
      this.#trials.set(trial.asked, [...(this.#trials.get(trial.asked) ?? []), trial].slice(-MOST_TRIALS));
    }
  }

  get findings(): readonly Finding[] {
    return [...this.#trials].map(([asked, trials]) =>
      findingOf(trials, { asked, expected: expectedLifetime(this.#rules, asked), latest: this.#latest }),
    );
  }

  get otherLifetimes(): readonly OtherLifetime[] {
    return this.#otherLifetimes.all;
  }

  get refused(): readonly MonitoredRequest[] {
    return this.#refused.length < FEWEST_REFUSED ? [] : this.#refused;
  }

  /** The cache rules that forecasts use, corrected by observations. */
  get observedRules(): ObservedRules {
    if (this.refused.length > 0) {
      return { rules: { kind: 'none' }, lifetimes: ASKED_LIFETIMES };
    }
    const { findings } = this;
    const [finding] = findings;
    if (this.#rules.kind === 'marks') {
      const observed = findings.flatMap(({ asked, lifetime }) => (asked === null || lifetime === null ? [] : [[asked, lifetime] as const]));
      return { rules: this.#rules, lifetimes: { ...ASKED_LIFETIMES, ...Object.fromEntries(observed) } };
    }
    return { rules: finding === undefined ? this.#rules : automaticRules(this.#rules, finding), lifetimes: ASKED_LIFETIMES };
  }
}

function expectedLifetime(rules: CacheRules, asked: Ttl | null): number | null {
  if (rules.kind === 'automatic') {
    return rules.lifetimeSeconds * 1_000;
  }
  return asked === null ? null : ASKED_LIFETIMES[asked];
}

function automaticRules(rules: CacheRules, { lifetime, smallestRead }: Finding): CacheRules {
  if (lifetime === null) {
    return rules;
  }
  const known: Omit<AutomaticCache, 'lifetimeSeconds'> =
    rules.kind === 'automatic' ? rules : { kind: 'automatic', minimumTokens: Math.ceil(smallestRead ?? 0), stepTokens: UNKNOWN_STEP };
  return { ...known, lifetimeSeconds: lifetime / 1_000 };
}

interface FindingContext extends Pick<Finding, 'asked' | 'expected'> {
  readonly latest: Trial | null;
}

function findingOf(taken: readonly Trial[], { asked, expected, latest }: FindingContext): Finding {
  const smallestRead = least(taken.flatMap(({ isRead, tokens }) => (isRead ? [tokens] : [])));
  // If the rules are unknown, ignores prefixes smaller than the smallest prefix read: perhaps too small to cache.
  const trials = expected === null ? taken.filter(({ tokens }) => tokens >= (smallestRead ?? 0)) : taken;
  const read = trials.filter(({ isRead }) => isRead);
  const lived = most(read.map(({ gap }) => gap));
  const inTime = expected === null ? [] : trials.filter((trial) => isInTime(trial, expected));
  const early = inTime.filter(({ isRead }) => !isRead);
  return {
    asked,
    expected,
    all: trials.length,
    read: read.length,
    lived,
    gone: least(trials.flatMap(({ isRead, gap }) => (isRead || (lived !== null && gap <= lived) ? [] : [gap]))),
    inTime: inTime.length,
    early,
    // If an automatic cache never had a read, the provider may have no cache.
    isLatestEarly: early.length > 0 && early.at(-1) === latest && (asked !== null || read.length > 0),
    lifetime: forecastLifetime(trials, expected),
    smallestRead,
  };
}

function isInTime({ gap }: Trial, expected: number): boolean {
  return gap <= expected * SURELY_IN_TIME;
}

/**
 * Returns the lifetime that forecasts use, in ms. Counts early losses without a later read after as long a gap. Without
 * an expected lifetime, each loss is early.
 *
 * - Fewer than `FEWEST_EARLY`: the expected lifetime.
 * - Otherwise: a little less than the shortest gap of these losses. Shorter gaps may still be read.
 * - Without an expected lifetime: the longest gap after which a prefix was read, of the gaps below that of the latest
 *   loss if there are enough losses, or null.
 */
function forecastLifetime(trials: readonly Trial[], expected: number | null): number | null {
  const losses = trials.filter(
    (trial, at) =>
      !trial.isRead &&
      (expected === null || isInTime(trial, expected)) &&
      !trials.slice(at + 1).some(({ isRead, gap }) => isRead && gap >= trial.gap),
  );
  const gaps = losses.length < FEWEST_EARLY ? [] : losses.map(({ gap }) => gap);
  if (expected !== null) {
    return Math.min(expected, (least(gaps) ?? Infinity) - 1);
  }
  const below = gaps.at(-1) ?? Infinity;
  return most(trials.flatMap(({ isRead, gap }) => (isRead && gap < below ? [gap] : [])));
}

function most(all: readonly number[]): number | null {
  return all.length === 0 ? null : Math.max(...all);
}

function least(all: readonly number[]): number | null {
  return all.length === 0 ? null : Math.min(...all);
}
