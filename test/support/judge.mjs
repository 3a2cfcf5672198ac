// Whether a suite passed and really ran.

import { existsSync, readFileSync } from 'node:fs';

/** @typedef {import('./mochaSuite.mjs').SuiteResults} SuiteResults */

/**
 * @typedef {object} Row - one line of the table at the end
 * @property {string} name
 * @property {number} files
 * @property {SuiteResults} results
 * @property {string[]} problems - why it failed, besides failed tests
 * @property {number} seconds - of all its processes together
 */

/**
 * @typedef {object} PieceEnd - the end of one piece of a suite
 * @property {import('./suites.mjs').Suite} piece
 * @property {string} output
 * @property {SuiteResults | null} results
 * @property {string | null} problem - what went wrong besides a test
 * @property {number} seconds
 */

/**
 * Returns the result of a suite.
 *
 * @param {import('./suites.mjs').Suite} suite
 * @param {PieceEnd[]} ends
 * @param {string | null} grep
 * @returns {Row}
 */
export function judgeSuite(suite, ends, grep) {
  const problems = ends.flatMap((end) => problemsOf(end, grep));
  /** @type {SuiteResults} */
  const results = { files: Object.assign({}, ...ends.map((end) => end.results?.files)), error: null };
  const files = Object.values(results.files);
  if (files.every(({ registered }) => registered === 0) && problems.length === 0) problems.push('it registered no tests');
  return { name: suite.name, files: suite.files.length, results, problems, seconds: sum(ends.map(({ seconds }) => seconds)) };
}

/**
 * @param {string} file
 * @returns {SuiteResults | null}
 */
export function readResults(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/**
 * Returns the ways in which an apparently green piece did not run as it should.
 *
 * @param {PieceEnd} end
 * @param {string | null} grep
 * @returns {string[]}
 */
function problemsOf({ piece, results, problem }, grep) {
  if (problem !== null) return [problem];
  if (results === null) return [`no results came from ${piece.files.join(', ')}`];
  if (results.error !== null) return [results.error];
  const silent = piece.files.filter((file) => results.files[file] === undefined);
  const files = Object.entries(results.files).flatMap(([name, file]) => fileProblems(name, file, grep));
  return [...(silent.length > 0 ? [`no tests came from ${silent.join(', ')}`] : []), ...files];
}

/**
 * @param {string} name
 * @param {import('./mochaSuite.mjs').FileResults} file
 * @param {string | null} grep
 */
function fileProblems(name, { registered, selected, passed, pending, failures }, grep) {
  const expected = grep === null ? registered : selected;
  const ran = passed + failures.length + pending;
  return [
    ...(ran < expected ? [`only ${ran} of ${expected} tests of ${name} ran`] : []),
    ...(pending > 0 ? [`${pending} tests of ${name} were skipped`] : []),
  ];
}

/** @param {number[]} numbers */
export function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
