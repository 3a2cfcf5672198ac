import { ANTHROPIC, FRESH_PRICE } from './cacheRules.js';
import type { Trace } from './content.js';

const LIFETIMES = Object.values(ANTHROPIC.lifetimes);

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
 * where the least is found by dynamic programming over the times.
 *
 * It is the bound of clients whose breakpoints all ask for the same time to live, and the measure of the bench. A client that mixes
 * them well, or sends differences instead of full texts, can go below it.
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

/** The least that one token costs in requests at these times. */
function leastCost(times: readonly number[]): number {
  // If the token is not in the cache, or in it with each lifetime.
  let costs = [0, ...LIFETIMES.map(() => Infinity)];
  for (const [index, at] of times.entries()) {
    const gap = at - (times[index - 1] ?? -Infinity);
    const least = Math.min(...costs);
    const kept = LIFETIMES.map(({ seconds }, of) => (gap <= seconds ? (costs[of + 1] ?? Infinity) : Infinity));
    costs = [least + FRESH_PRICE, ...LIFETIMES.map(({ write }, of) => Math.min(least + write, (kept[of] ?? Infinity) + ANTHROPIC.read))];
  }
  return Math.min(...costs);
}
