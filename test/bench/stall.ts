import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';

const NANOSECONDS = 1_000_000;

/** The longest time in ms in which nothing else got a turn while some work went on. */
export async function longestStall(work: () => Promise<unknown>): Promise<number> {
  // What went before, such as a collection of garbage, has its turn first.
  await setTimeout(50);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  await setImmediate();
  delay.disable();
  return delay.max / NANOSECONDS;
}
