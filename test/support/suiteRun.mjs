// A run of a suite: its pieces, which can run in parallel with anything else, and their common result.

import { judgeSuite } from './judge.mjs';
import { runPiece } from './pieces.mjs';
import { splitSuite } from './suites.mjs';

/**
 * @typedef {object} SuiteRun
 * @property {import('./suites.mjs').Suite} suite
 * @property {(() => Promise<void>)[]} tasks - its pieces; none of them rejects
 * @property {import('./judge.mjs').PieceEnd[]} ends - of the tasks that have ended
 * @property {() => import('./judge.mjs').Row} row - for when all tasks have ended
 */

/**
 * Shows the output of a suite at once, when its last task has ended.
 *
 * @param {import('./suites.mjs').Suite} suite
 * @param {import('./pieces.mjs').RunContext} context
 * @returns {SuiteRun}
 */
export function planSuite(suite, context) {
  const pieces = splitSuite(suite);
  /** @type {import('./judge.mjs').PieceEnd[]} */
  const ends = [];
  const tasks = pieces.map((piece, index) => async () => {
    if (context.echo) announce(suite);
    const end = await runPiece(piece, `${suite.name}-${index}`, context);
    ends.push(end);
    if (pieces.length > 1) console.log(`${suite.name}: ${ends.length} of ${pieces.length} parts, ${end.seconds.toFixed(1)} s`);
    if (ends.length < pieces.length) return;
    if (!context.echo) announce(suite);
    for (const { output } of ends) if (output !== '') console.log(output.trimEnd());
  });
  return {
    suite,
    tasks,
    ends,
    row: () => {
      if (ends.length < pieces.length) throw new Error(`Only ${ends.length} of ${pieces.length} parts of ${suite.name} have run.`);
      return judgeSuite(suite, ends, context.grep);
    },
  };
}

/** @param {import('./suites.mjs').Suite} suite */
function announce(suite) {
  console.log(`\n▶ ${suite.name} (${suite.files.length} ${suite.files.length === 1 ? 'file' : 'files'})`);
}
