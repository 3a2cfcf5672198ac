import { FRESH_PRICE } from './cacheRules.js';
import type { Item, Trace, Version } from './content.js';
import { keptFor, lowerBound, notSent, sentAgain, type BoundPrices, type TokenCosts } from './lowerBound.js';

/** The requests that hold one file, to one model. */
interface FileUse {
  /** All versions up to the last request's. */
  versions: readonly Version[];
  readonly uses: { readonly at: number; readonly version: number }[];
}

/** Before a copy of any version. */
const NO_COPY = -1;

/** A use after another one. */
interface Step {
  readonly version: number;
  /** The version of the use before; `NO_COPY` for the first. */
  readonly before: number;
  readonly gap: number;
}

/**
 * The least that a chat can cost if the current version of a file may also be told by a copy of an older one and all differences
 * since. All else is owed as in `lowerBound`.
 *
 * What is owed for a file: let v(i) be its version in the i-th request that holds it, d(k) the tokens of what has changed from version
 * k - 1 to k, and m those of its shortest version. The client chooses J(i) <= v(i), the newest version of which a copy has been
 * sent; J never falls. The bound of the file is the least, over all J and all ways to pay, of
 *
 *     sum over i of  m * p(i)  +  sum over k from J(i) + 1 to v(i) of d(k) * q(i, k)
 *
 * where p(i) is what a token of the copy costs: at least 1 where J rises, because no request has held that copy, and as in
 * `lowerBound` elsewhere. q(i, k) is 1 if version k is new in request i, or if no entry lives that long, and the price of reading
 * otherwise. So each difference is paid in full once, and read until a copy makes it superfluous.
 *
 * It is below what any such client pays: copies have m tokens at least, and all of them together count as one that is in the cache
 * while any of them is; a request holds the differences behind its copy, which is no newer than J(i); a version is paid in full by
 * the first request that tells it, as nothing can have told it before.
 */
export function differenceBound(trace: Trace, prices: BoundPrices): number {
  const files = new Map<string, FileUse>();
  const others = trace.requests.map((request) => ({ ...request, items: request.items.filter((item) => !isFile(item)) }));
  for (const { at, model, items } of trace.requests) {
    for (const { id, versions } of items.filter(isFile)) {
      const key = `${model} ${id}`;
      const file = files.get(key) ?? { versions, uses: [] };
      file.versions = versions;
      file.uses.push({ at, version: versions.length - 1 });
      files.set(key, file);
    }
  }
  const rest = lowerBound({ ...trace, requests: others }, prices);
  return [...files.values()].reduce((sum, file) => sum + fileBound(file, prices), rest);
}

function isFile({ versions }: Item): boolean {
  return versions.length > 0;
}

/** What has been paid at least, in tokens of the shortest copy, by the newest version of which a copy was sent. */
type Paid = Map<number, TokenCosts>;

function fileBound({ versions, uses }: FileUse, prices: BoundPrices): number {
  const shortest = Math.min(...versions.map(({ tokens }) => tokens));
  const deltas = versions.map(({ delta }) => delta);
  let paid: Paid = new Map([[NO_COPY, notSent(prices)]]);
  for (const [index, { at, version }] of uses.entries()) {
    const last = uses[index - 1];
    const step: Step = { version, before: last?.version ?? NO_COPY, gap: at - (last?.at ?? -Infinity) };
    paid = afterStep(paid, step, (copied) => owedBehind(copied, step, deltas, prices) / shortest, prices);
  }
  return shortest * Math.min(...[...paid.values()].flat());
}

/** What has been paid after one more request; `owed` gives what the differences behind a copy cost in it. */
function afterStep(paid: Paid, { version, gap }: Step, owed: (copied: number) => number, prices: BoundPrices): Paid {
  const next: Paid = new Map();
  const reach = (copied: number, costs: TokenCosts): void => {
    const before = next.get(copied);
    next.set(
      copied,
      costs.map((cost, at) => Math.min(cost, before?.[at] ?? Infinity)),
    );
  };
  for (const [copied, costs] of paid) {
    if (copied !== NO_COPY) {
      const more = owed(copied);
      reach(
        copied,
        sentAgain(costs, gap, prices).map((cost) => cost + more),
      );
    }
    if (copied < version) {
      reach(version, copiedAnew(costs, gap, prices));
    }
  }
  return next;
}

/** The costs after a request that holds a copy which none has held before. Older copies may stay in the cache beside it. */
function copiedAnew(costs: TokenCosts, gap: number, prices: BoundPrices): TokenCosts {
  const least = Math.min(...costs);
  const kept = keptFor(costs, gap, prices);
  return [
    least + FRESH_PRICE,
    ...prices.lifetimes.map(({ write }, index) => Math.min(least + write, (kept[index] ?? Infinity) + FRESH_PRICE)),
  ];
}

/** What the differences behind a copy cost in one request. */
function owedBehind(copied: number, { version, before, gap }: Step, deltas: readonly number[], prices: BoundPrices): number {
  const isForgotten = !prices.pings && prices.lifetimes.every(({ seconds }) => gap > seconds);
  let owed = 0;
  for (let told = copied + 1; told <= version; told += 1) {
    owed += (deltas[told] ?? 0) * (told > before || isForgotten ? FRESH_PRICE : prices.read);
  }
  return owed;
}
