import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { isSame } from '../../src/engine/same.js';

const name = fc.constantFrom('a', 'b', 'c');

/** Values as in the inputs of a request: JSON, missing values, Maps by name, and Sets of names. */
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(0, -0, 1, NaN, '', 'a', true, null, undefined),
    fc.uniqueArray(name).map((names) => new Set(names)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 3 }).map((pairs) => new Map(pairs)),
  ),
}));

describe('two values', () => {
  it('are the same when all their members are', () => {
    fc.assert(fc.property(value, value, (a, b) => isSame(a, b) === isDeepStrictEqual(a, b)));
    fc.assert(fc.property(value, (a) => isSame(a, structuredClone(a))));
  });

  it('that are functions or objects of a class are compared by identity', () => {
    const date = new Date(0);
    assert.deepEqual([isSame(date, date), isSame(date, new Date(0))], [true, false]);
    assert.equal(isSame({ call: () => 1 }, { call: () => 1 }), false);
  });
});
