// npm test: sets up what is missing, checks, builds and runs all suites, side by
// side.
//
//   --suite <name>   only this suite, without lint and type check; repeatable
//   --file <path>    only this test file, of any suite, and only what it needs:
//                    seconds for one that runs in plain Node; repeatable
//   --watch          with --file: again whenever the file changes, or what it
//                    imports; Ctrl+C ends it. Not for files that run in VS Code
//   --grep <text>    only tests whose full name matches
//   --no-setup       the packages, VS Code and the browser are there already
//
// A suite's output comes in one piece when the suite has ended, or as it comes
// when nothing else runs beside it. The last line is "N passed, N failed"; the
// exit code is 0 only when all that was registered ran and passed.

import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { planChecks } from './checks.mjs';
import { runInLanes } from './lanes.mjs';
import { readOptions } from './options.mjs';
import { makeRunFolder } from './paths.mjs';
import { packageForWorkbench } from './pieces.mjs';
import { stopAll, stopOnSignals } from './processes.mjs';
import { checkNodeVersion, installBrowser, installNode, prepareBase, prepareWorkbench, reportFailure } from './setup.mjs';
import { planSuite } from './suiteRun.mjs';
import { findSuites, needsBrowser, needsWorkbench, settingsOf, splitSuite } from './suites.mjs';
import { printTable } from './table.mjs';
import { watchFiles } from './watch.mjs';

const CHECKS = 'checks';

/**
 * More than the cores: VS Code and the disk are waited for, and another lane computes meanwhile.
 */
const LANES = availableParallelism() + 1;

/**
 * What the lanes begin with, and what they meet at. One half of them begins
 * with VS Code, which waits much, the other with what only computes; small
 * pieces are in the middle.
 */
const LANE_ORDER = ['e2e', 'host', 'page', 'wire', CHECKS, 'unit', 'faults', 'property'];

/**
 * @param {import('./options.mjs').TestOptions} options
 * @param {string} work
 */
async function main(options, work) {
  if (options.setup) await prepareBase();
  const suites = findSuites(options);
  const context = await prepare(options, suites, work);
  if (options.watch) return watchFiles(suites, context);
  /** @type {string[]} */
  const failedChecks = [];
  const checks = isWhole(options) ? planChecks(failedChecks) : [];
  const runs = suites.map((suite) => planSuite(suite, context));
  const tasks = LANE_ORDER.flatMap((name) =>
    name === CHECKS ? checks : runs.filter((each) => each.name === name).flatMap((each) => each.tasks),
  );
  await runInLanes(tasks, LANES);
  return printTable(
    runs.map((each) => each.row()),
    { failedChecks, grep: options.grep },
  );
}

/**
 * Sets up what the suites need, and builds the tests.
 *
 * @param {import('./options.mjs').TestOptions} options
 * @param {import('./suites.mjs').Suite[]} suites
 * @param {string} work
 * @returns {Promise<import('./pieces.mjs').RunContext>}
 */
async function prepare(options, suites, work) {
  let node = process.execPath;
  if (suites.some(({ name }) => needsWorkbench(name))) {
    node = options.setup ? (await prepareWorkbench()).node : await installNode();
  }
  if (options.setup && suites.some(({ name }) => needsBrowser(name))) await installBrowser();
  const bundles = join(work, 'tests');
  const bundled = suites.filter(({ name }) => settingsOf(name).inHost !== true);
  // Not at the top: on a fresh clone esbuild is installed first.
  const { buildTests } = await import('../../esbuild.mjs');
  if (!options.watch) await buildTests({ entries: bundled.flatMap(({ files }) => files), folder: bundles });
  /** @type {Promise<string> | undefined} */
  let vsix;
  return {
    work,
    bundles,
    node,
    vsix: () => (vsix ??= packageForWorkbench(work)),
    grep: options.grep,
    reporter: isWhole(options) ? 'dot' : 'spec',
    echo: !isWhole(options) && suites.flatMap(splitSuite).length === 1,
  };
}

/** @param {import('./options.mjs').TestOptions} options */
function isWhole(options) {
  return options.suites.length + options.files.length === 0;
}

const work = makeRunFolder('run');
const cleanUp = () => {
  rmSync(work, { recursive: true, force: true });
};
stopOnSignals(cleanUp);
try {
  checkNodeVersion();
  if (!(await main(readOptions(), work))) process.exitCode = 1;
} catch (error) {
  reportFailure(error);
  console.log('0 passed, 1 failed');
} finally {
  await stopAll();
  cleanUp();
}
