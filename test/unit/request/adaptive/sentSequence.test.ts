import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { sentSequence } from '../../../../src/engine/request/layout/adaptive/sentSequence.js';
import type { SentBlock } from '../../../../src/engine/request/layout/situation.js';

const block = (role: SentBlock['role'], part: number): SentBlock => ({
  key: `message/${String(part)}`,
  role,
  hash: 'h',
  tokens: 2,
  tier: 'active',
  category: 'conversation',
  item: null,
  form: 'full',
  opens: false,
  since: 1,
  content: null,
  source: { from: 'message', messageId: 'reply', part },
  part: null,
});

describe('the last request as a sequence', () => {
  it('is made by looking at each block of a reply once, however many calls it has', () => {
    const parts = Array.from({ length: 400 }, (_, part) => part);
    const blocks = [...parts.map((part) => block('assistant', part)), ...parts.map((part) => block('tool-results', part))];
    // The constructor of a set calls it too.
    const add = mock.method(Set.prototype, 'add');
    try {
      const { entries } = sentSequence({ blocks, marks: [], ordinal: 1, isSameModel: true, cached: 0, alive: 0 });
      assert.ok(add.mock.callCount() <= blocks.length, `${String(add.mock.callCount())} parts were added`);
      assert.deepEqual(entries, [{ kind: 'unit', key: 'reply', parts: new Set(parts), tokens: 1_600 }]);
    } finally {
      add.mock.restore();
    }
  });
});
