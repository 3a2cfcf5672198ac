import assert from 'node:assert/strict';
import { judgeSuite, type PieceEnd } from '../../support/judge.mjs';
import type { FileResults, SuiteResults } from '../../support/mochaSuite.mjs';
import { tryAgain } from '../../support/secondTry.mjs';

const TWO = 'e2e/two.test.ts';
const ONE = 'e2e/one.test.ts';

const file = (passed: number, ...titles: string[]): FileResults => ({
  registered: passed + titles.length,
  selected: passed + titles.length,
  passed,
  pending: 0,
  failures: titles.map((title) => ({ title, message: `no ${title}` })),
  seconds: 1,
});

const end = (name: string, files: SuiteResults['files']): PieceEnd => ({
  piece: { name, files: Object.keys(files) },
  output: '',
  results: { files, error: null },
  problem: null,
  seconds: 1,
});

async function retry(first: PieceEnd, second: SuiteResults['files']) {
  const tried: string[] = [];
  const run = { suite: first.piece, ends: [first] };
  const unsteady = await tryAgain([run], (piece) => {
    tried.push(...piece.files);
    return Promise.resolve(end(piece.name, Object.fromEntries(piece.files.map((name) => [name, second[name]!]))));
  });
  const row = judgeSuite(run.suite, run.ends, null);
  const failures = Object.values(row.results.files).flatMap((each) => each.failures.map(({ title }) => title));
  return { tried, unsteady, failures, problems: row.problems };
}

describe('the second try of a failed test', () => {
  it('runs its file alone: a test that passes then is listed with its first failure', async () => {
    const found = await retry(end('e2e', { [ONE]: file(3), [TWO]: file(1, 'draft') }), { [TWO]: file(2) });
    assert.deepEqual(found, { tried: [TWO], unsteady: [{ file: TWO, title: 'draft', message: 'no draft' }], failures: [], problems: [] });
  });

  it('fails the run when the test fails again', async () => {
    const found = await retry(end('e2e', { [TWO]: file(1, 'draft') }), { [TWO]: file(1, 'draft') });
    assert.deepEqual([found.unsteady, found.failures], [[], ['draft']]);
  });

  it('fails the run when another test of the file fails then', async () => {
    const found = await retry(end('host', { [TWO]: file(1, 'draft') }), { [TWO]: file(1, 'price') });
    assert.deepEqual([found.unsteady, found.failures], [[], ['draft']]);
  });

  it('counts a hook that failed, and the tests after it that did not run', async () => {
    const broken = { ...file(0, '"before all" hook'), registered: 4, selected: 4 };
    const found = await retry(end('e2e', { [TWO]: broken }), { [TWO]: file(4) });
    assert.deepEqual([found.unsteady.length, found.problems], [1, []]);
    const again = await retry(end('e2e', { [TWO]: broken }), { [TWO]: broken });
    assert.deepEqual(again.problems, [`only 1 of 4 tests of ${TWO} ran`]);
  });

  it('is for at most three failed tests', async () => {
    const found = await retry(end('e2e', { [ONE]: file(0, 'a', 'b'), [TWO]: file(0, 'c', 'd') }), { [ONE]: file(2), [TWO]: file(2) });
    assert.deepEqual([found.tried, found.failures], [[], ['a', 'b', 'c', 'd']]);
  });

  it('is for VS Code only', async () => {
    const found = await retry(end('unit', { 'unit/a.test.ts': file(1, 'sum') }), { 'unit/a.test.ts': file(2) });
    assert.deepEqual([found.tried, found.failures], [[], ['sum']]);
  });

  it('is not for a piece that went wrong as a whole', async () => {
    const found = await retry({ ...end('e2e', { [TWO]: file(1, 'draft') }), problem: 'no end in time' }, { [TWO]: file(2) });
    assert.deepEqual([found.tried, found.problems], [[], ['no end in time']]);
  });
});

describe('a suite that looks green', () => {
  const problemsOf = (change: Partial<PieceEnd>): string[] => {
    const first = { ...end('unit', { [ONE]: file(2) }), ...change };
    return judgeSuite(first.piece, [first], null).problems;
  };
  const only = (results: Partial<FileResults>): SuiteResults => ({ files: { [ONE]: { ...file(2), ...results } }, error: null });

  it('passes when all of its tests did', () => {
    assert.deepEqual(problemsOf({}), []);
  });

  it('fails when tests did not run, were skipped, or came from no file', () => {
    assert.deepEqual(problemsOf({ results: only({ registered: 3 }) }), [`only 2 of 3 tests of ${ONE} ran`]);
    assert.deepEqual(problemsOf({ results: only({ passed: 1, pending: 1 }) }), [`1 tests of ${ONE} were skipped`]);
    assert.deepEqual(problemsOf({ piece: { name: 'unit', files: [ONE, TWO] } }), [`no tests came from ${TWO}`]);
    assert.deepEqual(problemsOf({ results: null }), [`no results came from ${ONE}`]);
    assert.deepEqual(problemsOf({ piece: { name: 'unit', files: [] }, results: { files: {}, error: null } }), ['it registered no tests']);
  });
});
