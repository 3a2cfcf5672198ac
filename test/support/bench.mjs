// npm run bench [-- --row NAME] [-- --json]: how fast Loupe is beside others, in
// one run. test/bench/ has the rows.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeRunFolder, root } from './paths.mjs';
import { run, stopAll, stopOnSignals } from './processes.mjs';
import { prepareBase, reportFailure } from './setup.mjs';

const TIMEOUT_MS = 20 * 60_000;

const args = process.argv.slice(2);
if (args.includes('--json')) {
  // Nothing but the JSON goes to the standard output.
  console.log = console.error;
}

const work = makeRunFolder('run');
const cleanUp = () => {
  rmSync(work, { recursive: true, force: true });
};
stopOnSignals(cleanUp);
try {
  await prepareBase();
  const { build, buildTests } = await import('../../esbuild.mjs');
  await build({ dev: false, folder: join(root, 'dist') });
  await buildTests({ entries: ['bench/main.ts', 'bench/childMain.ts'], folder: join(work, 'tests') });
  const bench = join(work, 'tests/bench/main.js');
  const { code } = await run(process.execPath, [bench, ...args], { cwd: root, echo: true, timeoutMs: TIMEOUT_MS });
  process.exitCode = code;
} catch (error) {
  reportFailure(error);
} finally {
  await stopAll();
  cleanUp();
}
