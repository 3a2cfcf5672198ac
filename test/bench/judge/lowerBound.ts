import { ANTHROPIC, FRESH_PRICE } from './cacheRules.js';
import type { Trace } from './content.js';

const LIFETIMES = Object.values(ANTHROPIC.lifetimes);

/**
 * Returns the lowest cost of a chat in tokens of uncached input, for any layout in which each request has all required
 * items whole and once. Each content is cached separately, without prefixes, order, minimum, look-back or a limit of
 * breakpoints. A token of a request is paid as input (1), written (w of a lifetime), or read (r) if it was kept since
 * the request before. The bound is the sum over all contents c, with n tokens in requests at the times t1 ... tm, of
 *
 *     n(c) * min over the ways to pay of (price(t1) + ... + price(tm))
 *
 * The minimum is found by dynamic programming over the times. The bound applies to clients whose breakpoints all have
 * the same lifetime. A client with a good mix of lifetimes, or with differences instead of full texts, can cost less.
 */
export function lowerBound({ requests }: Trace): number {
  const contents = new Map<string, { readonly tokens: number; readonly times: number[] }>();
  for (const { at, model, items } of requests) {
    for (const { hash, tokens } of items) {
      const key = `${model} ${hash}`;
      const content = contents.get(key) ?? { tokens, times: [] };
      content.times.push(at);
      contents.set(key, content);
    }
  }
  return [...contents.values()].reduce((sum, { tokens, times }) => sum + tokens * leastCost(times), 0);
}

/** The lowest cost of one token in requests at these times. */
function leastCost(times: readonly number[]): number {
  // Costs when the token is not in the cache, and in it with each lifetime.
  let costs = [0, ...LIFETIMES.map(() => Infinity)];
  for (const [index, at] of times.entries()) {
    const gap = at - (times[index - 1] ?? -Infinity);
    const least = Math.min(...costs);
    const kept = LIFETIMES.map(({ seconds }, of) => (gap <= seconds ? (costs[of + 1] ?? Infinity) : Infinity));
    costs = [least + FRESH_PRICE, ...LIFETIMES.map(({ write }, of) => Math.min(least + write, (kept[of] ?? Infinity) + ANTHROPIC.read))];
  }
  return Math.min(...costs);
}
