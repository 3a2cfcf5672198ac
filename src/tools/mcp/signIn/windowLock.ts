import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Age in ms of a lock whose window has crashed. Work under a lock is one request, which has a shorter limit. */
const STALE_MS = 3 * 60_000;

const POLL_MS = 100;

/** Does `work` while no other window works with the same name. The lock is a file that only one window can create. */
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
    if (codeOf(thrown) === 'EEXIST') {
      return false;
    }
    throw thrown;
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    return Math.abs(Date.now() - (await stat(path)).mtimeMs) > STALE_MS;
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') {
      return false;
    }
    throw thrown;
  }
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'code' in thrown ? thrown.code : null;
}
