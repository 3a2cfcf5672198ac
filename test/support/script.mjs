// Shared code of scripts with their own folder.

import { rmSync } from 'node:fs';
import { makeRunFolder } from './paths.mjs';
import { stopAll, stopOnSignals } from './processes.mjs';
import { reportFailure } from './setup.mjs';

/**
 * Works in an empty folder and removes it at the end, also after an interrupt. A failure is reported and sets the exit
 * code 1.
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
