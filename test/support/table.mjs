// The end of a test run: one line per suite, and one that counts them all.

/** Files that are named because they took longest. */
const SLOWEST = 12;

const HEADING = ['suite', 'files', 'registered', 'passed', 'failed', 'seconds', ''];

/**
 * @param {import('./judge.mjs').Row[]} rows
 * @param {{ failedChecks: string[], grep: string | null }} context
 * @returns {boolean} whether all is well
 */
export function printTable(rows, context) {
  console.log(`\n${align([HEADING, ...rows.map(toCells)]).join('\n')}`);
  console.log(slowest(rows));
  // Here again, below the dots of thousands that passed.
  for (const failure of rows.flatMap(({ results }) => results?.failures ?? [])) console.log(`✘ ${failure}`);
  for (const check of context.failedChecks) console.log(`✘ ${check} failed`);
  const passed = sum(rows.map((row) => row.results?.passed ?? 0));
  const failed = context.failedChecks.length + sum(rows.map(failures));
  const nothing = passed + failed === 0;
  if (nothing) console.log(context.grep === null ? 'There are no tests.' : 'No test matches.');
  console.log(`${passed} passed, ${nothing ? 1 : failed} failed`);
  return failed === 0 && !nothing;
}

/**
 * A suite that did not run as it should counts as a failure even when no test
 * says so.
 *
 * @param {import('./judge.mjs').Row} row
 */
function failures(row) {
  return (row.results?.failed ?? 0) + row.problems.length;
}

/** @param {import('./judge.mjs').Row} row */
function toCells(row) {
  const [problem = ''] = (row.problems[0] ?? '').split('\n');
  return [
    row.name,
    String(row.files),
    String(row.results?.registered ?? '-'),
    String(row.results?.passed ?? '-'),
    String(failures(row)),
    row.seconds.toFixed(1),
    problem,
  ];
}

/** @param {import('./judge.mjs').Row[]} rows */
function slowest(rows) {
  const all = rows.flatMap(({ results }) => Object.entries(results?.seconds ?? {}));
  const found = all.sort(([, a], [, b]) => b - a).slice(0, SLOWEST);
  return found.map(([file, seconds]) => `${seconds.toFixed(0).padStart(5)} s  ${file}`).join('\n');
}

/**
 * The first column to the left, the numbers to the right.
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

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
