import { type CacheUse, type PendingUse, type Prefix, Prefixes, type Prompt, type PromptBlock, totalTokens, type Ttl } from './prompt.js';

// The cache of Anthropic's "Prompt caching" (https://platform.claude.com/docs/en/build-with-claude/prompt-caching).
// Quotations are from there.

/** "a 5-minute lifetime", "a 1-hour cache duration". In ms. */
const LIFETIME: Readonly<Record<Ttl, number>> = { '5m': 5 * 60_000, '1h': 60 * 60_000 };

export interface MarkedCacheRules {
  /** "Shorter prompts cannot be cached, even if marked": tokens of the whole prefix. */
  readonly minimumTokens: number;
  /** "The system checks at most 20 positions per breakpoint, counting the breakpoint itself as the first." */
  readonly lookback: number;
  /**
   * "On the Claude API, a run of consecutive tool_use blocks counts as one position, and so does a run of consecutive
   * tool_result blocks." False for platforms that count each block.
   */
  readonly toolRunsShareAPosition: boolean;
  /** The real lifetimes in ms. Default: as documented. */
  readonly lifetimes?: Readonly<Record<Ttl, number>>;
  /** The lifetime that a mark really gets and is billed for, by the requested one. Default: as requested. */
  readonly given?: Readonly<Record<Ttl, Ttl>>;
}

interface Entry {
  readonly ttl: Ttl;
  /** The last ms in which it can be read. */
  expires: number;
}

interface Mark extends Prefix {
  readonly index: number;
  readonly ttl: Ttl;
}

/** Entries that earlier requests wrote at their marks. */
export class MarkedCache {
  private readonly prefixes = new Prefixes();
  private readonly entries = new Map<number, Entry>();

  /**
   * Looks up a prompt. Writes and renewals take effect at `begin`, and count from `now` (ms): "The lifetime is measured
   * from the start of the request that writes or reads the cache entry".
   */
  use(prompt: Prompt, owner: string, rules: MarkedCacheRules, now: number): PendingUse {
    const ends = this.prefixes.of(prompt, owner);
    const marks = marksOf(prompt.blocks, ends)
      .filter(({ tokens }) => tokens >= rules.minimumTokens)
      .map((mark) => ({ ...mark, ttl: rules.given?.[mark.ttl] ?? mark.ttl }));
    const hit = this.longestHit(prompt.blocks, ends, { marks, rules, now });
    return {
      use: bill(marks, hit?.tokens ?? 0, totalTokens(prompt)),
      begin: () => {
        const lifetimes = rules.lifetimes ?? LIFETIME;
        this.refresh(hit?.hash, lifetimes, now);
        this.write(marks, hit, lifetimes, now);
      },
    };
  }

  evict(): void {
    this.entries.clear();
  }

  /**
   * From the last mark backwards, "one block at a time". When the window ends without an entry, "checking stops (or
   * resumes from the next explicit breakpoint, if any)". The first entry found is the longest.
   */
  private longestHit(
    blocks: readonly PromptBlock[],
    ends: readonly Prefix[],
    { marks, rules, now }: { marks: readonly Mark[]; rules: MarkedCacheRules; now: number },
  ): Prefix | null {
    for (const mark of marks.toReversed()) {
      let position = 0;
      for (let index = mark.index; index >= 0; index -= 1) {
        const sameRun = rules.toolRunsShareAPosition && index < mark.index && sharesPosition(blocks[index], blocks[index + 1]);
        position += sameRun ? 0 : 1;
        if (position > rules.lookback) {
          break;
        }
        const end = ends[index];
        if (end !== undefined && this.isAlive(end.hash, now)) {
          return end;
        }
      }
    }
    return null;
  }

  /** "Marking a block with cache_control writes exactly one cache entry." */
  private write(marks: readonly Mark[], hit: Prefix | null, lifetimes: Readonly<Record<Ttl, number>>, now: number): void {
    const read = hit?.tokens ?? 0;
    const hitTtl = hit === null ? undefined : this.entries.get(hit.hash)?.ttl;
    for (const mark of marks) {
      if (mark.tokens > read) {
        this.put(mark.hash, mark.ttl, lifetimes, now);
      } else if (this.isAlive(mark.hash, now)) {
        this.refresh(mark.hash, lifetimes, now);
      } else {
        // Not documented: a 1-hour mark inside a 5-minute hit. It is not billed, so it lives as long as the hit.
        this.put(mark.hash, hitTtl === '5m' ? '5m' : mark.ttl, lifetimes, now);
      }
    }
  }

  /** A parallel request can have written the entry meanwhile: the longer lifetime stays. */
  private put(hash: number, ttl: Ttl, lifetimes: Readonly<Record<Ttl, number>>, now: number): void {
    const present = this.isAlive(hash, now) ? this.entries.get(hash) : undefined;
    const longer = present?.ttl === '1h' ? '1h' : ttl;
    this.entries.set(hash, { ttl: longer, expires: Math.max(present?.expires ?? 0, now + lifetimes[longer]) });
  }

  /**
   * "The cache is refreshed for no additional cost each time the cached content is used." Read narrowly: the entry of
   * the hit and those at the request's own marks, not shorter ones.
   */
  private refresh(hash: number | undefined, lifetimes: Readonly<Record<Ttl, number>>, now: number): void {
    const entry = hash === undefined ? undefined : this.entries.get(hash);
    if (entry !== undefined) {
      entry.expires = Math.max(entry.expires, now + lifetimes[entry.ttl]);
    }
  }

  private isAlive(hash: number, now: number): boolean {
    const entry = this.entries.get(hash);
    return entry !== undefined && entry.expires >= now;
  }
}

function marksOf(blocks: readonly PromptBlock[], ends: readonly Prefix[]): Mark[] {
  return blocks.flatMap(({ mark }, index) => {
    const end = ends[index];
    return mark === null || end === undefined ? [] : [{ ...end, index, ttl: mark }];
  });
}

function sharesPosition(block: PromptBlock | undefined, next: PromptBlock | undefined): boolean {
  return block?.run !== null && block?.run === next?.run;
}

/**
 * "Mixing different TTLs". A: "the token count at the highest cache hit (or 0)". B: "at the highest 1-hour
 * cache_control block after A (or equals A)". C: "at the last cache_control block". Read A; written for an hour B - A;
 * written for five minutes C - B; the tokens after the last breakpoint are `input_tokens`.
 */
function bill(marks: readonly Mark[], a: number, total: number): CacheUse {
  const b = Math.max(a, ...marks.filter(({ ttl }) => ttl === '1h').map(({ tokens }) => tokens));
  const c = Math.max(a, ...marks.map(({ tokens }) => tokens));
  return { read: a, written1h: b - a, written5m: c - b, fresh: total - c };
}
