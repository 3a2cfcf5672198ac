// npm test: sets up what is missing, checks, builds and runs all suites.
//
//   --suite <name>   only this suite, without lint and type check; repeatable
//   --grep <text>    only tests whose full name matches
//   --no-setup       the packages, VS Code and the browser are there already
//
// The last line is "N passed, N failed"; the exit code is 0 only when all that
// was registered ran and passed.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeRunFolder, root } from './paths.mjs';
import { run, stopAll, stopOnSignals } from './processes.mjs';
import { checkNodeVersion, installBrowser, installNode, prepareBase, prepareWorkbench, reportFailure, SetupError } from './setup.mjs';
import { findSuites, runSuiteByName, SUITE_NAMES } from './suites.mjs';
import { printTable } from './table.mjs';

const CHECK_TIMEOUT_MS = 10 * 60_000;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        suite: { type: 'string', multiple: true },
        grep: { type: 'string' },
        'no-setup': { type: 'boolean' },
      },
    });
    const chosen = (values.suite ?? []).flatMap((names) => names.split(','));
    const unknown = chosen.filter((name) => !SUITE_NAMES.includes(name));
    if (unknown.length > 0) {
      throw new Error(`No suite is called ${unknown.join(', ')}; there are ${SUITE_NAMES.join(', ')}.`);
    }
    return { chosen, grep: values.grep ?? null, setup: values['no-setup'] !== true };
  } catch (error) {
    throw new SetupError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Lint and type check, beside the suites: this machine has a core to spare.
 *
 * @returns {Promise<string[]>} the names of those that failed
 */
async function runChecks() {
  const failed = [];
  for (const [name, args] of /** @type {const} */ ([
    ['type check', [join(root, 'test/support/typecheck.mjs')]],
    ['lint', [join(root, 'test/support/lint.mjs')]],
  ])) {
    const started = Date.now();
    const result = await run(process.execPath, args, { cwd: root, timeoutMs: CHECK_TIMEOUT_MS });
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    const passed = result.code === 0;
    console.log(`${passed ? '✔' : '✘'} ${name} (${seconds} s)\n${passed ? '' : result.output}`);
    if (!passed) failed.push(name);
  }
  return failed;
}

/**
 * @param {{ chosen: string[], grep: string | null, setup: boolean }} options
 * @param {string} work
 */
async function main(options, work) {
  if (options.setup) await prepareBase();
  const suites = findSuites(options.chosen);
  const needsWorkbench = suites.some((suite) => suite.needsWorkbench);
  let node = process.execPath;
  if (needsWorkbench) {
    node = options.setup ? (await prepareWorkbench()).node : await installNode();
    if (options.setup) await installBrowser();
  }
  const whole = options.chosen.length === 0;
  const checks = whole ? runChecks() : Promise.resolve([]);
  const rows = [];
  for (const suite of suites) {
    rows.push(await runSuiteByName(suite, { work, node, grep: options.grep, live: !whole }));
  }
  const failedChecks = await checks;
  return printTable(rows, { failedChecks, grep: options.grep });
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
