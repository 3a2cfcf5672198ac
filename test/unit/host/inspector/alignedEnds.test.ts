import assert from 'node:assert/strict';
import { alignedEnds } from '../../../../src/host/inspector/alignedEnds.js';

describe('the ends of blocks in the Request Inspector', () => {
  it('are at a breakpoint where the cached part ends, and in proportion before and after it', () => {
    assert.deepEqual(alignedEnds([500, 980, 990, 1_000], [1, 3], { read: 984, written: 16 }), [502, 984, 992, 1_000]);
    assert.deepEqual(alignedEnds([500, 980, 990, 1_000], [1, 2], { read: 976, written: 10 }), [498, 976, 986, 1_000]);
  });

  it('stay where no breakpoint is near', () => {
    const ends = [500, 980, 990, 1_000];
    assert.deepEqual(alignedEnds(ends, [], { read: 984, written: 0 }), ends);
    assert.deepEqual(alignedEnds(ends, [0], { read: 984, written: 0 }), ends);
    assert.deepEqual(alignedEnds(ends, [3], { read: 0, written: 1_000 }), ends);
    assert.deepEqual(alignedEnds(ends, [3], { read: 0, written: 0 }), ends);
    assert.deepEqual(alignedEnds([], [], { read: 0, written: 0 }), []);
  });
});
