// The end of a test run: one line per suite, and a total.

import { sum } from './judge.mjs';

/** The number of slowest files in the list. */
const SLOWEST = 12;

const HEADING = ['suite', 'files', 'registered', 'passed', 'failed', 'seconds', ''];

/**
 * @typedef {object} RunEnd - what a run found besides the results of its suites
 * @property {string[]} failedChecks
 * @property {import('./secondTry.mjs').UnsteadyTest[]} unsteady
 * @property {string | null} grep
 */

/**
 * @param {import('./judge.mjs').Row[]} rows
 * @param {RunEnd} end
 * @returns {boolean} whether all is well
 */
export function printTable(rows, { failedChecks, unsteady, grep }) {
  console.log(`\n${align([HEADING, ...rows.map(toCells)]).join('\n')}`);
  console.log(slowest(rows));
  if (unsteady.length > 0) console.log('\nUnsteady: failed, then passed alone. Find the cause (out/results/unsteady.json).');
  for (const { file, title, message } of unsteady) console.log(`! ${file}: ${title}: ${message}`);
  for (const { name, problems } of rows) for (const problem of problems) console.log(`✘ ${name}: ${problem}`);
  // Repeated here, after the dots of thousands of passed tests.
  for (const [file, { failures }] of rows.flatMap(filesOf)) {
    for (const { title, message } of failures) console.log(`✘ ${file}: ${title}: ${message}`);
  }
  for (const check of failedChecks) console.log(`✘ ${check} failed`);
  const passed = sum(rows.map(({ results }) => sum(Object.values(results.files).map((file) => file.passed))));
  const failed = failedChecks.length + sum(rows.map(countFailures));
  const nothing = passed + failed === 0;
  if (nothing) console.log(grep === null ? 'There are no tests.' : 'No test matches.');
  console.log(`${passed} passed, ${nothing ? 1 : failed} failed`);
  return failed === 0 && !nothing;
}

/** @param {import('./judge.mjs').Row} row */
function filesOf({ results }) {
  return Object.entries(results.files);
}

/**
 * A suite that did not run as it should counts as a failure even without a failed test.
 *
 * @param {import('./judge.mjs').Row} row
 */
function countFailures(row) {
  return row.problems.length + sum(filesOf(row).map(([, { failures }]) => failures.length));
}

/** @param {import('./judge.mjs').Row} row */
function toCells(row) {
  const [problem = ''] = (row.problems[0] ?? '').split('\n');
  const files = filesOf(row).map(([, file]) => file);
  return [
    row.name,
    String(row.files),
    String(sum(files.map(({ registered }) => registered))),
    String(sum(files.map(({ passed }) => passed))),
    String(countFailures(row)),
    row.seconds.toFixed(1),
    problem,
  ];
}

/** @param {import('./judge.mjs').Row[]} rows */
function slowest(rows) {
  const all = rows.flatMap(filesOf).sort(([, a], [, b]) => b.seconds - a.seconds);
  return all
    .slice(0, SLOWEST)
    .map(([file, { seconds }]) => `${seconds.toFixed(0).padStart(5)} s  ${file}`)
    .join('\n');
}

/**
 * The first column is left-aligned, numbers are right-aligned.
 *
 * @param {string[][]} lines
 */
function align(lines) {
  const widths = HEADING.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) => {
    const [name = '', ...cells] = line;
    const numbers = cells.slice(0, -1).map((cell, index) => cell.padStart(widths[index + 1] ?? 0));
    return [name.padEnd(widths[0] ?? 0), ...numbers, cells.at(-1)].join('  ').trimEnd();
  });
}
