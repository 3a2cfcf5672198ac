/*
 * Measures contestants side by side: round after round each runs once, so that a change of the machine's mood meets
 * all of them alike, and in another order, so that none always runs on what the same one has left behind. Only the
 * ratios of one run mean anything.
 */

export interface Contestant {
  readonly name: string;
  /** One run of the job. A number it gives is its own measurement in ms, for jobs that measure themselves. */
  run(): unknown;
}

/** Milliseconds of one contestant over the rounds. */
export interface Sample {
  readonly name: string;
  readonly median: number;
  /** Half of the runs lie between these. */
  readonly quartiles: readonly [number, number];
  readonly rounds: number;
}

export interface RaceOptions {
  /** Rounds that count; one more goes before, for warming up. */
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
 * The order 0, 1, n - 1, 2, n - 2, ..., moved on by one in each round: for an even n each one follows each other one
 * equally often (E. J. Williams, "Experimental designs balanced for the estimation of residual effects", 1949).
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

export function sampleOf(name: string, times: readonly number[]): Sample {
  const sorted = [...times].sort((a, b) => a - b);
  return { name, median: quantile(sorted, 0.5), quartiles: [quantile(sorted, 0.25), quantile(sorted, 0.75)], rounds: times.length };
}

/** Linear interpolation between the nearest two, as spreadsheets do. */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? NaN;
  const above = sorted[Math.ceil(at)] ?? NaN;
  return below + (above - below) * (at - Math.floor(at));
}

/** The median of the named contestant. Throws when there is none: a row compares what it has measured. */
export function medianOf(samples: readonly Sample[], name: string): number {
  const sample = samples.find((each) => each.name === name);
  if (sample === undefined) {
    throw new Error(`Nothing called ${name} was measured.`);
  }
  return sample.median;
}
