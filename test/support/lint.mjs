// Lint: the format of every file, circles of imports, what nothing uses, and the rules of ESLint. Says all that is wrong, not only what is found first.

import { join } from 'node:path';
import { root } from './paths.mjs';
import { run } from './processes.mjs';

const TIMEOUT_MS = 10 * 60_000;

/** Imports of types count as well: what needs a circle of them is one concept. */
const DPDM = ['--no-tree', '--no-warning', '--no-progress', '-T=false', '--exit-code', 'circular:1'];

/** @type {[string, string[]][]} */
const CHECKS = [
  ['the format differs: npm run format writes it', ['@biomejs/biome/bin/biome', 'format', '.']],
  ['files import each other in a circle', ['dpdm/lib/bin/dpdm.js', ...DPDM, 'src/extension.ts', 'webview/chat/main.ts']],
  ['there are files, exports or types that nothing uses', ['knip/bin/knip.js', '--no-progress']],
  ['rules of ESLint are broken', ['eslint/bin/eslint.js', '--max-warnings', '0', '.']],
];

for (const [problem, [program, ...args]] of CHECKS) {
  const result = await run(process.execPath, [join(root, 'node_modules', program ?? ''), ...args], { cwd: root, timeoutMs: TIMEOUT_MS });
  if (result.code !== 0) {
    console.log(`${result.output}\n✘ ${problem}`);
    process.exitCode = 1;
  }
}
