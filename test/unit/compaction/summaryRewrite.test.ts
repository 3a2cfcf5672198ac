import assert from 'node:assert/strict';
import { rewrittenBeginning } from '../../../src/engine/next/summaryRewrite.js';
import type { Block } from '../../../src/engine/model/block.js';
import { conversationBlock } from '../../support/engine/blocks.js';

const block = (key: string): Block => ({ ...conversationBlock(key, 'user', { type: 'text', text: key }, null), hash: key, tokens: 100 });

/** A request whose cache use is unknown. */
function request(system: readonly string[], said: readonly string[]) {
  const prompt = { tools: [], system: system.map(block), messages: [{ role: 'user', blocks: said.map(block) }] } as const;
  const tokens = 100 * (system.length + said.length);
  return { prompt, forecast: null, size: { tokens, counted: tokens, basis: 'estimate', error: null } } as const;
}

describe('The beginning that a summary rewrites, if the cache use is unknown', () => {
  const now = request(['fragment:a', 'rule:b', 'rule:c'], ['message:1/0', 'message:2/0']);

  it('is nothing if the text before the summary stays', () => {
    assert.equal(rewrittenBeginning(now, request(['fragment:a', 'rule:b', 'rule:c'], ['summary:s', 'message:2/0'])), 0);
  });

  it('is the text from the first removed block to the summary', () => {
    assert.equal(rewrittenBeginning(now, request(['fragment:a', 'rule:c'], ['summary:s', 'message:2/0'])), 100);
    assert.equal(rewrittenBeginning(now, request(['rule:b', 'rule:c'], ['file:d', 'summary:s'])), 300);
  });
});
