import assert from 'node:assert/strict';
import type { ChatSpending, ChatView, NextRequestView } from '../../../src/protocol/view.js';
import { contextMeter } from '../../../webview/chat/meter.js';
import { markup } from '../../support/webview/markup.js';

const REQUEST: NextRequestView = {
  totalTokens: 1_280,
  basis: 'exact',
  error: null,
  adaptations: [],
  warnings: [],
  budget: 127_488,
  limit: 128_000,
  reservedTokens: 512,
  shares: [{ category: 'system', tokens: 1_280 }],
  inputCost: null,
  mayBeCached: false,
  reply: null,
  problem: null,
  isOwnLimit: false,
};

const CHAT = { id: 'c', spent: null } as ChatView;
const SPENT: ChatSpending = { inputTokens: 485_651, outputTokens: 10_287, cost: 0.5554, unknownRequests: 0 };

/** What is at the right below the bar. */
function right(spent: ChatSpending | null, totalTokens: number): string {
  const all = markup(contextMeter({ ...REQUEST, totalTokens }, { ...CHAT, spent }));
  return all
    .slice(all.indexOf('meter-right'))
    .replaceAll('=>', '')
    .replace(/^[^>]*>/s, '')
    .replaceAll(/<[^>]*>/gs, '')
    .trim();
}

describe('The meter', () => {
  it('tells where its limit comes from', () => {
    const all = markup(contextMeter(REQUEST, CHAT));
    assert.match(all, /1,280 of 127,488<span class="unit"> tokens/);
    assert.match(all, /title="[^"]*1% of 127,488: 128,000 limit minus 512 kept for the reply"/s);
  });

  it('has what the chat has cost, which opens the usage; before, how full the window is', () => {
    assert.equal(right(null, 1_280), '1%');
    assert.equal(right(SPENT, 1_280), '$0.5554');
    assert.equal(right({ ...SPENT, unknownRequests: 2 }, 1_280), '≥ $0.5554');
    assert.equal(right({ ...SPENT, cost: null }, 1_280), '485,651 in, 10,287 out');
    assert.match(
      markup(contextMeter(REQUEST, { ...CHAT, spent: SPENT })),
      /aria-label="This chat cost \$0\.5554 until now, [^"]*Show usage"/,
    );
  });

  it('says first that the request is too long', () => {
    assert.equal(right(SPENT, 200_000), '&gt; 100%');
  });
});
