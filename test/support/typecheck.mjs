// Checks the types of every part: the extension and its tests, the webview,
// the browser-driving tests. They share no program, so they run side by side.

import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');

/** @param {string} folder */
function hasSources(folder) {
  return existsSync(folder) && readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((file) => file.endsWith('.ts'));
}

/**
 * @param {string} project
 * @returns {Promise<number>}
 */
function check(project) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [tsc, '-p', project, '--pretty'], {
      cwd: root,
      stdio: 'inherit',
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      resolve(code ?? 1);
    });
  });
}

const projects = ['.', 'webview', 'test/e2e'].filter((folder) => hasSources(join(root, folder)));
const codes = await Promise.all(projects.map(check));
process.exitCode = codes.some((code) => code !== 0) ? 1 : 0;
