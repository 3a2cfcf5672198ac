import { commonLength } from '../cache/prefixIds.js';
import { estimatedSize, judged, reportedSize, trialOf, type Candidate, type PrefixUse } from './candidates.js';
import { toldBy, type Told } from './told.js';
import type { Trial, TrialSource, WatchedRequest } from './trial.js';

/** Requests that are remembered: as many as are sent within the lifetime of a cache, and few enough to compare each with all. */
const MOST_KEPT = 100;

/** The largest step of the caches that are known. In tokens. */
const STEP = 256;

interface Kept extends PrefixUse {
  readonly prefixes: readonly string[];
  /** The whole input, as the provider counts; null where it does not say. */
  readonly tokens: number | null;
}

/** What requests to a cache that works unasked tell: whether what they begin with in common with earlier ones was read. */
export class AutomaticTrials implements TrialSource {
  #kept: readonly Kept[] = [];
  #lostAt = -Infinity;

  take(request: WatchedRequest): readonly Trial[] {
    const told = toldBy(request.usage);
    const trials = told === null ? [] : this.#trials(request, told);
    const { at, endedAt, parts } = request;
    const kept = { prefixes: parts.map(({ prefix }) => prefix), at, endedAt, isCertain: told !== null, tokens: told?.input ?? null };
    this.#kept = [...this.#kept, kept].slice(-MOST_KEPT);
    return trials;
  }

  #trials(request: WatchedRequest, told: Told): readonly Trial[] {
    return judged(this.#candidates(request, told), told.read).flatMap((each) => {
      const trial = trialOf(each, request, told, this.#lostAt);
      if (trial !== null && !each.isServed) {
        this.#lostAt = request.at;
      }
      return trial ?? [];
    });
  }

  /** What the request begins with in common with earlier ones, the longest first. Each that holds a prefix has used it. */
  #candidates({ parts }: WatchedRequest, { input }: Told): readonly Candidate[] {
    const found = this.#kept.map((kept) => ({ kept, length: commonLength(kept.prefixes, parts) })).filter(({ length }) => length > 0);
    const counted = parts.reduce((sum, { tokens }) => sum + tokens, 0);
    const scale = input === null || counted === 0 ? 1 : input / counted;
    return [...new Set(found.map(({ length }) => length))]
      .toSorted((a, b) => b - a)
      .map((length) => {
        const whole = found.findLast(({ kept }) => kept.prefixes.length === length && kept.tokens !== null);
        const tokens = parts.slice(0, length).reduce((sum, part) => sum + part.tokens, 0) * scale;
        const uses = found.filter((each) => each.length >= length).map(({ kept }) => kept);
        const size = typeof whole?.kept.tokens === 'number' ? reportedSize(whole.kept.tokens, STEP) : estimatedSize(tokens, STEP);
        return { ...size, asked: null, given: null, uses, isReachable: true };
      });
  }
}
