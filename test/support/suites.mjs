// The test suites and their files.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

const MINUTE_MS = 60_000;

/**
 * @typedef {object} Suite
 * @property {string} name - its folder below test/
 * @property {string[]} files - below test/
 */

/**
 * @typedef {object} SuiteSettings
 * @property {number} timeoutMs - for each of its processes, on a quiet machine
 * @property {number | null} testTimeoutMs - for one test, on a quiet machine; null: Mocha's
 * @property {number} filesOfPiece - how many files one process runs, at most
 * @property {readonly string[]} nodeArgs - for the Node of its processes
 * @property {true} [inMemory] - its temporary files need no disk
 * @property {true} [inBrowser] - with the webview alone in a browser
 * @property {true} [inHost] - inside VS Code's extension host
 * @property {true} [inWorkbench] - with the package in VS Code
 * @property {true} [secondTry] - a failed test gets one
 */

/** Random values are short-lived: fewer collections save a tenth of a core. Not for measurements of memory. */
const MUCH_GARBAGE = ['--max-semi-space-size=64'];

/**
 * The limits end processes that hang. Each test has its own limit, so these leave room for another lane on the same
 * cores: one process runs the whole suite of the extension host, in 150 s alone.
 *
 * A piece is large enough to be worth starting a process, and small enough for all lanes to end at about the same time.
 *
 * @type {Record<string, SuiteSettings>}
 */
const SUITES = {
  unit: { timeoutMs: 5 * MINUTE_MS, testTimeoutMs: null, filesOfPiece: 50, nodeArgs: [], inMemory: true },
  property: { timeoutMs: 10 * MINUTE_MS, testTimeoutMs: 2 * MINUTE_MS, filesOfPiece: 8, nodeArgs: MUCH_GARBAGE, inMemory: true },
  wire: { timeoutMs: 5 * MINUTE_MS, testTimeoutMs: null, filesOfPiece: 20, nodeArgs: [] },
  faults: { timeoutMs: 10 * MINUTE_MS, testTimeoutMs: MINUTE_MS, filesOfPiece: 6, nodeArgs: [] },
  page: { timeoutMs: 10 * MINUTE_MS, testTimeoutMs: MINUTE_MS, filesOfPiece: 10, nodeArgs: [], inBrowser: true },
  host: { timeoutMs: 15 * MINUTE_MS, testTimeoutMs: MINUTE_MS, filesOfPiece: Infinity, nodeArgs: [], inHost: true, secondTry: true },
  e2e: { timeoutMs: 15 * MINUTE_MS, testTimeoutMs: 2 * MINUTE_MS, filesOfPiece: 20, nodeArgs: [], inWorkbench: true, secondTry: true },
};

export const SUITE_NAMES = Object.keys(SUITES);

/**
 * @param {string} name
 * @returns {SuiteSettings}
 */
export function settingsOf(name) {
  const settings = SUITES[name];
  if (settings === undefined) throw new Error(`There is no suite ${name}.`);
  return settings;
}

/** @param {string} name */
export function needsWorkbench(name) {
  const { inHost, inWorkbench } = settingsOf(name);
  return inHost === true || inWorkbench === true;
}

/** @param {string} name */
export function needsBrowser(name) {
  return needsWorkbench(name) || settingsOf(name).inBrowser === true;
}

/** @param {string} file - below test/ */
export function suiteOfFile(file) {
  return file.split('/', 1)[0] ?? '';
}

/**
 * @param {{ suites: string[], files: string[] }} chosen - nothing: all whose folder exists
 * @returns {Suite[]}
 */
export function findSuites(chosen) {
  if (chosen.files.length > 0) {
    return SUITE_NAMES.map((name) => ({ name, files: chosen.files.filter((file) => suiteOfFile(file) === name) })).filter(
      ({ files }) => files.length > 0,
    );
  }
  const names = SUITE_NAMES.filter((name) =>
    chosen.suites.length > 0 ? chosen.suites.includes(name) : existsSync(join(root, 'test', name)),
  );
  return names.map((name) => ({ name, files: testFiles(name) }));
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
 * Splits a suite into pieces with about equal numbers of files. Each runs in its own process.
 *
 * @param {Suite} suite
 * @returns {Suite[]} at least one, also when there are no files
 */
export function splitSuite(suite) {
  const { filesOfPiece } = settingsOf(suite.name);
  const count = Math.max(1, Math.ceil(suite.files.length / filesOfPiece));
  const length = suite.files.length / count;
  return Array.from({ length: count }, (_, index) => ({
    name: suite.name,
    files: suite.files.slice(Math.round(index * length), Math.round((index + 1) * length)),
  }));
}
