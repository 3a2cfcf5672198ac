import type { Ttl } from '../cache/cacheRules.js';
import type { Told } from './told.js';
import type { Trial, WatchedRequest } from './trial.js';

/** A time at which a prefix was written or read, or may have been. */
export interface PrefixUse {
  /** When the request was sent; from then on its lifetime counts. */
  readonly at: number;
  /** When its answer was whole. */
  readonly endedAt: number;
  /** Whether the provider has said so. */
  readonly isCertain: boolean;
}

/** The size of a prefix as the provider counts. */
export interface PrefixSize {
  readonly tokens: number;
  /** By how many tokens a size that is reported for it may differ. */
  readonly margin: number;
}

/** A prefix of a request that the cache may have. */
export interface Candidate extends PrefixSize {
  readonly asked: Ttl | null;
  readonly given: Ttl | null;
  readonly uses: readonly PrefixUse[];
  /** Whether the provider must find it if it is there. */
  readonly isReachable: boolean;
}

/** Sizes of parts are spread over a request in proportion. */
const ESTIMATE = 0.1;
/** What is added to and beside a prefix on the wire. */
const FRAMING = 32;
/** A size that was reported before is reported again, but for a little that some add. */
const REPORTED = 0.01;

/** A size that is worked out of the whole request's. `step` is that of the cache, in tokens. */
export function estimatedSize(tokens: number, step: number): PrefixSize {
  return { tokens, margin: tokens * ESTIMATE + FRAMING + step };
}

/** A size that the provider reported. */
export function reportedSize(tokens: number, step: number): PrefixSize {
  return { tokens, margin: tokens * REPORTED + FRAMING + step };
}

/** What is read of a prefix beside the reach of a shorter one is some of it: it is neither served nor gone. Less than half of it is gone. */
const MOST_OF_LOST = 0.5;

/** A candidate and whether it was served. */
export interface Judged<T extends Candidate> {
  readonly candidate: T;
  readonly isServed: boolean;
}

/**
 * Which prefixes were served, and which were gone, by what was read: the one whose size comes nearest was served, and the longer ones were
 * gone, unless they are as long within what sizes may differ. Where the size fits none something was read that nobody here has sent.
 */
export function judged<T extends Candidate>(longestFirst: readonly T[], read: number): readonly Judged<T>[] {
  const distance = ({ tokens }: PrefixSize): number => Math.abs(tokens - read);
  const near = longestFirst.filter((each) => read > 0 && distance(each) <= each.margin);
  const served = near.reduce<T | null>((best, each) => (best === null || distance(each) < distance(best) ? each : best), null);
  const longer = longestFirst.filter((each) => each.tokens - each.margin > read && each.isReachable);
  const gone = longer.filter(({ tokens }) => served !== null || read < tokens * MOST_OF_LOST);
  return [
    ...gone.map((candidate) => ({ candidate, isServed: false })),
    ...(served === null ? [] : [{ candidate: served, isServed: true }]),
  ];
}

/**
 * The trial of a candidate; null where it proves nothing. The gap is the one that proves least: of a prefix that was served, since it may
 * last have been used; of one that was gone, since it was surely used by a request that was answered by then. What was used before
 * `lostAt`, when another prefix was found gone, may have gone with it: a provider that drops all it has, once, would be as many
 * losses as there are chats.
 */
export function trialOf(
  { candidate, isServed }: Judged<Candidate>,
  { at, chatId, attemptId }: WatchedRequest,
  { read }: Told,
  lostAt: number,
): Trial | null {
  const { uses, asked, given, tokens } = candidate;
  const counted = isServed ? uses : uses.filter(({ isCertain, endedAt }) => isCertain && endedAt <= at);
  const usedAt = counted.reduce((latest, use) => Math.max(latest, use.at), -Infinity);
  if (usedAt === -Infinity || (!isServed && usedAt < lostAt)) {
    return null;
  }
  return { at, chatId, attemptId, asked, given, gap: at - usedAt, tokens, isServed, lost: isServed ? 0 : Math.max(0, tokens - read) };
}
