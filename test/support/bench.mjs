// npm run bench [-- --row NAME] [-- --json]: compares the speed of Loupe with that of others, in one run. The rows are
// in test/bench/.

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './paths.mjs';
import { run } from './processes.mjs';
import { runScript } from './script.mjs';
import { installForWorkbench, planPackage } from './pieces.mjs';
import { installBrowser, prepareBase, prepareWorkbench } from './setup.mjs';

const TIMEOUT_MS = 20 * 60_000;

/** The row that opens VS Code with the packaged extension. Packaging takes longer than most rows. */
const IN_WORKBENCH = 'thumbnail';

const args = process.argv.slice(2);
const { values } = parseArgs({ options: { row: { type: 'string' }, json: { type: 'boolean' } } });
if (args.includes('--json')) {
  // Standard output has only the JSON.
  console.log = console.error;
}

await runScript(async (work) => {
  await prepareBase();
  // Two rows use the panel in a browser.
  await installBrowser();
  const { build, buildTests } = await import('../../esbuild.mjs');
  await build({ dev: false, folder: join(root, 'dist') });
  await buildTests({ entries: ['bench/main.ts', 'bench/childMain.ts'], folder: join(work, 'tests') });
  const environment = values.row === undefined || values.row === IN_WORKBENCH ? await packagedIn(work) : {};
  const bench = join(work, 'tests/bench/main.js');
  const { code } = await run(process.execPath, [bench, ...args], {
    cwd: root,
    echo: true,
    timeoutMs: TIMEOUT_MS,
    env: { ...process.env, ...environment },
  });
  process.exitCode = code;
});

/**
 * Installs VS Code and the packaged extension.
 *
 * @param {string} work
 * @returns {Promise<Record<string, string>>} environment for the bench
 */
async function packagedIn(work) {
  const { node } = await prepareWorkbench();
  return installForWorkbench({ vsix: await planPackage(work).vsix(), extensions: join(work, 'extensions'), node });
}
