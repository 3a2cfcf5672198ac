import assert from 'node:assert/strict';
import fc from 'fast-check';
import { NO_RANK, RankTable } from '../../../src/engine/tokens/rankTable.js';
import { writeRankTable } from '../../../src/engine/tokens/rankTableWriter.js';
import { forAll } from '../../support/forAll.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function rankOf(table: RankTable, token: Uint8Array): number {
  return table.rank(token, 0, token.length);
}

describe('a rank table', () => {
  it('gives each token its rank, and nothing else one', () => {
    const table = new RankTable(writeRankTable({ pattern: '.', tokens: ['a', 'b', 'ab', 'abc'].map(bytes) }));
    const ranks = ['a', 'b', 'ab', 'abc'].map((token) => rankOf(table, bytes(token)));
    assert.deepEqual(ranks, [0, 1, 2, 3]);
    const others = ['c', 'ba', 'abcd', ''].map((token) => rankOf(table, bytes(token)));
    assert.deepEqual(others, Array(4).fill(NO_RANK));
    assert.equal(table.longest, 3);
  });

  it('looks at a part of the bytes', () => {
    const table = new RankTable(writeRankTable({ pattern: '.', tokens: [bytes('ab')] }));
    assert.equal(table.rank(bytes('xaby'), 1, 3), 0);
    assert.equal(table.rank(bytes('xaby'), 0, 3), NO_RANK);
  });

  it('keeps the pattern, whatever its length', () => {
    for (const pattern of ['', 'a', 'ab', 'abc', '\\p{L}+|é']) {
      assert.equal(new RankTable(writeRankTable({ pattern, tokens: [bytes('a')] })).pattern, pattern);
    }
  });

  it('takes ranks without a token', () => {
    const table = new RankTable(writeRankTable({ pattern: '.', tokens: [undefined, bytes('a'), undefined, bytes('b')] }));
    const ranks = ['a', 'b'].map((token) => rankOf(table, bytes(token)));
    assert.deepEqual(ranks, [1, 3]);
  });

  it('is found where it was read into: at any aligned place of a buffer', () => {
    const file = writeRankTable({ pattern: '.', tokens: [bytes('a'), bytes('bc')] });
    const buffer = new Uint8Array(file.length + 8);
    buffer.set(file, 8);
    assert.equal(rankOf(new RankTable(buffer.subarray(8)), bytes('bc')), 1);
  });

  it('refuses another file', () => {
    assert.throws(() => new RankTable(new Uint8Array(64)), /no rank table/);
  });

  it('finds what a map finds, for any tokens', () => {
    forAll(
      fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('a', 'b', 'c', 'é') }), { minLength: 1 }),
      fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'b', 'c', 'é') }),
      (tokens, other) => {
        const table = new RankTable(writeRankTable({ pattern: '.', tokens: tokens.map(bytes) }));
        for (const text of [...tokens, other]) {
          assert.equal(rankOf(table, bytes(text)), tokens.indexOf(text));
        }
      },
    );
  });
});
