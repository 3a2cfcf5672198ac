/*
 * Measures contestants in rounds. Each runs once per round, so that changes of the computer's speed affect all, and in
 * changing order, so that none always follows the same one. Only ratios within one run are meaningful.
 */

export interface Contestant {
  readonly name: string;
  /** Runs the job once. A returned number is its own measurement in ms. */
  run(): unknown;
}

export interface Sample {
  readonly name: string;
  readonly median: number;
  /** The first and the third quartile. */
  readonly quartiles: readonly [number, number];
  readonly rounds: number;
}

export interface RaceOptions {
  /** Counted rounds, after one for warming up. */
  readonly rounds: number;
}

export async function race(contestants: readonly Contestant[], { rounds }: RaceOptions): Promise<readonly Sample[]> {
  const times = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const contestant of inRound(contestants, round)) {
      const ms = await time(contestant);
      if (round > 0) {
        times.get(contestant.name)?.push(ms);
      }
    }
  }
  return [...times].map(([name, list]) => sampleOf(name, list));
}

/**
 * The order 0, 1, n - 1, 2, n - 2, ..., shifted by one in each round. For an even n each contestant follows each other
 * one equally often (E. J. Williams, "Experimental designs balanced for the estimation of residual effects", 1949).
 */
function inRound(contestants: readonly Contestant[], round: number): readonly Contestant[] {
  const count = contestants.length;
  const order = contestants.map((_, index) => (index % 2 === 1 ? (index + 1) / 2 : count - index / 2));
  return order.flatMap((place) => contestants[(place + round) % count] ?? []);
}

async function time(contestant: Contestant): Promise<number> {
  const started = performance.now();
  const own = await contestant.run();
  return typeof own === 'number' ? own : performance.now() - started;
}

const MICROSECONDS = 1_000;

/** The mean processor time of `runs` runs in ms: of all threads, with garbage collection, without other processes. */
export async function processorTime(runs: number, run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (let at = 0; at < runs; at += 1) {
    await run();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / MICROSECONDS / runs;
}

export function sampleOf(name: string, times: readonly number[]): Sample {
  const sorted = [...times].sort((a, b) => a - b);
  return { name, median: quantile(sorted, 0.5), quartiles: [quantile(sorted, 0.25), quantile(sorted, 0.75)], rounds: times.length };
}

/** Linear interpolation between the two nearest values, as in spreadsheets. */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? NaN;
  const above = sorted[Math.ceil(at)] ?? NaN;
  return below + (above - below) * (at - Math.floor(at));
}

export function medianOf(samples: readonly Sample[], name: string): number {
  const sample = samples.find((each) => each.name === name);
  if (sample === undefined) {
    throw new Error(`Nothing called ${name} was measured.`);
  }
  return sample.median;
}
