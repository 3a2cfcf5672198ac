// Checks the types of the extension, the webview and the tests. They share no program, so they run in parallel.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './paths.mjs';

const PROJECTS = ['.', 'webview', 'test'];

/** Each further checker of a process checks common types again: four of them use a third more of a core. */
const CHECKERS = ['--checkers', '1'];

/**
 * @param {string} project
 * @returns {Promise<number>}
 */
function check(project) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', project, '--pretty', ...CHECKERS], {
      cwd: root,
      stdio: 'inherit',
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      resolve(code ?? 1);
    });
  });
}

const codes = await Promise.all(PROJECTS.map(check));
process.exitCode = codes.some((code) => code !== 0) ? 1 : 0;
