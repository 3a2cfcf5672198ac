import assert from 'node:assert/strict';
import { rewriteFigures } from '../../../src/engine/next/summaryRewrite.js';
import type { Block } from '../../../src/engine/model/block.js';
import { conversationBlock } from '../../support/engine/blocks.js';

const block = (key: string): Block => ({ ...conversationBlock(key, 'user', { type: 'text', text: key }, null), hash: key, tokens: 100 });

/** A request whose cache use is unknown. */
function request(system: readonly string[], said: readonly string[]) {
  const prompt = { tools: [], system: system.map(block), messages: [{ role: 'user', blocks: said.map(block) }] } as const;
  const tokens = 100 * (system.length + said.length);
  return { prompt, forecast: null, size: { tokens, counted: tokens, basis: 'estimate', error: null } } as const;
}

describe('The text that a summary rewrites, if the cache use is unknown', () => {
  const now = request(['fragment:a', 'rule:b', 'rule:c'], ['message:1/0', 'message:2/0']);

  it('is the text from the summary on if the text before it stays', () => {
    assert.equal(rewriteFigures(now, request(['fragment:a', 'rule:b', 'rule:c'], ['summary:s', 'message:2/0'])).rewritten, 200);
  });

  it('is the text from the first removed block on', () => {
    assert.equal(rewriteFigures(now, request(['fragment:a', 'rule:c'], ['summary:s', 'message:2/0'])).rewritten, 300);
    assert.equal(rewriteFigures(now, request(['rule:b', 'rule:c'], ['file:d', 'summary:s'])).rewritten, 400);
  });
});
