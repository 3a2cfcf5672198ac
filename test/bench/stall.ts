import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';

const NANOSECONDS = 1_000_000;

/** Returns the longest time in ms without a turn for other work during `work`. */
export async function longestStall(work: () => Promise<unknown>): Promise<number> {
  // Earlier work, such as garbage collection, gets its turn first.
  await setTimeout(50);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  await setImmediate();
  delay.disable();
  return delay.max / NANOSECONDS;
}
