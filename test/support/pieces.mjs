// Runs a piece of a suite: some of its files in one process or in one VS Code.

import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOST_BROWSER } from './browser.mjs';
import { runHostSuite } from './hostSuite.mjs';
import { readResults } from './judge.mjs';
import { timeLimit } from './limits.mjs';
import { temporaryInMemory } from './memoryFolder.mjs';
import { root } from './paths.mjs';
import { lastLines, run } from './processes.mjs';
import { needsBrowser, settingsOf } from './suites.mjs';
import { installDriver, installVsix, packageVsix, stage, vsixName } from './vsix.mjs';

/** A suite's process first ends its own servers. */
const SUITE_GRACE_MS = 15_000;

/** Programs that run with the tests of the extension host: their runner, and a window in its own process. */
const HOST_PROGRAMS = ['support/hostRunner.ts', 'support/host/windowProgram.ts'];

/** @typedef {import('./suites.mjs').Suite} Suite */

/**
 * @typedef {object} RunContext
 * @property {string} work - this run's own folder
 * @property {string} bundles - with the tests that run outside the extension host
 * @property {Promise<string>} node - the Node of VS Code's server, when all parts for these tests are installed
 * @property {() => Promise<string>} staged - the folder of the extension as it is packaged, which is built once
 * @property {() => Promise<string>} vsix - the path of the package, which is made once
 * @property {string | null} grep
 * @property {'spec' | 'dot'} reporter
 * @property {boolean} echo - show the output as it comes
 */

/**
 * @typedef {object} PieceFiles - the files that a piece leaves in the run's folder
 * @property {string} job
 * @property {string} results
 * @property {string} extensions - a folder, for the pieces that start VS Code with the package
 */

/**
 * Runs a piece to its end in all cases.
 *
 * @param {Suite} piece
 * @param {string} id - tells it from the others of this run
 * @param {RunContext} context
 * @returns {Promise<import('./judge.mjs').PieceEnd>}
 */
export async function runPiece(piece, id, context) {
  const started = Date.now();
  const files = {
    job: join(context.work, `${id}-job.json`),
    results: join(context.work, `${id}.json`),
    extensions: join(context.work, `${id}-extensions`),
  };
  /** @type {{ output: string, problem: string | null }} */
  let end;
  try {
    const runIn = settingsOf(piece.name).inHost ? runInHost : runInNode;
    end = await runIn(piece, context, files);
  } catch (error) {
    end = { output: '', problem: error instanceof Error ? error.message : String(error) };
  }
  return { piece, results: readResults(files.results), seconds: (Date.now() - started) / 1000, ...end };
}

/**
 * @param {Suite} piece
 * @param {RunContext} context
 * @param {PieceFiles} files
 */
async function runInNode(piece, context, files) {
  const { timeoutMs, nodeArgs, inMemory, inWorkbench } = settingsOf(piece.name);
  if (needsBrowser(piece.name)) await context.node;
  const env = inWorkbench
    ? installForWorkbench({ vsix: await context.vsix(), extensions: files.extensions, node: await context.node })
    : {};
  writeFileSync(files.job, JSON.stringify(makeJob(piece, context, { bundles: context.bundles, results: files.results })));
  const result = await run(process.execPath, ['--enable-source-maps', ...nodeArgs, join(root, 'test/support/nodeSuite.mjs'), files.job], {
    cwd: root,
    env: { ...process.env, ...env, ...(inMemory ? temporaryInMemory() : {}) },
    echo: context.echo,
    timeoutMs: timeLimit(timeoutMs),
    graceMs: SUITE_GRACE_MS,
  });
  if (result.code === LOST_BROWSER.code) return { output: '', problem: LOST_BROWSER.problem };
  // With echo it was shown already.
  const output = context.echo ? '' : result.output;
  const last = context.echo ? '' : `; its last output:\n${lastLines(output)}`;
  if (result.timedOut) return { output, problem: `no end in time of ${piece.files.join(', ')}${last}` };
  return { output, problem: result.code > 1 ? `its process ended with code ${result.code}${last}` : null };
}

/**
 * Bundles tests inside a staged extension, so that VS Code counts them as a part of it.
 *
 * @param {Suite} suite
 * @param {Pick<RunContext, 'work' | 'grep' | 'staged'>} context
 * @param {string} results - the file for them
 */
export async function stageHostSuite(suite, context, results) {
  const extensionFolder = join(context.work, 'host');
  rmSync(extensionFolder, { recursive: true, force: true });
  cpSync(await context.staged(), extensionFolder, { recursive: true });
  const bundles = join(extensionFolder, 'test');
  const { buildTests } = await import('../../esbuild.mjs');
  await buildTests({ entries: [...suite.files, ...HOST_PROGRAMS], folder: bundles });
  // The extension host's console goes to VS Code's log, so the report goes to a file.
  const reportFile = join(context.work, `${suite.name}.log`);
  const job = { ...makeJob(suite, { ...context, reporter: 'spec' }, { bundles, results }), reportFile };
  const runnerFolder = join(bundles, 'support');
  writeFileSync(join(runnerFolder, 'job.json'), JSON.stringify(job));
  return { extensionFolder, testsPath: join(runnerFolder, 'hostRunner.js'), reportFile };
}

/**
 * @param {Suite} suite
 * @param {RunContext} context
 * @param {PieceFiles} files
 */
async function runInHost(suite, context, files) {
  const staged = await stageHostSuite(suite, context, files.results);
  const problem = await runHostSuite({
    node: await context.node,
    extensionFolder: staged.extensionFolder,
    testsPath: staged.testsPath,
    resultsFile: files.results,
    timeoutMs: timeLimit(settingsOf(suite.name).timeoutMs),
  });
  return { output: existsSync(staged.reportFile) ? readFileSync(staged.reportFile, 'utf8') : '', problem };
}

/**
 * @param {Suite} suite
 * @param {Pick<RunContext, 'grep' | 'reporter'>} context
 * @param {{ bundles: string, results: string }} where
 * @returns {import('./mochaSuite.mjs').SuiteJob}
 */
function makeJob(suite, context, where) {
  return {
    files: suite.files.map((file) => ({
      source: file,
      bundle: join(where.bundles, file.replace(/\.ts$/, '.js')),
    })),
    resultsFile: where.results,
    reporter: context.reporter,
    reportFile: null,
    color: process.stdout.isTTY,
    grep: context.grep,
    timeoutMs: settingsOf(suite.name).testTimeoutMs,
  };
}

/**
 * The packaged extension, built at first use.
 *
 * @param {string} work - this run's own folder
 * @returns {Pick<RunContext, 'staged' | 'vsix'>}
 */
export function planPackage(work) {
  const folder = join(work, 'package');
  const file = join(work, vsixName());
  /** @type {Promise<string> | undefined} */
  let staged;
  /** @type {Promise<string> | undefined} */
  let vsix;
  const stageOnce = () => (staged ??= stage(folder, { dev: false }).then(() => folder));
  return {
    staged: stageOnce,
    vsix: () =>
      (vsix ??= stageOnce()
        .then(() => packageVsix(folder, file))
        .then(() => file)),
  };
}

/**
 * Unpacks the package into an extensions folder. VS Code's server writes into it, so parallel servers have one each.
 *
 * @param {{ vsix: string, extensions: string, node: string }} options
 * @returns {Record<string, string>} environment for the tests' process
 */
export function installForWorkbench({ vsix, extensions, node }) {
  installVsix(vsix, extensions);
  installDriver(extensions);
  return { LOUPE_TEST_NODE: node, LOUPE_TEST_EXTENSIONS: extensions };
}
