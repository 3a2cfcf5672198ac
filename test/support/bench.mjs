// npm run bench [-- --row NAME] [-- --json]: compares the speed of Loupe with that of others, in one run. The rows are
// in test/bench/.

import { join } from 'node:path';
import { root } from './paths.mjs';
import { run } from './processes.mjs';
import { runScript } from './script.mjs';
import { installBrowser, prepareBase } from './setup.mjs';

const TIMEOUT_MS = 20 * 60_000;

const args = process.argv.slice(2);
if (args.includes('--json')) {
  // Standard output has only the JSON.
  console.log = console.error;
}

await runScript(async (work) => {
  await prepareBase();
  // One row types into the panel.
  await installBrowser();
  const { build, buildTests } = await import('../../esbuild.mjs');
  await build({ dev: false, folder: join(root, 'dist') });
  await buildTests({ entries: ['bench/main.ts', 'bench/childMain.ts'], folder: join(work, 'tests') });
  const bench = join(work, 'tests/bench/main.js');
  const { code } = await run(process.execPath, [bench, ...args], { cwd: root, echo: true, timeoutMs: TIMEOUT_MS });
  process.exitCode = code;
});
