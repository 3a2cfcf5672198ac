import assert from 'node:assert/strict';
import { repeatedRules } from '../../../src/engine/context/repeatedRules.js';

const line = (at: number): string => `Rule number ${String(at)} says what the part ${String(at)} of the program does.`;
const lines = (from: number, to: number): string => Array.from({ length: to - from }, (_, at) => line(from + at)).join('\n');
const found = (...texts: readonly string[]): readonly string[] =>
  repeatedRules(texts.map((text, at) => ({ key: 'abcdef'.charAt(at), text }))).map(
    ({ key, of, share }) => `${key} of ${of}: ${String(Math.round(share * 100))} %`,
  );

describe('a rule that another rule repeats', () => {
  it('is the smaller one, if at least four fifths of its text are in the larger one', () => {
    assert.deepEqual(found(lines(0, 20), lines(0, 10)), ['b of a: 100 %']);
    assert.deepEqual(found(lines(2, 12), lines(0, 20)), ['a of b: 100 %']);
    assert.deepEqual(found(lines(10, 30), lines(12, 22)), ['b of a: 100 %']);
    assert.deepEqual(found(lines(10, 30), `${lines(12, 20)}\n${lines(50, 52)}`), ['b of a: 80 %']);
    assert.deepEqual(found(lines(10, 30), `${lines(12, 19)}\n${lines(50, 53)}`), []);
  });

  it('may have other headings, lists, blanks and cases', () => {
    const list = lines(10, 20).replaceAll(/^/gm, '  - **').replaceAll('.', '.**').toUpperCase();
    assert.deepEqual(found(lines(10, 20), `# Other title of the file\n\n${list}`), ['a of b: 100 %']);
  });

  it('is the later one of equal rules, and all but one of several', () => {
    assert.deepEqual(found(lines(0, 20), lines(0, 20), lines(0, 20)), ['b of a: 100 %', 'c of a: 100 %']);
    assert.deepEqual(found(lines(10, 40), lines(10, 30), lines(10, 20)), ['b of a: 100 %', 'c of a: 100 %']);
  });

  it('has enough text: short rules and short lines are often equal by chance', () => {
    assert.deepEqual(found(lines(0, 3), lines(0, 3)), []);
    const short = Array.from({ length: 100 }, (_, at) => `npm run ${String(at)}`).join('\n');
    assert.deepEqual(found(short, short), []);
  });
});
