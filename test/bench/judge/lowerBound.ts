import { FRESH_PRICE, type Lifetime } from './cacheRules.js';
import type { Trace } from './content.js';

/** What a cache takes for a token, and how long it keeps it for that. */
export interface BoundPrices {
  readonly read: number;
  readonly lifetimes: readonly Lifetime[];
  /** Whether a client may ask again in silence, only to keep entries alive. */
  readonly pings: boolean;
  /**
   * Whether a token that is read may live as long as it wants from then on. A provider that bills by A, B and C (`BreakpointCache`)
   * allows that: a breakpoint of an hour behind a hit of five minutes makes an entry of all that stands before it, and only what
   * stands behind the hit is billed. Without it, each token must have been written for the time that it lives.
   */
  readonly raises: boolean;
}

/** A token that several requests hold: what it has cost so far at least, if it is not in the cache, or in it with each lifetime. */
export type TokenCosts = readonly number[];

/**
 * The least that a chat can cost in tokens of uncached input, whatever its requests look like, if each holds all required items whole
 * and once.
 *
 * It is a relaxation: each content is cached by itself, without prefixes, order, minimum, look-back or a limit of breakpoints. For
 * each request that holds it, a token of it is then paid as input (1), is written (w of a lifetime), or is read (r) if it has been
 * kept since the request before. The bound is the sum over all contents c, of n tokens in requests at the times t1 ... tm, of
 *
 *     n(c) * min over the ways to pay of (price(t1) + ... + price(tm))
 *
 * where the least is found by dynamic programming over the times. With pings, a token may also be kept for longer than its lifetime
 * l, for r at each of the ceil(gap / l) - 1 requests that it takes.
 *
 * Without `raises` it is the bound of clients whose breakpoints all ask for the same time to live, and the measure of the bench; one
 * that mixes them well can go below it. A client that sends differences instead of full texts can go below it either way: see
 * `differenceBound`.
 */
export function lowerBound({ requests }: Trace, prices: BoundPrices): number {
  const contents = new Map<string, { readonly tokens: number; readonly times: number[] }>();
  for (const { at, model, items } of requests) {
    for (const { hash, tokens } of items) {
      const key = `${model} ${hash}`;
      const content = contents.get(key) ?? { tokens, times: [] };
      content.times.push(at);
      contents.set(key, content);
    }
  }
  return [...contents.values()].reduce((sum, { tokens, times }) => sum + tokens * leastCost(times, prices), 0);
}

/** The least that one token costs in requests at these times. */
function leastCost(times: readonly number[], prices: BoundPrices): number {
  let costs = notSent(prices);
  for (const [index, at] of times.entries()) {
    costs = sentAgain(costs, at - (times[index - 1] ?? -Infinity), prices);
  }
  return Math.min(...costs);
}

/** The costs of a token that no request has held. */
export function notSent({ lifetimes }: BoundPrices): TokenCosts {
  return [0, ...lifetimes.map(() => Infinity)];
}

/** The costs after one more request holds the token, `gap` seconds after the one before. */
export function sentAgain(costs: TokenCosts, gap: number, prices: BoundPrices): TokenCosts {
  const least = Math.min(...costs);
  const kept = keptFor(costs, gap, prices);
  return [
    least + FRESH_PRICE,
    ...prices.lifetimes.map(({ write }, index) => Math.min(least + write, (kept[index] ?? Infinity) + prices.read)),
  ];
}

/** What a token that is still in the cache after `gap` seconds has cost, for each lifetime; infinite where it cannot be. */
export function keptFor(costs: TokenCosts, gap: number, { read, lifetimes, pings, raises }: BoundPrices): readonly number[] {
  const kept = lifetimes.map(({ seconds }, index) => {
    const spent = costs[index + 1] ?? Infinity;
    if (gap <= seconds) {
      return spent;
    }
    return pings && gap < Infinity ? spent + read * (Math.ceil(gap / seconds) - 1) : Infinity;
  });
  return raises ? kept.map(() => Math.min(...kept)) : kept;
}
