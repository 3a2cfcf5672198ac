import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { orIfMissing, systemCode } from '../files/failure.js';

/** Age in ms of a lock whose window has crashed. Work under a lock is one request, which has a shorter limit. */
const STALE_MS = 3 * 60_000;

const POLL_MS = 100;

/**
 * Does `work` while no other window works with the same name. The lock is a file that only one window can create.
 * Creates the folder of the lock if it is missing.
 */
export async function withWindowLock<T>(folder: string, name: string, work: () => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.lock`);
  while (!(await isCreated(path))) {
    if (await isStale(path)) {
      await rm(path, { force: true });
    } else {
      await delay(POLL_MS);
    }
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function isCreated(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close();
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST') {
      return false;
    }
    throw thrown;
  }
}

async function isStale(path: string): Promise<boolean> {
  const stats = await orIfMissing(stat(path), null);
  return stats !== null && Math.abs(Date.now() - stats.mtimeMs) > STALE_MS;
}
