// The second try of tests in a real VS Code, which other work on the computer can disturb. A failure that does not
// repeat is listed. It fails the run only together with many others.

import { settingsOf } from './suites.mjs';

/** After more failures there is no second try. */
const MOST_UNSTEADY = 3;

/** @typedef {import('./suites.mjs').Suite} Suite */
/** @typedef {import('./mochaSuite.mjs').Failure & { file: string }} UnsteadyTest - with its first failure */

/**
 * Runs each file with a failed test again, alone in a new window, because the tests of a file depend on each other. If
 * the file passes, these results replace the first ones.
 *
 * @param {Pick<import('./suiteRun.mjs').SuiteRun, 'suite' | 'ends'>[]} runs - that have ended
 * @param {(piece: Suite, id: string) => Promise<import('./judge.mjs').PieceEnd>} run - of a piece
 * @returns {Promise<UnsteadyTest[]>} the tests that passed only then
 */
export async function tryAgain(runs, run) {
  const failed = runs.filter(({ suite }) => settingsOf(suite.name).secondTry === true).flatMap(({ ends }) => ends.flatMap(failedFiles));
  const count = failed.reduce((total, { failures }) => total + failures.length, 0);
  if (count > MOST_UNSTEADY) console.log(`\n${count} tests failed in VS Code. At most ${MOST_UNSTEADY} get a second try.`);
  /** @type {UnsteadyTest[]} */
  const unsteady = [];
  for (const [index, { end, file, failures }] of (count > MOST_UNSTEADY ? [] : failed).entries()) {
    console.log(`\nSecond try of ${file}, which failed: ${failures.map(({ title }) => title).join(', ')}`);
    const { results, output, problem } = await run({ name: end.piece.name, files: [file] }, `again-${index}`);
    console.log(output.trimEnd());
    const second = results?.files[file];
    if (problem !== null || results?.error !== null || second === undefined || second.failures.length > 0) continue;
    if (end.results !== null) end.results.files[file] = second;
    unsteady.push(...failures.map((failure) => ({ file, ...failure })));
  }
  return unsteady;
}

/** @param {import('./judge.mjs').PieceEnd} end */
function failedFiles(end) {
  // After other problems, a separate window shows nothing new.
  if (end.problem !== null || end.results === null || end.results.error !== null) return [];
  return Object.entries(end.results.files)
    .filter(([, { failures }]) => failures.length > 0)
    .map(([file, { failures }]) => ({ end, file, failures }));
}
