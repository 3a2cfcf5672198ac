import assert from 'node:assert/strict';
import { SAFE_BOUNDARY, parseTopic, topicBegin, topicSummary } from '../../../src/engine/compaction/policies/topicBoundaryPolicy.js';

const CLEAN = '{"boundary_index": 5, "boundary_reason": "new task", "confidence": 0.85, "summary": "Was \\"red\\"."}';
const READ = { index: 5, reason: 'new task', confidence: 0.85, summary: 'Was "red".' };

describe('the answer about topics', () => {
  const read: readonly [string, string][] = [
    ['clean JSON', CLEAN],
    ['JSON in a fence', `\`\`\`json\n${CLEAN}\n\`\`\``],
    ['JSON in a fence within other words', `Here it is:\n\`\`\`\n${CLEAN}\n\`\`\`\nDone.`],
    ['JSON within other words', `The topic changes: ${CLEAN} That is all.`],
    ['a broken object, by pattern', `${CLEAN.slice(0, -1)}, "more": [`],
    ['the last object of several, by pattern', `{"boundary_index": 2, "confidence": 0.3} or rather ${CLEAN}`],
  ];
  for (const [title, answer] of read) {
    it(`is read from ${title}`, () => {
      assert.deepEqual(parseTopic(answer, 6), READ);
    });
  }

  it('may say that there is no boundary', () => {
    const none = '{"boundary_index": null, "boundary_reason": "same task", "confidence": 0.9, "summary": ""}';
    assert.deepEqual(parseTopic(none, 6), { index: null, reason: 'same task', confidence: 0.9, summary: '' });
    assert.deepEqual(parseTopic(`So: ${none}`, 6), { index: null, reason: 'same task', confidence: 0.9, summary: '' });
  });

  it('may lack reason and summary, or have them cut off', () => {
    const bare = { index: 5, reason: '', confidence: 1, summary: '' };
    assert.deepEqual(parseTopic('{"boundary_index": 5, "confidence": 1}', 6), bare);
    assert.deepEqual(parseTopic('{"boundary_index": 5, "confidence": 1, "boundary_reason": 7, "summary": null}', 6), bare);
    assert.deepEqual(parseTopic('{"boundary_index": 5, "confidence": 1, "summary": "It was', 6), bare);
  });

  const invalid: readonly [string, string][] = [
    ['no text', ''],
    ['words', 'The topic changes at message 5.'],
    ['an array', '[5, 0.9]'],
    ['an object without the members', '{"index": 5}'],
    ['an index behind the messages', '{"boundary_index": 6, "confidence": 0.9}'],
    ['a negative index', '{"boundary_index": -1, "confidence": 0.9}'],
    ['an index that is not whole', '{"boundary_index": 2.5, "confidence": 0.9}'],
    ['an index in quotes', '{"boundary_index": "5", "confidence": 0.9}'],
    ['no confidence', '{"boundary_index": 5}'],
    ['a confidence over 1', '{"boundary_index": 5, "confidence": 1.01}'],
    ['a negative confidence', '{"boundary_index": 5, "confidence": -0.1}'],
    ['a confidence that is too large to be a number', '{"boundary_index": 5, "confidence": 1e999}'],
    ['a confidence of NaN', '{"boundary_index": 5, "confidence": NaN}'],
    ['a confidence in quotes', '{"boundary_index": 5, "confidence": "0.9"}'],
    ['a broken object with an index out of range', 'So: {"boundary_index": 60, "confidence": 0.9, '],
    ['a broken object with a confidence out of range', 'So: {"boundary_index": 5, "confidence": 9, '],
    ['an object that ends within its index', '{"confidence": 0.9, "boundary_index": 1'],
  ];
  for (const [title, answer] of invalid) {
    it(`is the safe boundary for ${title}`, () => {
      assert.deepEqual(parseTopic(answer, 6), SAFE_BOUNDARY);
    });
  }

  it('is the safe boundary when there was no message', () => {
    assert.deepEqual(parseTopic(CLEAN.replace('5', '0'), 0), SAFE_BOUNDARY);
    assert.deepEqual(SAFE_BOUNDARY, { index: null, reason: '', confidence: 0, summary: '' });
  });

  it('has a summary that is used only for what it is of: whole messages, up to the new topic', () => {
    const messages = ['u7', 'a7', 'u8'].map((id) => ({ id, isWhole: id !== 'a7' }));
    const boundary = { index: 1, reason: '', confidence: 0.2, summary: 'Tides.' };
    const summaryTo = (to: string, change: Partial<typeof boundary> | { index: null }): string | null =>
      topicSummary({ ...boundary, ...change }, { text: '', messages }, to);
    assert.equal(summaryTo('u7', {}), 'Tides.');
    assert.equal(summaryTo('a7', {}), null, 'it ends before that message');
    assert.equal(summaryTo('a7', { index: 2 }), null, 'a message was shown in part');
    assert.equal(summaryTo('u7', { summary: ' \n' }), null);
    assert.equal(summaryTo('u7', { index: null }), null);
    assert.equal(summaryTo('u7', { index: 0 }), null);
  });

  it('becomes the id of the message it counts to', () => {
    const formatted = { text: '', messages: ['u7', 'a7', 'u8'].map((id) => ({ id, isWhole: true })) };
    assert.deepEqual(topicBegin({ ...SAFE_BOUNDARY, index: 2, confidence: 0.7 }, formatted), { messageId: 'u8', confidence: 0.7 });
    assert.deepEqual(topicBegin(SAFE_BOUNDARY, formatted), { messageId: null, confidence: 0 });
  });
});
