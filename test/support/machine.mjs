// Measures the speed, load and free space of this computer. The limits of the tests depend on it.

import { statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { Worker } from 'node:worker_threads';
import { SetupError } from './setup.mjs';

/** Time of `WORK` on the reference computer: two quiet cores of an Intel Xeon at 2.5 GHz. */
const QUIET_MS = 250;

/** A hanging test must end some day. */
const MOST = 8;

/** Plain JavaScript in one worker per core. Other work on the cores slows it down like the tests. */
const WORK = `
  const { parentPort } = require('node:worker_threads');
  const started = performance.now();
  let value = 1;
  for (let step = 0; step < 30_000_000; step += 1) value = (Math.imul(value, 48_271) + step) | 0;
  parentPort.postMessage({ ms: performance.now() - started, value });
`;

/** Temporary files: the most that parallel tests need. */
const LEAST_FREE_MB = 1_500;
const MB = 1024 * 1024;

/**
 * Returns how many times slower this computer is than a quiet one, at least 1.
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
