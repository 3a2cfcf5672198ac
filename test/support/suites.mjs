// The test suites: which there are, how each runs, and whether it really ran.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runHostSuite } from './hostSuite.mjs';
import { outFolder, root } from './paths.mjs';
import { lastLines, run } from './processes.mjs';
import { installDriver, installVsix, packageVsix, stage, vsixName } from './vsix.mjs';

const MINUTE_MS = 60_000;
/** A suite's process ends the servers that it started, then itself. */
const SUITE_GRACE_MS = 15_000;

/**
 * @typedef {object} Suite
 * @property {string} name - its folder below test/
 * @property {string[]} files - below test/
 * @property {boolean} needsWorkbench
 */

/**
 * @typedef {object} Row - one line of the table at the end
 * @property {string} name
 * @property {number} files
 * @property {import('./mochaSuite.mjs').SuiteResults | null} results
 * @property {string[]} problems - why it failed, besides failed tests
 * @property {number} seconds
 */

/**
 * @typedef {object} RunContext
 * @property {string} work - this run's own folder
 * @property {string} node - the Node that VS Code's server runs on
 * @property {string | null} grep
 * @property {boolean} live - show the output as it comes
 */

/** @type {Record<string, { timeoutMs: number, testTimeoutMs: number | null, inHost?: true, inWorkbench?: true }>} */
const SUITES = {
  unit: { timeoutMs: 5 * MINUTE_MS, testTimeoutMs: null },
  property: { timeoutMs: 10 * MINUTE_MS, testTimeoutMs: 2 * MINUTE_MS },
  wire: { timeoutMs: 5 * MINUTE_MS, testTimeoutMs: null },
  faults: { timeoutMs: 10 * MINUTE_MS, testTimeoutMs: MINUTE_MS },
  host: { timeoutMs: 5 * MINUTE_MS, testTimeoutMs: MINUTE_MS, inHost: true },
  e2e: { timeoutMs: 15 * MINUTE_MS, testTimeoutMs: 2 * MINUTE_MS, inWorkbench: true },
};

export const SUITE_NAMES = Object.keys(SUITES);

/**
 * @param {string[]} chosen - none: all whose folder exists
 * @returns {Suite[]}
 */
export function findSuites(chosen) {
  const names = chosen.length > 0 ? SUITE_NAMES.filter((name) => chosen.includes(name)) : SUITE_NAMES;
  return names
    .filter((name) => chosen.length > 0 || existsSync(join(root, 'test', name)))
    .map((name) => ({
      name,
      files: testFiles(name),
      needsWorkbench: SUITES[name]?.inHost === true || SUITES[name]?.inWorkbench === true,
    }));
}

/** @param {string} suite */
function testFiles(suite) {
  const folder = join(root, 'test', suite);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => `${suite}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts'))
    .sort();
}

/**
 * @param {Suite} suite
 * @param {RunContext} context
 * @returns {Promise<Row>}
 */
export async function runSuiteByName(suite, context) {
  const started = Date.now();
  console.log(`\n▶ ${suite.name} (${suite.files.length} ${suite.files.length === 1 ? 'file' : 'files'})`);
  const resultsFile = join(context.work, `${suite.name}.json`);
  /** @type {string | null} */
  let problem;
  try {
    problem = SUITES[suite.name]?.inHost ? await runInHost(suite, context, resultsFile) : await runInNode(suite, context, resultsFile);
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  return judgeSuite(suite, { resultsFile, grep: context.grep, problem, started });
}

/**
 * What became of a suite, from the results that it left.
 *
 * @param {Suite} suite
 * @param {{ resultsFile: string, grep: string | null, problem: string | null, started: number }} run
 * @returns {Row}
 */
export function judgeSuite(suite, run) {
  const results = readResults(run.resultsFile);
  const problems = run.problem === null ? [] : [run.problem];
  if (results !== null) problems.push(...missing(suite, results, run.grep));
  else if (run.problem === null) problems.push('it left no results');
  for (const problem of problems) console.log(`✘ ${suite.name}: ${problem}`);
  keepResults(suite.name, results);
  const seconds = (Date.now() - run.started) / 1000;
  return { name: suite.name, files: suite.files.length, results, problems, seconds };
}

/**
 * @param {Suite} suite
 * @param {RunContext} context
 * @param {string} resultsFile
 */
async function runInNode(suite, context, resultsFile) {
  const bundles = join(context.work, 'tests', suite.name);
  await buildTests({ entries: suite.files, folder: bundles });
  const setting = SUITES[suite.name];
  const env = setting?.inWorkbench ? await prepareForWorkbench(context) : {};
  const jobFile = join(context.work, `${suite.name}-job.json`);
  writeFileSync(jobFile, JSON.stringify(makeJob(suite, context, { bundles, resultsFile })));
  const result = await run(process.execPath, ['--enable-source-maps', join(root, 'test/support/nodeSuite.mjs'), jobFile], {
    cwd: root,
    env: { ...process.env, ...env },
    echo: context.live,
    timeoutMs: setting?.timeoutMs ?? MINUTE_MS,
    graceMs: SUITE_GRACE_MS,
  });
  if (!context.live) console.log(result.output.trimEnd());
  // Live, its output has been seen already.
  const output = context.live ? '' : `; its last output:\n${lastLines(result.output)}`;
  if (result.timedOut) return `no end in time${output}`;
  return result.code > 1 ? `its process ended with code ${result.code}${output}` : null;
}

/**
 * Tests bundled inside a staged extension, so that VS Code counts them as part
 * of it.
 *
 * @param {Suite} suite
 * @param {RunContext} context
 * @param {string} resultsFile
 */
export async function stageHostSuite(suite, context, resultsFile) {
  const extensionFolder = join(context.work, 'stage');
  await stage(extensionFolder, { dev: false });
  const bundles = join(extensionFolder, 'test');
  await buildTests({ entries: [...suite.files, 'support/hostRunner.ts'], folder: bundles });
  // The extension host's console goes to VS Code's log: the report goes to a file.
  const reportFile = join(context.work, `${suite.name}.log`);
  const job = makeJob(suite, context, { bundles, resultsFile });
  const runnerFolder = join(bundles, 'support');
  writeFileSync(join(runnerFolder, 'job.json'), JSON.stringify({ ...job, reporter: 'spec', reportFile }));
  return { extensionFolder, testsPath: join(runnerFolder, 'hostRunner.js'), reportFile };
}

/**
 * @param {Suite} suite
 * @param {RunContext} context
 * @param {string} resultsFile
 */
async function runInHost(suite, context, resultsFile) {
  const staged = await stageHostSuite(suite, context, resultsFile);
  const problem = await runHostSuite({
    node: context.node,
    extensionFolder: staged.extensionFolder,
    testsPath: staged.testsPath,
    resultsFile,
    timeoutMs: SUITES[suite.name]?.timeoutMs ?? MINUTE_MS,
  });
  if (existsSync(staged.reportFile)) console.log(readFileSync(staged.reportFile, 'utf8').trimEnd());
  return problem;
}

/**
 * @param {Suite} suite
 * @param {RunContext} context
 * @param {{ bundles: string, resultsFile: string }} where
 * @returns {import('./mochaSuite.mjs').SuiteJob}
 */
function makeJob(suite, context, where) {
  return {
    files: suite.files.map((file) => ({
      source: file,
      bundle: join(where.bundles, file.replace(/\.ts$/, '.js')),
    })),
    resultsFile: where.resultsFile,
    reporter: context.live ? 'spec' : 'dot',
    reportFile: null,
    color: process.stdout.isTTY,
    grep: context.grep,
    timeoutMs: SUITES[suite.name]?.testTimeoutMs ?? null,
  };
}

/** @type {typeof import('../../esbuild.mjs').buildTests} */
async function buildTests(options) {
  // Not at the top: on a fresh clone esbuild is installed first.
  const builder = await import('../../esbuild.mjs');
  return builder.buildTests(options);
}

/**
 * What users get: the package, unpacked into an extensions folder.
 *
 * @param {RunContext} context
 * @returns {Promise<Record<string, string>>} environment for the tests' process
 */
export async function prepareForWorkbench(context) {
  const staged = join(context.work, 'package');
  const vsix = join(context.work, vsixName());
  const extensions = join(context.work, 'extensions');
  await stage(staged, { dev: false });
  await packageVsix(staged, vsix);
  installVsix(vsix, extensions);
  installDriver(extensions);
  return { LOUPE_TEST_NODE: context.node, LOUPE_TEST_EXTENSIONS: extensions };
}

/**
 * @param {string} file
 * @returns {import('./mochaSuite.mjs').SuiteResults | null}
 */
function readResults(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/**
 * The ways in which a run that looks green is none.
 *
 * @param {Suite} suite
 * @param {import('./mochaSuite.mjs').SuiteResults} results
 * @param {string | null} grep
 * @returns {string[]}
 */
function missing(suite, results, grep) {
  const problems = [];
  if (results.error !== null) problems.push(results.error);
  const notLoaded = suite.files.filter((file) => !results.loaded.includes(file));
  if (notLoaded.length > 0) problems.push(`no tests came from ${notLoaded.join(', ')}`);
  if (results.registered === 0) problems.push('it registered no tests');
  const expected = grep === null ? results.registered : results.selected;
  const ran = results.passed + results.failed + results.pending;
  if (ran < expected) problems.push(`only ${ran} of ${expected} tests ran`);
  if (results.pending > 0) problems.push(`${results.pending} tests were skipped`);
  return problems;
}

/**
 * @param {string} name
 * @param {unknown} results
 */
function keepResults(name, results) {
  const folder = join(outFolder, 'results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(results, null, 2));
}
