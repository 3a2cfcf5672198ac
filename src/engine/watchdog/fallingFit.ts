import type { Trial } from './trial.js';

interface Pool {
  readonly served: number;
  readonly all: number;
}

/**
 * The logarithm of how likely the outcomes of trials are at most, where the chance to be served falls with the gap, or stays, and does not
 * change with time. The chances that fit best are found by pooling neighbours that do not fall (Ayer et al. 1955).
 */
export function fallingFit(trials: readonly Trial[]): number {
  const pools: Pool[] = [];
  for (const next of byGap(trials)) {
    let last = next;
    for (let before = pools.at(-1); before !== undefined && isRising(before, last); before = pools.at(-1)) {
      pools.pop();
      last = joined(before, last);
    }
    pools.push(last);
  }
  return pools.reduce((sum, { served, all }) => sum + entropy(served, all) + entropy(all - served, all), 0);
}

/** The trials of each gap, the shortest first. */
function byGap(trials: readonly Trial[]): readonly Pool[] {
  const pools = new Map<number, Pool>();
  for (const { gap, isServed } of trials.toSorted((a, b) => a.gap - b.gap)) {
    pools.set(gap, joined(pools.get(gap) ?? { served: 0, all: 0 }, { served: Number(isServed), all: 1 }));
  }
  return [...pools.values()];
}

/** Whether the chance is higher after the longer gap. */
function isRising(shorter: Pool, longer: Pool): boolean {
  return shorter.served * longer.all < longer.served * shorter.all;
}

function joined(a: Pool, b: Pool): Pool {
  return { served: a.served + b.served, all: a.all + b.all };
}

function entropy(some: number, all: number): number {
  return some === 0 ? 0 : some * Math.log(some / all);
}
