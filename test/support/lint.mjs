// Lint: the format of all files, unused code, and the rules of ESLint and oxlint. Reports all faults, not only the
// first.

import { join } from 'node:path';
import { root } from './paths.mjs';
import { run } from './processes.mjs';

const TIMEOUT_MS = 10 * 60_000;

/** @type {[string, string[]][]} */
const CHECKS = [
  ['the format differs: npm run format writes it', ['@biomejs/biome/bin/biome', 'format', '.']],
  ['there are files, exports or types that nothing uses', ['knip/bin/knip.js', '--no-progress']],
  [
    'rules of eslint.config.js are broken',
    ['eslint/bin/eslint.js', '--max-warnings', '0', '--cache', '--cache-strategy', 'content', '--cache-location', 'out/eslint/', '.'],
  ],
  ['rules of .oxlintrc.json are broken', ['oxlint/bin/oxlint', '.']],
];

for (const [problem, [program, ...args]] of CHECKS) {
  const result = await run(process.execPath, [join(root, 'node_modules', program ?? ''), ...args], { cwd: root, timeoutMs: TIMEOUT_MS });
  if (result.code !== 0) {
    console.log(`${result.output}\n✘ ${problem}`);
    process.exitCode = 1;
  }
}
