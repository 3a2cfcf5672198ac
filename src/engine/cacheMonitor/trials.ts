import { inputTokens, type Figure, type Usage } from '../model/usage.js';
import { minimumTokensOf, type CacheRules, type Ttl } from '../model/cacheRules.js';
import type { CacheUse } from '../model/providerCache.js';
import type { AnsweredRequest } from '../cache/expectedCache.js';
import { commonLength } from '../cache/prefixIds.js';
import { reportedLifetimes } from '../cache/toldLifetimes.js';

/** An answered request, and where it is recorded. */
export interface MonitoredRequest extends AnsweredRequest {
  /** When the reply was complete, in epoch milliseconds. */
  readonly endedAt: number;
  readonly chatId: string;
  readonly attemptId: string;
  /** The parameters that, together with the prompt, decide which cache entries the request can read. */
  readonly parameters: string;
}

/** A test of the cache: whether it contained the longest prefix that a request shares with an earlier request. */
export interface Trial extends Pick<MonitoredRequest, 'at' | 'chatId' | 'attemptId'> {
  /** The lifetime that the write of the prefix requested; null when the cache works without breakpoints. */
  readonly asked: Ttl | null;
  /** The lifetime that the provider reported for the prefix; equal to `asked` without a report. */
  readonly given: Ttl | null;
  /** Milliseconds since the prefix was last used. */
  readonly gap: number;
  readonly tokens: number;
  readonly isRead: boolean;
  /** Tokens of the prefix that were not read; 0 when the prefix was read. */
  readonly lost: number;
  /** How the provider billed the lost tokens. */
  readonly billed: CacheUse;
}

/** What a provider reported about its cache for a request, in tokens. */
interface ReportedCache {
  readonly read: number;
  /** Written tokens; null when the provider does not report writes. */
  readonly written: number | null;
  /** Tokens of the whole input; null when not reported. */
  readonly input: number | null;
}

/** A prefix that a request may have left in the cache. `length` is the number of its parts. */
interface StoredPrefix extends Pick<Trial, 'asked' | 'given'> {
  readonly length: number;
  /** Tokens of the prefix, as the provider reported them; null without a report. */
  readonly tokens: number | null;
}

interface SentRequest extends Pick<MonitoredRequest, 'at' | 'endedAt' | 'parameters'> {
  readonly prefixes: readonly string[];
  /** The prefixes at the breakpoints of the request. For a cache without breakpoints, the whole request. */
  readonly stored: readonly StoredPrefix[];
  readonly isReported: boolean;
}

interface SharedPrefix extends StoredPrefix {
  readonly sent: SentRequest;
}

/** Number of requests to keep: about as many as are sent within the lifetime of a cache entry. */
const MOST_SENT = 100;

/** Tolerances for the size of a prefix. `ESTIMATED` and `REPORTED` are shares of the size. The other two are tokens. */
const ESTIMATED = 0.1;
const REPORTED = 0.01;
const FRAMING_TOKENS = 32;
const STEP_TOKENS = 256;

/** Prefixes below the cache's minimum size times this factor are ignored: the provider may count them as too small. */
const MINIMUM_EDGE = 1.25;

/** Compares each request with earlier requests. Pass requests in the order of sending. */
export class Trials {
  readonly #rules: CacheRules;
  #sent: readonly SentRequest[] = [];

  constructor(rules: CacheRules) {
    this.#rules = rules;
  }

  /** Returns the cache test of a request, or null when the reported usage proves nothing. */
  take(request: MonitoredRequest): Trial | null {
    const reported = reportedCache(request.usage);
    const shared = reported === null ? [] : this.#longestShared(request);
    const trial = reported === null ? null : this.#trialOf(shared, request, reported);
    if (trial?.isRead === false) {
      const lost = new Set(shared.map(({ sent }) => sent));
      this.#sent = this.#sent.filter((each) => !lost.has(each));
    }
    const { at, endedAt, parts, parameters } = request;
    const stored = this.#storedBy(request, reported);
    const sent = { prefixes: parts.prefixes, at, endedAt, parameters, stored, isReported: reported !== null };
    this.#sent = [...this.#sent, sent].slice(-MOST_SENT);
    return trial;
  }

  /** Whether a request had no cache read or write, despite breakpoints and enough tokens. Null when unknown. */
  isRefused({ parts, usage }: MonitoredRequest): boolean | null {
    const reported = reportedCache(usage);
    const last = parts.breakpoints.at(-1)?.at ?? -1;
    if (this.#rules.kind !== 'marks' || reported === null || reported.written === null || last === -1) {
      return null;
    }
    if (reported.read + reported.written > 0) {
      return false;
    }
    return sizeUpTo(last + 1, parts, reported) >= this.#rules.minimumTokens * MINIMUM_EDGE ? true : null;
  }

  /** Returns the longest prefix shared with earlier requests: one entry per request that shares it, oldest first. */
  #longestShared({ parts, parameters }: MonitoredRequest): readonly SharedPrefix[] {
    const ends = parts.breakpoints.map(({ at }) => at + 1);
    const all = this.#sent.flatMap((sent) => {
      if (sent.parameters !== parameters) {
        return [];
      }
      const prefix = this.#sharedWith(sent, commonLength(sent.prefixes, parts.prefixes), ends);
      return prefix === null ? [] : [{ ...prefix, sent }];
    });
    const longest = all.reduce((most, { length }) => Math.max(most, length), 1);
    return all.filter(({ length }) => length === longest);
  }

  /** Returns the prefix of a sent request that a new request with breakpoints at `ends` can read. */
  #sharedWith({ stored }: SentRequest, common: number, ends: readonly number[]): StoredPrefix | null {
    if (this.#rules.kind !== 'marks') {
      return stored.find(({ length }) => length === common) ?? { length: common, tokens: null, asked: null, given: null };
    }
    const { lookBack } = this.#rules;
    const isReachable = (length: number): boolean => ends.some((end) => end >= length && (lookBack === null || end - length < lookBack));
    return stored.findLast(({ length }) => length <= common && isReachable(length)) ?? null;
  }

  #trialOf(shared: readonly SharedPrefix[], request: MonitoredRequest, reported: ReportedCache): Trial | null {
    const { at, chatId, attemptId, parts } = request;
    const latest = shared.at(-1);
    if (latest === undefined) {
      return null;
    }
    const { asked, given, length } = latest;
    const known = shared.findLast(({ tokens }) => tokens !== null)?.tokens ?? null;
    const tokens = known ?? sizeUpTo(length, parts, reported);
    const isRead = wasRead({ tokens, isReported: known !== null, isEntry: asked !== null }, reported.read);
    if (isRead === null || tokens < minimumTokensOf(this.#rules) * MINIMUM_EDGE) {
      return null;
    }
    const usedAt = isRead ? this.#lastUse(length, parts) : lastStored(shared, at);
    const lost = isRead ? 0 : tokens - reported.read;
    const billed = billedFor(lost, request, reported);
    return usedAt === null ? null : { at, chatId, attemptId, asked, given, gap: at - usedAt, tokens, isRead, lost, billed };
  }

  /** Returns when the prefix of this length was last sent; null when never. */
  #lastUse(length: number, parts: MonitoredRequest['parts']): number | null {
    return this.#sent.findLast(({ prefixes }) => prefixes[length - 1] === parts.prefixes[length - 1])?.at ?? null;
  }

  #storedBy({ parts, parameters, usage }: MonitoredRequest, reported: ReportedCache | null): readonly StoredPrefix[] {
    if (this.#rules.kind !== 'marks') {
      return [{ length: parts.ends.length, tokens: reported?.input ?? null, asked: null, given: null }];
    }
    const given = new Map(reportedLifetimes(parts.breakpoints, usage).map(({ asked, actual }) => [asked, actual]));
    const marked = parts.breakpoints.map(
      ({ at, ttl }): StoredPrefix => ({ length: at + 1, tokens: null, asked: ttl, given: given.get(ttl) ?? ttl }),
    );
    const { written } = reported ?? { written: null };
    if (reported === null || written === null) {
      return marked;
    }
    const covered = reported.read + written;
    const reaches = ({ length }: StoredPrefix, tokens: number): boolean =>
      tokens > 0 && sizeUpTo(length, parts, reported) * (1 - ESTIMATED) - FRAMING_TOKENS <= tokens;
    return marked.flatMap((each) => {
      const isLast = each.length === marked.at(-1)?.length;
      const mayBeRead = isLast ? written === 0 : reaches(each, reported.read);
      const entry = mayBeRead ? this.#entryAt(each.length, { parts, parameters }) : each;
      return entry === null || !reaches(each, covered) ? [] : [isLast ? { ...entry, tokens: covered } : entry];
    });
  }

  /** Returns the entry at a prefix as it was written: a read does not change its lifetime. Null when unknown. */
  #entryAt(length: number, { parts, parameters }: Pick<MonitoredRequest, 'parts' | 'parameters'>): StoredPrefix | null {
    const entries = this.#sent.flatMap((sent) =>
      sent.parameters === parameters && sent.prefixes[length - 1] === parts.prefixes[length - 1]
        ? sent.stored.filter((each) => each.length === length)
        : [],
    );
    return entries.at(-1) ?? null;
  }
}

interface PrefixSize {
  readonly tokens: number;
  readonly isReported: boolean;
  /** Whether the prefix ends at a breakpoint. Providers read the entry at a breakpoint as a whole or not at all. */
  readonly isEntry: boolean;
}

/** Whether the provider read a prefix from its cache. Null when only a part of the prefix may have been read. */
function wasRead({ tokens, isReported, isEntry }: PrefixSize, read: number): boolean | null {
  const margin = tokens * (isReported ? REPORTED : ESTIMATED) + FRAMING_TOKENS + (isEntry ? 0 : STEP_TOKENS);
  if (read > 0 && read >= tokens - margin) {
    return true;
  }
  return (isReported && isEntry) || read < tokens / 2 ? false : null;
}

/** Returns the time of the latest request that stored the prefix and was complete at `by`, or null. */
function lastStored(shared: readonly SharedPrefix[], by: number): number | null {
  return shared.findLast(({ sent }) => sent.isReported && sent.endedAt <= by)?.sent.at ?? null;
}

/** Returns null when the provider reported nothing about its cache. Figures that Loupe counted are ignored. */
function reportedCache(usage: Usage | null): ReportedCache | null {
  const read = reportedFigure(usage?.cacheReadInputTokens ?? null);
  const written = reportedFigure(usage?.cacheCreationInputTokens ?? null);
  return usage === null || (read === null && written === null) ? null : { read: read ?? 0, written, input: inputTokens(usage) };
}

function reportedFigure(figure: Figure | null): number | null {
  return figure?.source === 'reported' && figure.value >= 0 ? figure.value : null;
}

/**
 * Returns how a request was billed for the `lost` tokens after the tokens that it read. As in `providerCache.ts`, the
 * provider writes for an hour up to the last 1-hour breakpoint, then for less. The rest of the input is uncached.
 */
function billedFor(lost: number, { parts, usage }: MonitoredRequest, reported: ReportedCache): CacheUse {
  const hourMark = parts.breakpoints.findLast(({ ttl }) => ttl === '1h');
  const written = Math.min(lost, reported.written ?? (parts.breakpoints.length === 0 ? 0 : lost));
  const hour = usage?.cacheCreation?.oneHour ?? (hourMark === undefined ? 0 : sizeUpTo(hourMark.at + 1, parts, reported) - reported.read);
  const written1h = Math.min(written, Math.max(0, hour));
  return { read: 0, written5m: written - written1h, written1h, fresh: lost - written };
}

/** Tokens of the first `length` parts, in proportion to the input that the provider reported. */
function sizeUpTo(length: number, { ends }: MonitoredRequest['parts'], { input }: ReportedCache): number {
  const counted = ends.at(-1) ?? 0;
  const scale = input === null || counted === 0 ? 1 : input / counted;
  return (ends[length - 1] ?? 0) * scale;
}
