import assert from 'node:assert/strict';
import { BoundedMemo } from '../../../src/engine/tokens/encodingCounter.js';

describe('BoundedMemo', () => {
  it('remembers values, 0 too', () => {
    const memo = new BoundedMemo(2, 100);
    memo.set('', 0);
    assert.equal(memo.get(''), 0);
    assert.equal(memo.get('other'), undefined);
  });

  it('forgets the text that was not asked for the longest beyond its number of texts', () => {
    const memo = new BoundedMemo(2, 100);
    memo.set('a', 1);
    memo.set('b', 2);
    memo.get('a');
    memo.set('c', 3);
    assert.deepEqual([memo.get('a'), memo.get('b'), memo.get('c')], [1, undefined, 3]);
  });

  it('forgets as many as it takes beyond its number of characters', () => {
    const memo = new BoundedMemo(10, 10);
    memo.set('aaaa', 1);
    memo.set('bbbb', 2);
    memo.set('cccccccc', 3);
    assert.deepEqual([memo.get('aaaa'), memo.get('bbbb'), memo.get('cccccccc')], [undefined, undefined, 3]);
  });

  it('does not remember a text over its number of characters, and keeps the others', () => {
    const memo = new BoundedMemo(10, 10);
    memo.set('a', 1);
    memo.set('b'.repeat(11), 2);
    assert.deepEqual([memo.get('a'), memo.get('b'.repeat(11))], [1, undefined]);
  });

  it('counts a text that is set again once', () => {
    const memo = new BoundedMemo(10, 10);
    for (let round = 0; round < 5; round += 1) {
      memo.set('aaaa', round);
    }
    memo.set('bbbb', 1);
    assert.deepEqual([memo.get('aaaa'), memo.get('bbbb')], [4, 1]);
  });
});
