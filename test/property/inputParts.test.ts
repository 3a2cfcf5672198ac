import assert from 'node:assert/strict';
import fc from 'fast-check';
import { partsOf, readEnds } from '../../src/engine/model/inputParts.js';
import { depth } from '../support/depth.mjs';

const tokens = fc.nat({ max: 5_000 });

describe('the tokens read from the cache up to the end of each block', () => {
  it('are the sums of the read parts of the blocks', () => {
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 30 }), tokens, tokens, tokens, (sizes, read, written, fresh) => {
        let sum = 0;
        const sums = partsOf(sizes, { read, written, fresh }).map((part) => (sum += part.read));
        let end = 0;
        const ends = sizes.map((size) => (end += size));
        assert.deepEqual(readEnds(ends, { read, written, fresh }), sums);
      }),
      {
        numRuns: depth({ short: 500, deep: 20_000 }),
        // Half of 61 tokens: the order of the arithmetic decides how it rounds.
        examples: [[[61], 7, 0, 7]],
      },
    );
  });
});
