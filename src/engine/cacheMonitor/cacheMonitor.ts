import { ASKED_LIFETIMES, type AutomaticCache, type CacheRules, type Lifetimes, type Ttl } from '../model/cacheRules.js';
import { OtherLifetimes, type OtherLifetime } from './otherLifetimes.js';
import { Trials, type MonitoredRequest, type Trial } from './trials.js';

/** What the reported figures say of the cache of a model. */
export interface Observations {
  /** One for each lifetime that was asked for and observed. */
  readonly findings: readonly Finding[];
  readonly otherLifetimes: readonly OtherLifetime[];
  /** The latest requests in a row that asked for a cache entry, and had none read or written; none where it is only one. */
  readonly refused: readonly MonitoredRequest[];
}

/** What was observed of one lifetime. */
export interface Finding {
  /** The lifetime that was asked for; null where the cache works without breakpoints. */
  readonly asked: Ttl | null;
  /** By the rules, in ms; null when unknown. */
  readonly expected: number | null;
  /** Prefixes that were sent again, and how many of these were read. */
  readonly all: number;
  readonly read: number;
  /** The longest time in ms after which a prefix was read; null for none. */
  readonly lived: number | null;
  /** The shortest time in ms beyond `lived` after which a prefix was gone; null for none. */
  readonly gone: number | null;
  /** How many prefixes were sent again before their time, and which of these were lost. */
  readonly inTime: number;
  readonly early: readonly Trial[];
  /** Whether the latest request lost one before its time, of a cache that is known to be there. */
  readonly isLatestEarly: boolean;
  /** The lifetime that a forecast counts with, in ms; null when unknown. */
  readonly lifetime: number | null;
  /** Tokens of the smallest prefix that was read; null for none. */
  readonly smallestRead: number | null;
}

/** The rules of a cache, corrected by what was observed. */
export interface ObservedRules {
  readonly rules: CacheRules;
  /** How long entries at breakpoints live. */
  readonly lifetimes: Lifetimes;
}

/** The trials of each lifetime that count. What is long ago says little about today. */
const MOST_TRIALS = 100;

/** A prefix that is gone within this share of its lifetime was lost early. Clocks, and the ways to and from the provider, differ. */
const SURELY_IN_TIME = 0.9;

/** The first refusal may be of a server that writes without saying so: its next request reads. */
const FEWEST_REFUSED = 2;

/** The steps of a cache with unknown rules: what was read before is read again as it is. */
const UNKNOWN_STEP = 1;

/** Learns from the reported figures what the cache of a model does. The requests come in the order in which they were sent. */
export class CacheMonitor implements Observations {
  readonly #rules: CacheRules;
  readonly #source: Trials;
  /** By the lifetime that was asked for. */
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
    if (request.parts.every(({ mark }) => mark === null)) {
      this.#refused = [];
    } else if (isRefused !== null) {
      this.#refused = isRefused ? [...this.#refused, request].slice(-MOST_TRIALS) : [];
    }
    const trial = this.#source.take(request);
    this.#latest = trial ?? this.#latest;
    this.#otherLifetimes.take(request, trial);
    // A prefix with another lifetime than was asked for says nothing about the lifetime that was asked for.
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

  /** The rules that a forecast counts with. */
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

interface Asked extends Pick<Finding, 'asked' | 'expected'> {
  readonly latest: Trial | null;
}

function findingOf(taken: readonly Trial[], { asked, expected, latest }: Asked): Finding {
  const smallestRead = least(taken.flatMap(({ isRead, tokens }) => (isRead ? [tokens] : [])));
  // By unknown rules a shorter prefix may have been too short.
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
    // A cache that works unasked and read nothing may not be there.
    isLatestEarly: early.length > 0 && early.at(-1) === latest && (asked !== null || read.length > 0),
    lifetime: forecastLifetime(trials, expected),
    smallestRead,
  };
}

function isInTime({ gap }: Trial, expected: number): boolean {
  return gap <= expected * SURELY_IN_TIME;
}

/**
 * The expected lifetime, unless the latest early loss says less: then the longest time below it after which a prefix was read, until one is
 * read again after as long a time as that loss. Where no lifetime is expected, any loss counts, and the longest time that was observed.
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
