// How slow and how busy this machine is, and how much room it has: the limits of the tests follow.

import { statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { Worker } from 'node:worker_threads';
import { SetupError } from './setup.mjs';

/** Time of `WORK` where the base limits were chosen: two quiet cores of an Intel Xeon at 2.5 GHz. */
const QUIET_MS = 250;

/** A test that hangs still has to end some day. */
const MOST = 8;

/** Plain JavaScript, in a worker on each core at once: other work on the cores makes it take longer, as it does the tests. */
const WORK = `
  const { parentPort } = require('node:worker_threads');
  const started = performance.now();
  let value = 1;
  for (let step = 0; step < 30_000_000; step += 1) value = (Math.imul(value, 48_271) + step) | 0;
  parentPort.postMessage({ ms: performance.now() - started, value });
`;

/** Of the folder for temporary files: what the tests hold there at the same time at most. */
const LEAST_FREE_MB = 1_500;
const MB = 1024 * 1024;

/**
 * Returns how many times longer this machine takes than a quiet one, at least 1.
 *
 * @returns {Promise<number>}
 */
export async function measureMachine() {
  const times = await Promise.all(Array.from({ length: availableParallelism() }, measureCore));
  return Math.min(MOST, Math.max(1, Math.max(...times) / QUIET_MS));
}

/** @returns {Promise<number>} in milliseconds */
function measureCore() {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORK, { eval: true });
    worker.once('message', ({ ms }) => {
      resolve(ms);
    });
    worker.once('error', reject);
  });
}

/** @throws {SetupError} where the tests would run out of room for temporary files */
export function checkTemporaryFolder() {
  const { bavail, bsize } = statfsSync(tmpdir());
  const free = Math.floor((bavail * bsize) / MB);
  if (free >= LEAST_FREE_MB) return;
  throw new SetupError(
    `${tmpdir()} has ${free} MB left, and the tests need ${LEAST_FREE_MB} MB: set TMPDIR to a folder on a larger disk, or free some space.`,
  );
}
