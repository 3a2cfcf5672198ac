import { existsSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

const NANOSECONDS = 1_000_000;
/** Linux reports here the running time of the main thread in ns. */
const RUN_TIME = `/proc/self/task/${String(process.pid)}/schedstat`;

/**
 * Returns the longest work in ms between two turns of the event loop during `work`. On Linux this is the running time
 * of the thread: time of other processes does not count.
 */
export async function longestWork(work: () => Promise<unknown>): Promise<number> {
  const watch = { isOver: false };
  const working = work().finally(() => {
    watch.isOver = true;
  });
  let longest = 0;
  for (let before = ran(); !watch.isOver; ) {
    await setImmediate();
    const now = ran();
    longest = Math.max(longest, now - before);
    before = now;
  }
  await working;
  return longest;
}

const isTold = existsSync(RUN_TIME);

function ran(): number {
  return isTold ? Number(readFileSync(RUN_TIME, 'utf8').split(' ')[0]) / NANOSECONDS : performance.now();
}
