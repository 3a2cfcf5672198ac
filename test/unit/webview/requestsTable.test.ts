import assert from 'node:assert/strict';
import { FIRST_QUERY, type UsageRequest } from '../../../src/protocol/usage/usage.js';
import { requestsTable } from '../../../webview/usage/requestsTable.js';
import { markup } from '../../support/webview/markup.js';

const COUNTS: UsageRequest = {
  ...{ id: 'a', chatId: 'c', chat: 'Tides', opens: false, isElsewhere: false, local: 0, requests: 3 },
  ...{ purpose: 'Token count', model: 'small', counts: { in: null, cached: null, written: null, out: null }, price: 'unknown' },
};

function shown(request: UsageRequest): string {
  const ports = { ask: () => undefined, open: () => undefined };
  return markup(requestsTable({ count: 1, rows: [request] }, FIRST_QUERY, ports));
}

describe('the table of requests', () => {
  it('says "in another workspace" of a chat of another one alone, not of all rows that open nothing', () => {
    assert.doesNotMatch(shown(COUNTS), /in another workspace/);
    assert.match(shown({ ...COUNTS, isElsewhere: true }), /Tides, in another workspace/);
  });
});
