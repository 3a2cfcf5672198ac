// Whether a suite passed, and whether it really ran.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outFolder } from './paths.mjs';

/** @typedef {import('./mochaSuite.mjs').SuiteResults} SuiteResults */

/**
 * @typedef {object} Row - one line of the table at the end
 * @property {string} name
 * @property {number} files
 * @property {SuiteResults | null} results
 * @property {string[]} problems - why it failed, besides failed tests
 * @property {number} seconds - of all its processes together
 */

/**
 * @typedef {object} PieceEnd - what became of one piece of a suite
 * @property {import('./suites.mjs').Suite} piece
 * @property {string} output
 * @property {string} resultsFile
 * @property {string | null} problem - what went wrong besides a test
 * @property {number} seconds
 */

/**
 * What became of a suite, from the results that its pieces left.
 *
 * @param {import('./suites.mjs').Suite} suite
 * @param {PieceEnd[]} ends
 * @param {string | null} grep
 * @returns {Row}
 */
export function judgeSuite(suite, ends, grep) {
  const left = ends.map(({ resultsFile }) => readResults(resultsFile));
  const results = merge(left.filter((each) => each !== null));
  const problems = ends.flatMap(({ problem }) => problem ?? []);
  const silent = ends.filter(({ problem }, index) => problem === null && left[index] === null);
  problems.push(...silent.map(({ piece }) => `no results came from ${piece.files.join(', ')}`));
  if (results !== null) problems.push(...missing(suite, results, grep));
  for (const problem of problems) console.log(`✘ ${suite.name}: ${problem}`);
  keepResults(suite.name, results);
  return { name: suite.name, files: suite.files.length, results, problems, seconds: sum(ends.map(({ seconds }) => seconds)) };
}

/**
 * @param {string} file
 * @returns {SuiteResults | null}
 */
function readResults(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/**
 * @param {SuiteResults[]} all
 * @returns {SuiteResults | null}
 */
function merge(all) {
  if (all.length === 0) return null;
  const errors = all.flatMap(({ error }) => error ?? []);
  return {
    loaded: all.flatMap(({ loaded }) => loaded),
    registered: sum(all.map(({ registered }) => registered)),
    selected: sum(all.map(({ selected }) => selected)),
    passed: sum(all.map(({ passed }) => passed)),
    failed: sum(all.map(({ failed }) => failed)),
    pending: sum(all.map(({ pending }) => pending)),
    failures: all.flatMap(({ failures }) => failures),
    seconds: Object.assign({}, ...all.map(({ seconds }) => seconds)),
    error: errors.length === 0 ? null : errors.join('\n'),
  };
}

/**
 * The ways in which a run that looks green is none.
 *
 * @param {import('./suites.mjs').Suite} suite
 * @param {SuiteResults} results
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

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
