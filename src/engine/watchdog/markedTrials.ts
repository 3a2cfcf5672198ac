import { TTLS, type MarkedCache, type Ttl } from '../cache/cacheRules.js';
import { toldLifetimes } from '../cache/toldLifetimes.js';
import { estimatedSize, judged, reportedSize, trialOf, type Candidate, type PrefixSize, type PrefixUse } from './candidates.js';
import { toldBy, type Told } from './told.js';
import type { Trial, TrialSource, WatchedRequest } from './trial.js';

/** The end of a prefix in a request that was asked to be kept. */
interface Entry extends PrefixSize {
  /** Of its last part. */
  readonly index: number;
  readonly prefix: string;
  readonly asked: Ttl;
  /** See `Trial`. */
  readonly given: Ttl;
  readonly uses: readonly PrefixUse[];
}

type Mark = Omit<Entry, 'uses'>;

interface Sought extends Candidate {
  readonly entry: Entry;
}

/** Breakpoints are read to the token. */
const STEP = 0;

/** Entries that are remembered: each request has at most a handful of breakpoints. */
const MOST_ENTRIES = 1_000;

/** Uses of an entry that are remembered: the latest count, and those that were under way at the same time. */
const MOST_USES = 8;

/** What requests with breakpoints tell: whether a prefix that was asked to be kept was read again, and whether it was taken at all. */
export class MarkedTrials implements TrialSource {
  readonly #rules: MarkedCache;
  /** By prefix, the latest written last. */
  readonly #entries = new Map<string, Entry>();
  /** When an entry was last found gone, by what was asked. */
  readonly #lostAt = new Map<Ttl, number>(TTLS.map((ttl) => [ttl, -Infinity]));

  constructor(rules: MarkedCache) {
    this.#rules = rules;
  }

  take(request: WatchedRequest): readonly Trial[] {
    const told = toldBy(request.usage);
    const held = this.#heldBy(request);
    if (told === null) {
      for (const { entry } of held) {
        this.#use(entry, request, false);
      }
      return [];
    }
    const marks = marksOf(request, told);
    const all = judged(this.#sought(held, marks), told.read);
    const trials = all.flatMap((each) => {
      const lostAt = this.#lostAt.get(each.candidate.entry.asked) ?? -Infinity;
      const trial = trialOf(each, request, told, lostAt);
      if (trial !== null && !each.isServed) {
        this.#lostAt.set(each.candidate.entry.asked, request.at);
      }
      return trial ?? [];
    });
    this.#remember(request, { told, marks, held, all });
    return [...trials, ...takenTrial(request, told, marks)];
  }

  /** The known entries that a request begins with, the longest first. */
  #heldBy({ parts }: WatchedRequest): readonly Omit<Sought, 'isReachable'>[] {
    return [...this.#entries.values()]
      .filter(({ index, prefix }) => parts[index]?.prefix === prefix)
      .map((entry) => ({ entry, ...entry }))
      .toSorted((a, b) => b.entry.index - a.entry.index);
  }

  #sought(held: readonly Omit<Sought, 'isReachable'>[], marks: readonly Mark[]): readonly Sought[] {
    const { lookBack } = this.#rules;
    const isReachable = (index: number): boolean =>
      marks.some((mark) => mark.index >= index && (lookBack === null || mark.index - index < lookBack));
    return held.map((each) => ({ ...each, isReachable: isReachable(each.entry.index) }));
  }

  #remember(
    request: WatchedRequest,
    {
      told,
      marks,
      held,
      all,
    }: {
      readonly told: Told;
      readonly marks: readonly Mark[];
      readonly held: readonly Pick<Sought, 'entry'>[];
      readonly all: readonly { readonly candidate: Sought; readonly isServed: boolean }[];
    },
  ): void {
    const gone = new Set(all.filter(({ isServed }) => !isServed).map(({ candidate }) => candidate.entry.prefix));
    const served = new Set(all.filter(({ isServed }) => isServed).map(({ candidate }) => candidate.entry.prefix));
    for (const { entry } of held) {
      if (gone.has(entry.prefix)) {
        this.#entries.delete(entry.prefix);
      } else {
        // Providers do not say whether what stands within the part that is read is used, too.
        this.#use(served.has(entry.prefix) ? { ...entry, ...reportedSize(told.read, STEP) } : entry, request, served.has(entry.prefix));
      }
    }
    for (const mark of marks.filter((each) => isTaken(each, told, this.#rules))) {
      if (!served.has(mark.prefix)) {
        this.#put({ ...mark, uses: [useBy(request, true)] });
      }
    }
  }

  #use(entry: Entry, request: WatchedRequest, isCertain: boolean): void {
    this.#put({ ...entry, uses: [...entry.uses, useBy(request, isCertain)].slice(-MOST_USES) });
  }

  #put(entry: Entry): void {
    this.#entries.delete(entry.prefix);
    this.#entries.set(entry.prefix, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MOST_ENTRIES && oldest !== undefined) {
      this.#entries.delete(oldest);
    }
  }
}

function useBy({ at, endedAt }: WatchedRequest, isCertain: boolean): PrefixUse {
  return { at, endedAt, isCertain };
}

/** The breakpoints of a request with the tokens before them, as the provider counts: of the last one it says so. */
function marksOf({ parts, usage }: WatchedRequest, { read, written, input }: Told): readonly Mark[] {
  const counted = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  const scale = input === null || counted === 0 ? 1 : input / counted;
  const given = new Map(toldLifetimes(parts, usage).map(({ asked, told }) => [asked, told]));
  let upTo = 0;
  const marks = parts.flatMap(({ prefix, tokens, mark }, index): Mark[] => {
    upTo += tokens;
    return mark === null ? [] : [{ index, prefix, asked: mark, given: given.get(mark) ?? mark, ...estimatedSize(upTo * scale, STEP) }];
  });
  const covered = read + (written ?? 0);
  return marks.map((mark, at) => (at === marks.length - 1 && (written ?? 0) > 0 ? { ...mark, ...reportedSize(covered, STEP) } : mark));
}

/** Whether a breakpoint has an entry now that was not read. */
function isTaken({ tokens, margin }: Mark, { read, written }: Told, { minimumTokens }: MarkedCache): boolean {
  if (written === null) {
    return tokens > read && tokens >= minimumTokens;
  }
  return written > 0 && tokens > read && tokens - margin <= read + written;
}

/** What was taken, or was not though it was asked to be. */
function takenTrial({ at, chatId, attemptId }: WatchedRequest, { read, written }: Told, marks: readonly Mark[]): readonly Trial[] {
  const last = marks.at(-1);
  if (last === undefined || written === null || (read > 0 && written === 0)) {
    return [];
  }
  const isServed = written > 0;
  const { tokens, asked } = last;
  return [{ at, chatId, attemptId, asked, given: asked, gap: 0, tokens, isServed, lost: 0 }];
}
