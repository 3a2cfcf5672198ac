// Lint and type check, as part of npm test.

import { join } from 'node:path';
import { timeLimit } from './limits.mjs';
import { root } from './paths.mjs';
import { run } from './processes.mjs';

const CHECK_TIMEOUT_MS = 10 * 60_000;

const CHECKS = [
  { name: 'type check', script: 'typecheck.mjs' },
  { name: 'lint', script: 'lint.mjs' },
];

/**
 * @param {string[]} failed - gets the names of those that fail
 * @returns {(() => Promise<void>)[]}
 */
export function planChecks(failed) {
  return CHECKS.map(({ name, script }) => async () => {
    const started = Date.now();
    const result = await run(process.execPath, [join(root, 'test/support', script)], { cwd: root, timeoutMs: timeLimit(CHECK_TIMEOUT_MS) });
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    const passed = result.code === 0;
    console.log(`${passed ? '✔' : '✘'} ${name} (${seconds} s)\n${passed ? '' : result.output}`);
    if (!passed) failed.push(name);
  });
}
