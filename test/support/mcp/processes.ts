import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Whether a process runs. One that has ended, and whose end nobody has asked for, does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));
  } catch {
    // Not Linux, or it is gone by now.
    return process.platform !== 'linux';
  }
}

/** Waits until a process has ended: nothing tells of processes that are not children. */
export async function untilEnded(pid: number): Promise<void> {
  while (isRunning(pid)) {
    await delay(10);
  }
}
