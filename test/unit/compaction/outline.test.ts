import assert from 'node:assert/strict';
import { outline } from '../../../src/engine/compaction/outline.js';
import { exchanges, history } from '../../support/engine/histories.js';

describe('the outline of a summary', () => {
  it('shows each message once when both folds are open', () => {
    const { earlier, rows, later } = outline(history(exchanges(10, 100)), 10, {
      pinned: new Set(),
      mostSummaryTokens: 500,
      earlierSummary: null,
      opened: new Set(['earlier', 'later']),
    });
    const ids = [earlier.rows ?? [], rows, later.rows ?? []].map((part) => part.map(({ id }) => id));
    assert.deepEqual(ids, [
      ['u0', 'a0', 'u1', 'a1', 'u2', 'a2'],
      ['u3', 'a3', 'u4', 'a4', 'u5', 'a5'],
      ['u6', 'a6', 'u7', 'a7', 'u8', 'a8', 'u9', 'a9'],
    ]);
  });
});
