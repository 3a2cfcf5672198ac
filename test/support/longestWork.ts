import { existsSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

const NANOSECONDS = 1_000_000;

/** What Linux keeps of the main thread: the time in ns that it ran, and others. */
const RUN_TIME = `/proc/self/task/${String(process.pid)}/schedstat`;

/**
 * The longest work in ms between two turns of the event loop while `work` goes on. Where the system tells it, it is the time in
 * which this thread ran: on a busy machine others are given theirs in between, which is no stall of ours.
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
