import assert from 'node:assert/strict';
import type { Timeline } from '../../../src/engine/chat/timeline.js';
import { pinnedItems } from '../../../src/engine/compaction/checkpoint.js';
import { assistant, call, result, results, text, user } from '../../support/engine/messages.js';

const MESSAGES = [
  user('asks', 'Read it.'),
  assistant('calls', call('c', {})),
  results('results', result('c', text('It is read.'))),
  assistant('says', 'Done.'),
];
const TIMELINE: Timeline = MESSAGES.map((message) => ({ kind: 'message', message, runId: null, at: 0 }));

const pinned = (...ids: readonly string[]): readonly string[] =>
  pinnedItems(TIMELINE, new Set(ids)).map((item) => (item.kind === 'message' ? item.message.id : ''));

describe('pinned messages', () => {
  it('stay alone, but for a reply that calls tools and their results: one brings the other', () => {
    assert.deepEqual(pinned('asks'), ['asks']);
    assert.deepEqual(pinned('says'), ['says']);
    assert.deepEqual(pinned('calls'), ['calls', 'results']);
    assert.deepEqual(pinned('results'), ['calls', 'results']);
    assert.deepEqual(pinned(), []);
  });
});
