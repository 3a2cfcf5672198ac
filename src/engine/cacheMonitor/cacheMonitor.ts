import { ASKED_LIFETIMES, type AutomaticCache, type CacheRules, type Lifetimes, type Ttl } from '../model/cacheRules.js';
import { OtherLifetimes, type OtherLifetime } from './otherLifetimes.js';
import { Trials, type MonitoredRequest, type Trial } from './trials.js';

/** What the reported usage shows about the cache of a model. */
export interface Observations {
  /** One for each lifetime that was requested and observed. */
  readonly findings: readonly Finding[];
  readonly otherLifetimes: readonly OtherLifetime[];
  /** The latest requests in a row that asked for a cache entry, but neither read nor wrote one. Empty for only one. */
  readonly refused: readonly MonitoredRequest[];
}

/** Observations of one lifetime. */
export interface Finding {
  /** The requested lifetime; null when the cache works without breakpoints. */
  readonly asked: Ttl | null;
  /** The lifetime by the rules, in ms; null when unknown. */
  readonly expected: number | null;
  /** How many prefixes were sent again, and how many of them were read. */
  readonly all: number;
  readonly read: number;
  /** The longest time in ms after which a prefix was still read; null without a read. */
  readonly lived: number | null;
  /** The shortest time in ms beyond `lived` after which a prefix was no longer cached; null without a loss. */
  readonly gone: number | null;
  /** How many prefixes were sent again within their lifetime, and which of them were lost. */
  readonly inTime: number;
  readonly early: readonly Trial[];
  /** Whether the latest request lost a prefix within its lifetime, in a cache that is known to exist. */
  readonly isLatestEarly: boolean;
  /** The lifetime that forecasts use, in ms; null when unknown. */
  readonly lifetime: number | null;
  /** Tokens of the smallest prefix that was read; null without a read. */
  readonly smallestRead: number | null;
}

/** The rules of a cache, corrected by observations. */
export interface ObservedRules {
  readonly rules: CacheRules;
  /** Real lifetimes of entries at breakpoints. */
  readonly lifetimes: Lifetimes;
}

/** The number of trials per lifetime that count. Older ones say little about today. */
const MOST_TRIALS = 100;

/** A loss within this share of the lifetime is early. The rest allows for clock differences and network delays. */
const SURELY_IN_TIME = 0.9;

/** One refusal proves nothing: some servers write without reporting it, and the next request reads. */
const FEWEST_REFUSED = 2;

/** The step of a cache with unknown rules, in tokens: forecasts use the full length of a prefix that was read. */
const UNKNOWN_STEP = 1;

/** Learns from reported usage how the cache of a model behaves. Requests must come in the order of sending. */
export class CacheMonitor implements Observations {
  readonly #rules: CacheRules;
  readonly #source: Trials;
  /** By the requested lifetime. */
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
    if (request.parts.every(({ breakpoint }) => breakpoint === null)) {
      this.#refused = [];
    } else if (isRefused !== null) {
      this.#refused = isRefused ? [...this.#refused, request].slice(-MOST_TRIALS) : [];
    }
    const trial = this.#source.take(request);
    this.#latest = trial ?? this.#latest;
    this.#otherLifetimes.take(request, trial);
    // A prefix with another lifetime than requested says nothing about the requested one.
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

  /** The rules that forecasts use. */
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

/** In ms; null when unknown. */
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
  // With unknown rules, a shorter prefix may have been too short to be cached.
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
    // An automatic cache from which nothing was ever read may not exist.
    isLatestEarly: early.length > 0 && early.at(-1) === latest && (asked !== null || read.length > 0),
    lifetime: forecastLifetime(trials, expected),
    smallestRead,
  };
}

function isInTime({ gap }: Trial, expected: number): boolean {
  return gap <= expected * SURELY_IN_TIME;
}

/**
 * Returns the lifetime that forecasts use, in ms:
 *
 * - The expected lifetime, when no prefix was lost early. It also applies once a later prefix was read after at least
 *   as long a time as in the latest early loss.
 * - After an early loss: the longest time below that loss after which a prefix was read, or 0.
 * - Without an expected lifetime, any loss counts as early. The longest observed time applies, or null.
 */
function forecastLifetime(trials: readonly Trial[], expected: number | null): number | null {
  const lost = trials.findLast((trial) => !trial.isRead && (expected === null || isInTime(trial, expected)));
  const isBack = lost === undefined || trials.slice(trials.lastIndexOf(lost)).some(({ isRead, gap }) => isRead && gap >= lost.gap);
  if (isBack && expected !== null) {
    return expected;
  }
  const lived = most(trials.flatMap(({ isRead, gap }) => (isRead && (isBack || gap < lost.gap) ? [gap] : [])));
  return lived ?? (expected === null ? null : 0);
}

function most(all: readonly number[]): number | null {
  return all.length === 0 ? null : Math.max(...all);
}

function least(all: readonly number[]): number | null {
  return all.length === 0 ? null : Math.min(...all);
}
