import assert from 'node:assert/strict';
import { differenceTo, withDifference, type Comparison, type Difference } from '../../../src/engine/record/difference.js';

interface Item {
  readonly name: string;
  readonly content: string;
  readonly place: number;
}

/** An item can move. Another content makes it a new item. */
const COMPARISON: Comparison<Item> = {
  key: ({ name }) => name,
  change: (before, { content, place }) => (before.content !== content ? null : before.place === place ? {} : { place }),
};

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => ({ name, content: 'x', place: 0 })) as [Item, Item, Item, Item];

function difference(base: readonly Item[], next: readonly Item[]): Difference<Item> {
  const pieces = differenceTo(base, next, COMPARISON);
  assert.deepEqual(withDifference(base, pieces), next);
  return pieces;
}

describe('the difference between two lists', () => {
  it('names what is kept by its place', () => {
    assert.deepEqual(difference([a, b, c, d], [a, b, c, d]), [[0, 4]]);
    assert.deepEqual(difference([a, b, c, d], [d, a, b]), [3, [0, 2]]);
    assert.deepEqual(difference([a, b], []), []);
  });

  it('has new items in full, and of changed ones what has changed', () => {
    const other = { ...b, content: 'y' };
    const moved = [b, c].map((item) => ({ ...item, place: 1 }));
    assert.deepEqual(difference([a, b, c], [d, a, other]), [{ put: [d] }, 0, { put: [other] }]);
    assert.deepEqual(difference([a, b, c], [a, ...moved]), [0, { keep: [1, 3], as: { place: 1 } }]);
    assert.deepEqual(difference([a, b, c], [a, b, { ...c, place: 2 }]), [[0, 2], { keep: [2, 3], as: { place: 2 } }]);
  });

  it('cannot be applied to a list that does not have what it names', () => {
    for (const pieces of [[0], [[0, 1]], [[-1, 0]], [[0, 0]], [[1, 0]], [{ keep: [0, 1], as: {} }]] as Difference<Item>[]) {
      assert.throws(() => withDifference([], pieces), RangeError);
    }
  });
});
