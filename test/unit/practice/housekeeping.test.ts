import assert from 'node:assert/strict';
import { SAFE_BOUNDARY, parseTopic } from '../../../src/engine/compaction/policies/topicBoundaryPolicy.js';
import { TOPIC_INSTRUCTION } from '../../../src/engine/compaction/policies/topic.js';
import { serializedRequest, summaryInstruction } from '../../../src/engine/compaction/summaryPrompt.js';
import { housekeepingAnswer } from '../../../src/providers/practice/script.js';
import type { PracticeMessage, PracticeRequest } from '../../../src/providers/practice/wire.js';

const said: readonly PracticeMessage[] = [
  { role: 'user', content: [{ type: 'text', text: 'When is high water?' }] },
  { role: 'assistant', content: [{ type: 'text', text: 'At noon.' }] },
];

function answer(messages: readonly PracticeMessage[], text: string): string | null {
  const request = { messages: [...messages, { role: 'user', content: [{ type: 'text', text }] }] } as unknown as PracticeRequest;
  return housekeepingAnswer(request, text);
}

describe('the practice model, asked by Loupe itself', () => {
  for (const style of ['plain', 'terse'] as const) {
    it(`names what was said instead of a summary (${style})`, () => {
      const order = { style, tokens: 500 };
      assert.equal(answer(said, summaryInstruction(order, null)), 'The practice model cannot summarize. You wrote:\n- When is high water?');
      const text = serializedRequest(order, { earlier: null, text: 'User: When is low water?\nAssistant: At six.' });
      assert.equal(answer([], text), 'The practice model cannot summarize. You wrote:\n- When is low water?');
    });
  }

  it('knows no topic, in the form that is asked for', () => {
    const topic = answer([], `${TOPIC_INSTRUCTION}\n\n[0] USER: When is high water?`);
    assert.deepEqual(parseTopic(topic ?? '', 1), { ...SAFE_BOUNDARY, reason: 'I cannot tell topics apart.' });
  });

  it('takes nothing else for such a request', () => {
    assert.equal(answer(said, 'Please summarize.'), null);
  });
});
