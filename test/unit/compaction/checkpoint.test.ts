import assert from 'node:assert/strict';
import type { Timeline } from '../../../src/engine/chat/timeline.js';
import { compacted, pinnedItems } from '../../../src/engine/chat/checkpoint.js';
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

  it('stay with those that have loaded tools, which nobody has pinned', () => {
    const search = [assistant('finds', call('f', {})), results('found', result('f', { type: 'toolReference', name: 'git__log' }))];
    const timeline: Timeline = [...MESSAGES, ...search].map((message) => ({ kind: 'message', message, runId: null, at: 0 }));
    const kept = pinnedItems(timeline, new Set()).map((item) => (item.kind === 'message' ? item.message.id : ''));
    assert.deepEqual(kept, ['finds', 'found']);
  });
});

describe('A checkpoint', () => {
  it('whose text is damaged stands for nothing: the messages themselves are sent', () => {
    const compaction = {
      id: 'c',
      policy: 'manual',
      case: 'summarize',
      from: 'asks',
      to: 'says',
      summaryId: 's',
      lines: [],
      isUndone: false,
    } as const;
    const tokens = { before: 9, after: 1 };
    const compactions = new Map([['c', { ...compaction, tokens }]]);
    const state = {
      extent: 'whole',
      timeline: TIMELINE,
      rewinds: new Map(),
      runs: new Map(),
      pinned: new Set<string>(),
      excluded: new Map<string, 'now' | 'later'>(),
      excludedCalls: new Map(),
      compactions,
      earlierSummaries: new Set<string>(),
    } as const;
    const { checkpoint, rest } = compacted(state);
    assert.deepEqual([checkpoint, rest.length], [null, 4]);
    const summary: Timeline = [{ kind: 'message', message: { role: 'summary', id: 's', text: 'Short.' }, runId: null, at: 0 }];
    const whole = compacted({ ...state, timeline: [...TIMELINE, ...summary] });
    assert.deepEqual([whole.checkpoint?.text, whole.rest.length], ['Short.', 1]);
  });
});
