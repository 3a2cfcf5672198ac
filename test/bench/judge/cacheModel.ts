import { FRESH_PRICE, type BreakpointRules } from './cacheRules.js';
import type { Block, ChatRequest, Ttl } from './content.js';

/** What a request costs: its tokens, none counted twice, and their price in tokens of uncached input. */
export interface Bill {
  readonly read: number;
  readonly written5m: number;
  readonly written1h: number;
  readonly fresh: number;
  readonly cost: number;
}

interface Entry {
  readonly ttl: Ttl;
  /** The last second in which it can be read. */
  readonly until: number;
}

/** A breakpoint whose prefix is long enough to be cached. */
interface Mark {
  readonly at: number;
  readonly ttl: Ttl;
}

/** The hit of a request: the index of its last block, -1 without one; its tokens; the time to live of its entry. */
interface Hit {
  readonly at: number;
  readonly tokens: number;
  readonly ttl: Ttl | null;
}

/**
 * A cache with explicit breakpoints, after Anthropic's "Prompt caching":
 *
 * - Entries are prefixes. They are written at breakpoints only, from the minimum of tokens on.
 * - From each breakpoint, the last one first, up to `lookBack` positions are looked at, itself included, for a live entry that an
 *   earlier request wrote. The first one found is read.
 * - Billing ("Mixing different TTLs"): A is the end of what is read, B the last breakpoint of an hour behind A or else A, C the last
 *   breakpoint or else B. Up to A is read, from A to B written for an hour, from B to C for five minutes; the rest is input.
 *
 * Where the documentation is silent: a reading renews the entry read and those at the breakpoints of the request, not other shorter
 * ones. A breakpoint of an hour before the end of a hit of five minutes is not billed, so its entry lives for five minutes.
 * No entry is dropped before its time, and requests do not overlap.
 */
export class BreakpointCache {
  readonly #rules: BreakpointRules;
  readonly #prefixes = new Prefixes();
  /** By the number of their prefix. */
  readonly #entries = new Map<number, Entry>();

  constructor(rules: BreakpointRules) {
    this.#rules = rules;
  }

  /** Takes a request at `at` seconds, which never go back. Throws where the provider answers with status 400: too many breakpoints, or one of an hour after one of five minutes. */
  bill(blocks: readonly Block[], at: number, model: ChatRequest['model']): Bill {
    const prefixes = this.#prefixes.of(blocks, model);
    const ends = endsOf(blocks);
    const marks = this.#marksOf(blocks, ends);
    const hitAt = this.#hit(prefixes, marks, at);
    const hit: Hit = { at: hitAt, tokens: ends[hitAt] ?? 0, ttl: this.#live(prefixes[hitAt], at)?.ttl ?? null };
    this.#write(prefixes, marks, hit, at);
    const endOf = (ofTtl: readonly Mark[]): number => Math.max(hit.tokens, ...ofTtl.map((mark) => ends[mark.at] ?? 0));
    const hourEnd = endOf(marks.filter(({ ttl }) => ttl === '1h'));
    const lastEnd = endOf(marks);
    return this.#priced({
      read: hit.tokens,
      written5m: lastEnd - hourEnd,
      written1h: hourEnd - hit.tokens,
      fresh: totalOf(ends) - lastEnd,
    });
  }

  #marksOf(blocks: readonly Block[], ends: readonly number[]): readonly Mark[] {
    const asked = blocks.flatMap(({ breakpoint }, at): Mark[] => (breakpoint === null ? [] : [{ at, ttl: breakpoint }]));
    if (asked.length > this.#rules.mostBreakpoints) {
      throw new RangeError(`400: a request has ${String(asked.length)} breakpoints.`);
    }
    if (asked.some(({ ttl }, at) => ttl === '1h' && asked[at - 1]?.ttl === '5m')) {
      throw new RangeError('400: a breakpoint of an hour follows one of five minutes.');
    }
    return asked.filter(({ at }) => (ends[at] ?? 0) >= this.#rules.minimumTokens);
  }

  /** The index of the last block that is read; -1 for none. */
  #hit(prefixes: readonly number[], marks: readonly Mark[], now: number): number {
    for (const mark of marks.toReversed()) {
      const from = Math.max(0, mark.at - this.#rules.lookBack + 1);
      for (let at = mark.at; at >= from; at -= 1) {
        if (this.#live(prefixes[at], now) !== null) {
          return at;
        }
      }
    }
    return -1;
  }

  #live(prefix: number | undefined, now: number): Entry | null {
    const entry = prefix === undefined ? undefined : this.#entries.get(prefix);
    return entry !== undefined && entry.until >= now ? entry : null;
  }

  #write(prefixes: readonly number[], marks: readonly Mark[], hit: Hit, now: number): void {
    const ttls = new Map<number, Ttl>();
    for (const { at, ttl } of marks) {
      const isUnbilled = at <= hit.at && hit.ttl === '5m';
      ttls.set(at, this.#live(prefixes[at], now)?.ttl ?? (isUnbilled ? '5m' : ttl));
    }
    if (hit.ttl !== null) {
      ttls.set(hit.at, hit.ttl);
    }
    for (const [at, ttl] of ttls) {
      this.#entries.set(prefixes[at] ?? NaN, { ttl, until: now + this.#rules.lifetimes[ttl].seconds });
    }
  }

  #priced(tokens: Omit<Bill, 'cost'>): Bill {
    const { lifetimes, read } = this.#rules;
    const written = tokens.written5m * lifetimes['5m'].write + tokens.written1h * lifetimes['1h'].write;
    return { ...tokens, cost: tokens.read * read + written + tokens.fresh * FRESH_PRICE };
  }
}

/** Numbers for prefixes: equal for requests to one model that are equal up to there. */
class Prefixes {
  readonly #numbers = new Map<string, number>();

  /** One for each block: the prefix that ends with it. */
  of(blocks: readonly Block[], model: ChatRequest['model']): readonly number[] {
    let prefix = this.#numberOf(model);
    return blocks.map(({ hash }) => (prefix = this.#numberOf(`${String(prefix)} ${hash}`)));
  }

  #numberOf(key: string): number {
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    return number;
  }
}

/** The tokens up to the end of each block. */
function endsOf(blocks: readonly Block[]): readonly number[] {
  let sum = 0;
  return blocks.map(({ tokens }) => (sum += tokens));
}

function totalOf(ends: readonly number[]): number {
  return ends.at(-1) ?? 0;
}
