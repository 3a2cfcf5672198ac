// Paths. Each run of the tests has its own folder in out/, so that two runs in one tree do not disturb each other.

import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAlive } from './processes.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
export const outFolder = join(root, 'out');
export const vscodeFolder = join(root, 'node_modules/code-server/lib/vscode');
export const cacheFolder = join(root, 'node_modules/.cache/loupe');

/**
 * @param {string} purpose
 * @returns {string} an empty folder, named after this process
 */
export function makeRunFolder(purpose) {
  removeDeadRuns();
  const folder = join(outFolder, `${purpose}-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Saves a result of a run as JSON in out/results.
 *
 * @param {string} name
 * @param {unknown} value
 */
export function writeResult(name, value) {
  const folder = join(outFolder, 'results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(value, null, 2));
}

/** A killed run could not remove its folder. */
function removeDeadRuns() {
  if (!existsSync(outFolder)) return;
  for (const name of readdirSync(outFolder)) {
    const match = /^(?:run|start|shots)-(\d+)$/.exec(name);
    if (match !== null && !isAlive(Number(match[1]))) {
      rmSync(join(outFolder, name), { recursive: true, force: true });
    }
  }
}
