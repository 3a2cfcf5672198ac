import type { ProviderCache } from './cacheModel.js';
import type { Trace } from './content.js';
import { judge, sumOf, type Judged } from './judge.js';
import type { Contestant } from './policy.js';

/** Chats of one kind with different seeds, and what each costs at least. */
export interface Bounded {
  readonly name: string;
  readonly traces: readonly Trace[];
  /** In the order of `traces`, in tokens of uncached input. */
  readonly bounds: readonly number[];
}

/** How a policy does in the chats of one kind. */
export interface Standing {
  readonly name: string;
  readonly total: Judged;
  /** What all of them cost, against what they cost at least. */
  readonly ratio: number;
  /** Such ratios of the single chats. */
  readonly ratios: readonly number[];
}

/** How a contestant does in these chats; each begins with a cache of its own. */
export function standingOf(contestant: Contestant, { name, traces, bounds }: Bounded, createCache: () => ProviderCache): Standing {
  const judged = traces.map((trace) => judge(trace, contestant, createCache()));
  const total = sumOf(judged);
  const ratio = total.cost / bounds.reduce((sum, bound) => sum + bound, 0);
  return { name, total, ratio, ratios: judged.map(({ cost }, at) => cost / (bounds[at] ?? NaN)) };
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
