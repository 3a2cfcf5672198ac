// Checks the types of every part: the extension, the webview, the tests. They
// share no program, so they run side by side.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './paths.mjs';

const PROJECTS = ['.', 'webview', 'test'];

/** Each further checker of a process checks the common types once more: four of them take a third more of a core. */
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
