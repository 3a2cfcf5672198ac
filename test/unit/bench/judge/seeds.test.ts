import assert from 'node:assert/strict';
import { seedsOf } from '../../../bench/judge/seeds.js';

describe('the seeds of a run', () => {
  it('follow from the commit', () => {
    // The beginning of the SHA-256 of "abc", from FIPS 180-2.
    assert.deepEqual(seedsOf('abc'), [0xba7816bf, 0x8f01cfea, 0x414140de]);
  });
});
