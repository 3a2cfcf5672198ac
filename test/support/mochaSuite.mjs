// Runs bundled test files with Mocha and writes down what happened, so that
// whoever started this can tell a suite that passed from one that never ran.
// Used in plain Node and inside the extension host.

import { appendFileSync, writeFileSync } from 'node:fs';
import { format } from 'node:util';

const TEST_TIMEOUT_MS = 20_000;

/**
 * @typedef {object} SuiteJob
 * @property {{ source: string, bundle: string }[]} files
 * @property {string} resultsFile
 * @property {string} reporter - Mocha's name of it
 * @property {string | null} reportFile - where the report goes instead of to the console
 * @property {boolean} color
 * @property {string | null} grep
 * @property {number | null} timeoutMs - for one test
 */

/**
 * @typedef {object} SuiteResults
 * @property {string[]} loaded - source files that registered at least one test
 * @property {number} registered - tests, counted before the run
 * @property {number} selected - those that match the grep pattern
 * @property {number} passed
 * @property {number} failed - tests and hooks
 * @property {number} pending
 * @property {string[]} failures - the file, the full name and the message of each that failed
 * @property {Record<string, number>} seconds - by source file, hooks included
 * @property {string | null} error - why the run broke off
 */

/**
 * @param {SuiteJob} job
 * @returns {Promise<SuiteResults>}
 */
export async function runSuite(job) {
  /** @type {SuiteResults} */
  const results = {
    loaded: [],
    registered: 0,
    selected: 0,
    passed: 0,
    failed: 0,
    pending: 0,
    failures: [],
    seconds: {},
    error: null,
  };
  try {
    await runMocha(job, results);
  } catch (error) {
    results.error = error instanceof Error ? (error.stack ?? error.message) : String(error);
    console.error(results.error);
  }
  writeFileSync(job.resultsFile, JSON.stringify(results, null, 2));
  return results;
}

/**
 * @param {SuiteJob} job
 * @param {SuiteResults} results
 */
async function runMocha(job, results) {
  const { default: Mocha } = await import('mocha');
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
  const sources = new Map(job.files.map((file) => [file.bundle, file.source]));
  /** @type {Set<string>} */
  const loaded = new Set();
  mocha.suite.eachTest((test) => {
    results.registered += 1;
    const source = sources.get(test.file ?? '');
    if (source !== undefined) loaded.add(source);
  });
  results.loaded = [...loaded];
  await new Promise((resolve) => {
    const runner = mocha.run(resolve);
    results.selected = runner.total;
    runner.on('pass', () => (results.passed += 1));
    runner.on('fail', (test, error) => {
      results.failed += 1;
      results.failures.push(`${sources.get(test.file ?? '') ?? ''}: ${test.fullTitle()}: ${firstLine(error)}`);
    });
    runner.on('pending', () => (results.pending += 1));
    let last = Date.now();
    const ended = (/** @type {{ file?: string }} */ { file }) => {
      const source = sources.get(file ?? '');
      const now = Date.now();
      if (source !== undefined) results.seconds[source] = (results.seconds[source] ?? 0) + (now - last) / 1000;
      last = now;
    };
    runner.on('test end', ended);
    runner.on('hook end', ended);
  });
}

/** @param {unknown} error - what a test threw, of any kind */
function firstLine(error) {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? '';
}
