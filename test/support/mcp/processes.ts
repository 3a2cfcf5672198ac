import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Whether a process runs. A zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));
  } catch {
    // Not Linux, or the process ended meanwhile.
    return process.platform !== 'linux';
  }
}

/** Polls until a process has ended: the system reports only the end of child processes. */
export async function untilEnded(pid: number): Promise<void> {
  while (isRunning(pid)) {
    await delay(10);
  }
}
