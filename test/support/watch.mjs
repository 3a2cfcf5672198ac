// npm test -- --watch: runs test files again when one of their sources changes.

import { planSuite } from './suiteRun.mjs';
import { printTable } from './table.mjs';

/**
 * Never returns: the user interrupts it.
 *
 * @param {import('./suites.mjs').Suite[]} suites - that run in plain Node
 * @param {import('./pieces.mjs').RunContext} context
 * @returns {Promise<never>}
 */
export async function watchFiles(suites, context) {
  const { watchTests } = await import('../../esbuild.mjs');
  const entries = suites.flatMap(({ files }) => files);
  await watchTests({ entries, folder: context.bundles, built: () => runOnce(suites, context) });
  return new Promise(() => undefined);
}

/**
 * @param {import('./suites.mjs').Suite[]} suites
 * @param {import('./pieces.mjs').RunContext} context
 */
async function runOnce(suites, context) {
  const runs = suites.map((suite) => planSuite(suite, context));
  for (const task of runs.flatMap(({ tasks }) => tasks)) await task();
  const rows = runs.map((each) => each.row());
  printTable(rows, { failedChecks: [], unsteady: [], grep: context.grep });
  console.log('Waiting for a change; Ctrl+C ends.');
}
