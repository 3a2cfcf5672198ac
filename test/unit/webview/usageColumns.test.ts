import assert from 'node:assert/strict';
import type { UsageTableRow } from '../../../src/protocol/usage.js';
import { usageColumns, usageNotes } from '../../../webview/usage/usageColumns.js';

const ROW: UsageTableRow = {
  key: 'c',
  label: 'Tides',
  requests: 2,
  freshTokens: 1_204,
  readTokens: 0,
  writtenTokens: 0,
  outputTokens: 56,
  cost: 0.0123,
  unknownRequests: 0,
};

function names(total: UsageTableRow): readonly string[] {
  return usageColumns(total).map(({ name }) => name);
}

function texts(row: UsageTableRow): readonly string[] {
  return usageColumns(row).map(({ text }) => text(row));
}

describe('The table of usage', () => {
  it('has no column that is 0 throughout', () => {
    assert.deepEqual(names(ROW), ['Requests', 'Fresh', 'Out', 'Cost']);
    assert.deepEqual(names({ ...ROW, readTokens: 7 }), ['Requests', 'Fresh', 'Cached', 'Out', 'Cost']);
    assert.deepEqual(texts({ ...ROW, writtenTokens: 3_000 }), ['2', '1,204', '3,000', '56', '$0.0123']);
  });

  it('has a dash where nobody billed anything, and says what it means', () => {
    const free = { ...ROW, cost: null };
    assert.equal(texts(free).at(-1), '–');
    assert.deepEqual(usageNotes([free], free), ['– means that nobody billed it. The practice model bills nobody.']);
    assert.deepEqual(usageNotes([ROW], ROW), []);
  });

  it('says in plain sentences what is not known', () => {
    const unknown = { ...ROW, unknownRequests: 1 };
    assert.equal(texts(unknown).at(-1), '≥ $0.0123');
    assert.equal(texts({ ...unknown, cost: null }).at(-1), 'unknown');
    assert.deepEqual(usageNotes([unknown], unknown), [
      'The cost is at least this: 1 request reported no usage or has no price.',
      'Sums include estimates where the provider reported less than all.',
    ]);
    assert.match(usageNotes([ROW], { ...ROW, unknownRequests: 2 })[0] ?? '', /2 requests reported no usage or have no price/);
  });
});
