// What the scripts have in common that work in a folder of their own.

import { rmSync } from 'node:fs';
import { makeRunFolder } from './paths.mjs';
import { stopAll, stopOnSignals } from './processes.mjs';
import { reportFailure } from './setup.mjs';

/**
 * Does the work of this process in an empty folder, and removes that at the end, also when it is interrupted. A
 * failure is reported, and makes the exit code 1.
 *
 * @param {(folder: string) => Promise<void>} work
 */
export async function runScript(work) {
  const folder = makeRunFolder('run');
  const cleanUp = () => {
    rmSync(folder, { recursive: true, force: true });
  };
  stopOnSignals(cleanUp);
  try {
    await work(folder);
  } catch (error) {
    reportFailure(error);
  } finally {
    await stopAll();
    cleanUp();
  }
}
