// npm test: sets up what is missing, checks, builds and runs all suites side by
// side.
//
//   --suite <name>   only this suite, without lint and type check; repeatable
//   --file <path>    only this test file, of any suite, and only what it needs:
//                    seconds for one that runs in plain Node; repeatable
//   --deep           with long parameters (npm run test:deep)
//   --watch          with --file: again whenever the file changes, or what it
//                    imports; Ctrl+C ends it. Not for files that run in VS Code
//   --grep <text>    only tests whose full name contains it
//   --no-setup       the packages, VS Code and the browser are there already
//
// The output of a suite comes in one piece when the suite has ended, or as it comes
// when nothing else runs at the same time. The last line is "N passed, N failed"; the
// exit code is 0 only when all that was registered ran and passed.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { planChecks } from './checks.mjs';
import { DEEP_VARIABLE } from './depth.mjs';
import { runInLanes } from './lanes.mjs';
import { SCALE_VARIABLE } from './limits.mjs';
import { checkTemporaryFolder, measureMachine } from './machine.mjs';
import { readOptions } from './options.mjs';
import { makeRunFolder, writeResult } from './paths.mjs';
import { planPackage, runPiece } from './pieces.mjs';
import { stopAll, stopOnSignals } from './processes.mjs';
import { tryAgain } from './secondTry.mjs';
import { checkNodeVersion, installBrowser, installNode, prepareBase, prepareWorkbench, reportFailure } from './setup.mjs';
import { planSuite } from './suiteRun.mjs';
import { findSuites, needsBrowser, needsWorkbench, settingsOf, splitSuite } from './suites.mjs';
import { printTable } from './table.mjs';
import { watchFiles } from './watch.mjs';

const CHECKS = 'checks';

/** More than the cores: while a lane waits for VS Code or the disk, another one computes. */
const LANES = availableParallelism() + 1;

/**
 * The lanes begin at both ends. The front has setup, checks, and everything that waits for VS Code or a browser. The
 * end only computes. Small pieces are in the middle.
 */
const LANE_ORDER = [CHECKS, 'e2e', 'host', 'page', 'wire', 'unit', 'property', 'faults'];

/** Tests note each opened window here. */
const WINDOWS_VARIABLE = 'LOUPE_TEST_WINDOWS';

/** The largest factor for long parameters. */
const DEEP_LIMITS = 10;

/**
 * @param {import('./options.mjs').TestOptions} options
 * @param {string} work
 */
async function main(options, work) {
  checkTemporaryFolder();
  await fitLimits(options);
  process.env[WINDOWS_VARIABLE] = join(work, 'windows');
  if (options.setup) await prepareBase();
  const suites = findSuites(options);
  const context = await prepare(options, suites, work);
  if (options.watch) return watchFiles(suites, context);
  /** @type {string[]} */
  const failedChecks = [];
  const checks = isWhole(options) ? planChecks(failedChecks) : [];
  const runs = suites.map((suite) => planSuite(suite, context));
  const tasks = LANE_ORDER.flatMap((name) =>
    name === CHECKS ? checks : runs.filter(({ suite }) => suite.name === name).flatMap((each) => each.tasks),
  );
  await runInLanes([async () => void (await context.node), ...tasks], LANES);
  const unsteady = await tryAgain(runs, (piece, id) => runPiece(piece, id, context));
  writeResult('unsteady', unsteady);
  const rows = runs.map((each) => each.row());
  for (const { name, results } of rows) writeResult(name, results.files);
  printWindows(join(work, 'windows'));
  return printTable(rows, { failedChecks, unsteady, grep: options.grep });
}

/** @param {string} file - with a line for each window of VS Code */
function printWindows(file) {
  if (existsSync(file)) console.log(`\ne2e opened ${readFileSync(file, 'utf8').trimEnd().split('\n').length} windows of VS Code.`);
}

/**
 * Sets the variables that test processes read: deep or short run, and the speed of the computer.
 *
 * @param {import('./options.mjs').TestOptions} options
 */
async function fitLimits({ deep }) {
  const slowness = await measureMachine();
  if (deep) process.env[DEEP_VARIABLE] = '1';
  process.env[SCALE_VARIABLE] = String(slowness * (deep ? DEEP_LIMITS : 1));
  console.log(`Time limits: ${Number(process.env[SCALE_VARIABLE]).toFixed(1)} times those of short tests on a quiet machine.`);
}

/**
 * Builds the tests and installs their requirements in parallel.
 *
 * @param {import('./options.mjs').TestOptions} options
 * @param {import('./suites.mjs').Suite[]} suites
 * @param {string} work
 * @returns {Promise<import('./pieces.mjs').RunContext>}
 */
async function prepare(options, suites, work) {
  const node = installFor(options, suites);
  // The run ends where the failure is awaited.
  node.catch(() => undefined);
  const bundles = join(work, 'tests');
  const bundled = suites.filter(({ name }) => settingsOf(name).inHost !== true);
  // Not at the top, because a fresh clone installs esbuild first.
  const { buildTests } = await import('../../esbuild.mjs');
  if (!options.watch) await buildTests({ entries: bundled.flatMap(({ files }) => files), folder: bundles });
  return {
    work,
    bundles,
    node,
    ...planPackage(work),
    grep: options.grep,
    reporter: isWhole(options) ? 'dot' : 'spec',
    echo: !isWhole(options) && suites.flatMap(splitSuite).length === 1,
  };
}

/**
 * @param {import('./options.mjs').TestOptions} options
 * @param {import('./suites.mjs').Suite[]} suites
 * @returns {Promise<string>} the Node for VS Code's server
 */
async function installFor(options, suites) {
  const names = suites.map(({ name }) => name);
  if (options.setup && names.some(needsBrowser)) await installBrowser();
  if (!names.some(needsWorkbench)) return process.execPath;
  return options.setup ? (await prepareWorkbench()).node : installNode();
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
