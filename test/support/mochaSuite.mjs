// Runs bundled test files with Mocha and writes the results, which also show a suite that never ran. Used in plain Node
// and inside the extension host.

import { appendFileSync, writeFileSync } from 'node:fs';
import { format } from 'node:util';
import fc from 'fast-check';
import { isDeep } from './depth.mjs';
import { timeLimit } from './limits.mjs';

const TEST_TIMEOUT_MS = 20_000;

/** The random values of a short run are always the same, so a test cannot fail by chance. A deep run draws new ones. */
const SEED = 1;

const HOOKS = /** @type {const} */ (['beforeAll', 'beforeEach', 'afterEach', 'afterAll']);

/**
 * @typedef {object} SuiteJob
 * @property {{ source: string, bundle: string }[]} files
 * @property {string} resultsFile
 * @property {string} reporter - Mocha's name of it
 * @property {string | null} reportFile - where the report goes instead of to the console
 * @property {boolean} color
 * @property {string | null} grep
 * @property {number | null} timeoutMs - for one test on a quiet machine
 */

/**
 * @typedef {object} Failure
 * @property {string} title - the full name of a test or a hook
 * @property {string} message - its first line
 */

/**
 * @typedef {object} FileResults
 * @property {number} registered - tests, counted before the run
 * @property {number} selected - those that match the grep pattern
 * @property {number} passed
 * @property {number} pending
 * @property {Failure[]} failures - of tests and hooks
 * @property {number} seconds - hooks included
 */

/**
 * @typedef {object} SuiteResults
 * @property {Record<string, FileResults>} files - by source file
 * @property {string | null} error - why the run broke off
 */

/**
 * @param {SuiteJob} job
 * @returns {Promise<SuiteResults>}
 */
export async function runSuite(job) {
  /** @type {SuiteResults} */
  const results = { files: {}, error: null };
  try {
    await runMocha(job, results);
  } catch (error) {
    results.error = error instanceof Error ? (error.stack ?? error.message) : String(error);
    console.error(results.error);
  }
  writeFileSync(job.resultsFile, JSON.stringify(results, null, 2));
  return results;
}

/** @param {SuiteResults} results */
export function hasFailed({ error, files }) {
  return error !== null || Object.values(files).some(({ failures }) => failures.length > 0);
}

/**
 * @param {SuiteJob} job
 * @param {SuiteResults} results
 */
async function runMocha(job, results) {
  const { default: Mocha } = await import('mocha');
  if (!isDeep) fc.configureGlobal({ seed: SEED });
  const { reportFile } = job;
  if (reportFile !== null) {
    Mocha.reporters.Base.consoleLog = (/** @type {unknown[]} */ ...args) => {
      appendFileSync(reportFile, `${format(...args)}\n`);
    };
  }
  const mocha = new Mocha({
    ui: 'bdd',
    color: job.color,
    reporter: job.reporter,
    timeout: job.timeoutMs ?? TEST_TIMEOUT_MS,
    forbidOnly: true,
    forbidPending: true,
    ...(job.grep === null ? {} : { grep: job.grep }),
  });
  for (const file of job.files) mocha.addFile(file.bundle);
  await mocha.loadFilesAsync();
  stretchTimeouts(mocha.suite);
  const sources = new Map(job.files.map((file) => [file.bundle, file.source]));
  // Hooks outside any describe belong to no file.
  const fileOf = (/** @type {{ file?: string | undefined }} */ { file }) => {
    const source = sources.get(file ?? '');
    if (source === undefined) return undefined;
    return (results.files[source] ??= { registered: 0, selected: 0, passed: 0, pending: 0, failures: [], seconds: 0 });
  };
  const ofTest = (/** @type {import('mocha').Test} */ test) => {
    const file = fileOf(test);
    if (file === undefined) throw new Error(`The test "${test.fullTitle()}" belongs to no file of this run.`);
    return file;
  };
  mocha.suite.eachTest((test) => {
    const file = ofTest(test);
    file.registered += 1;
    if (job.grep === null || test.fullTitle().includes(job.grep)) file.selected += 1;
  });
  await new Promise((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pass', (test) => (ofTest(test).passed += 1));
    runner.on('pending', (test) => (ofTest(test).pending += 1));
    runner.on('fail', (test, error) => {
      const failure = { title: test.fullTitle(), message: firstLine(error) };
      const file = fileOf(test);
      if (file === undefined) results.error = `${failure.title}: ${failure.message}`;
      else file.failures.push(failure);
    });
    let last = Date.now();
    const ended = (/** @type {import('mocha').Runnable} */ runnable) => {
      const now = Date.now();
      const file = fileOf(runnable);
      if (file !== undefined) file.seconds += (now - last) / 1000;
      last = now;
    };
    runner.on('test end', ended);
    runner.on('hook end', ended);
  });
}

/**
 * Scales the limits of all tests and hooks, also those that a file has set.
 *
 * @param {import('mocha').Suite} suite
 */
function stretchTimeouts(suite) {
  // Its types lack this method.
  const { getHooks } = /** @type {{ getHooks: (name: string) => import('mocha').Hook[] }} */ (/** @type {unknown} */ (suite));
  const hooks = HOOKS.flatMap((name) => getHooks.call(suite, name));
  for (const each of [...suite.tests, ...hooks]) each.timeout(timeLimit(each.timeout()));
  for (const each of suite.suites) stretchTimeouts(each);
}

/** @param {unknown} error - what a test threw, of any kind */
function firstLine(error) {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? '';
}
