// A run of a suite: its pieces, each of which may run beside anything else, and what became of them together.

import { judgeSuite } from './judge.mjs';
import { runPiece } from './pieces.mjs';
import { splitSuite } from './suites.mjs';

/**
 * @typedef {object} SuiteRun
 * @property {string} name
 * @property {(() => Promise<void>)[]} tasks - its pieces; none of them rejects
 * @property {() => import('./judge.mjs').Row} row - to be asked for when all tasks have ended
 */

/**
 * The output is shown in one piece, when the last of the tasks has ended.
 *
 * @param {import('./suites.mjs').Suite} suite
 * @param {import('./pieces.mjs').RunContext} context
 * @returns {SuiteRun}
 */
export function planSuite(suite, context) {
  const pieces = splitSuite(suite);
  /** @type {import('./judge.mjs').PieceEnd[]} */
  const ends = [];
  let ended = 0;
  /** @type {import('./judge.mjs').Row | undefined} */
  let row;
  const tasks = pieces.map((piece, index) => async () => {
    if (context.echo) announce(suite);
    const end = await runPiece(piece, `${suite.name}-${index}`, context);
    ends[index] = end;
    ended += 1;
    if (pieces.length > 1) console.log(`${suite.name}: ${ended} of ${pieces.length} parts, ${end.seconds.toFixed(1)} s`);
    if (ended === pieces.length) row = report(suite, ends, context);
  });
  return {
    name: suite.name,
    tasks,
    row: () => {
      if (row === undefined) throw new Error(`Only ${ended} of ${pieces.length} parts of the suite ${suite.name} have run.`);
      return row;
    },
  };
}

/**
 * @param {import('./suites.mjs').Suite} suite
 * @param {import('./judge.mjs').PieceEnd[]} ends
 * @param {import('./pieces.mjs').RunContext} context
 */
function report(suite, ends, context) {
  if (!context.echo) announce(suite);
  for (const { output } of ends) {
    if (output !== '') console.log(output.trimEnd());
  }
  return judgeSuite(suite, ends, context.grep);
}

/** @param {import('./suites.mjs').Suite} suite */
function announce(suite) {
  console.log(`\n▶ ${suite.name} (${suite.files.length} ${suite.files.length === 1 ? 'file' : 'files'})`);
}
