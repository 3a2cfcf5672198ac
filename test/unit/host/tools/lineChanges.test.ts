import assert from 'node:assert/strict';
import { lineChanges } from '../../../../src/host/tools/workspace/lineChanges.js';
import { longestWork } from '../../../support/longestWork.js';

describe('the lines that a change adds and removes', () => {
  const counts = (before: string | null, after: string | null): number[] => {
    const { added, removed } = lineChanges(before, after);
    return [added, removed];
  };

  it('are those that differ, wherever they stand', () => {
    assert.deepEqual(counts('a\nb\nc\nd\n', 'A\nb\nc\nD\n'), [2, 2]);
    assert.deepEqual(counts('a\nb\n', 'a\nb\nc\n'), [1, 0]);
    assert.deepEqual(counts('a\nb', 'a\nb\n'), [1, 1], 'a last line without its end is another one');
    assert.deepEqual(counts('a\n', 'a\n'), [0, 0]);
  });

  it('are all lines of a file that is made or deleted', () => {
    assert.deepEqual(counts(null, 'a\nb\n'), [2, 0]);
    assert.deepEqual(counts('a\nb', null), [0, 2]);
    assert.deepEqual(counts(null, ''), [0, 0]);
  });

  it('are counted without a stall, whatever the texts are', async () => {
    const lines = (word: string): string =>
      Array.from({ length: 20_000 }, (_, index) => `${word} of a text, number ${String(index)}\n`).join('');
    const [before, after] = [lines('Line'), lines('Other line')];
    const longest = await longestWork(async () => {
      await Promise.resolve();
      assert.deepEqual(counts(`same\n${before}`, `same\n${after}`), [20_000, 20_000]);
    });
    // 30 ms. The rest is for a busy computer.
    assert.ok(longest < 250, `${String(longest)} ms`);
  });
});
