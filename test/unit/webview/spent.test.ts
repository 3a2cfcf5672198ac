import assert from 'node:assert/strict';
import type { SpentInPeriod, SpentSums } from '../../../src/protocol/panel/toWebview.js';
import type { ChatUsageView } from '../../../src/protocol/panel/view.js';
import { spentButton } from '../../../webview/chat/nextRequest/spent.js';
import { markup, words } from '../../support/webview/markup.js';

const SPENT: ChatUsageView = {
  inputTokens: 485_651,
  outputTokens: 10_287,
  inputEstimated: false,
  outputEstimated: false,
  cost: 0.5554,
  unknownRequests: 0,
  own: [],
};

function sums(day: SpentInPeriod, week: SpentInPeriod): SpentSums {
  return { type: 'spentSums', day, week };
}

const known = (cost: number | null): SpentInPeriod => ({ cost, unknownRequests: 0 });

describe('The cost in the header', () => {
  const shown = (spent: Partial<ChatUsageView>, sum: SpentSums | null): string =>
    markup(spentButton({ ...SPENT, ...spent }, sum, () => undefined));
  const figures = (spent: Partial<ChatUsageView>): string => words(spentButton({ ...SPENT, ...spent }, null, () => undefined));

  it('is the cost of the chat, or its tokens without a price', () => {
    assert.equal(figures({}), '$0.5554');
    assert.equal(figures({ unknownRequests: 2 }), '≥ $0.5554');
    assert.equal(figures({ outputEstimated: true }), '≈ $0.5554', 'after Stop');
    assert.equal(figures({ cost: null }), '485,651 in, 10,287 out');
    assert.equal(figures({ cost: null, inputEstimated: true }), '≈ 485,651 in, 10,287 out');
    assert.equal(figures({ cost: 0.00002, unknownRequests: 2 }), '> $0');
  });

  it('has the cost of the chat, of today and of this week in its tooltip and its name', () => {
    const all = shown({}, sums(known(0.812), known(3.81)));
    const cost = 'This chat \\$0\\.5554, today \\$0\\.8120, this week \\$3\\.81\\.';
    assert.match(all, new RegExp(`title=${cost}`));
    assert.match(all, new RegExp(`aria-label="${cost} 485,651 tokens in, 10,287 out, replies on other branches included\\. Show usage"`));
    assert.match(shown({ outputEstimated: true }, null), /aria-label="This chat ≈ \$0\.5554\. 485,651 tokens in, ≈ 10,287 out, /);
    assert.match(shown({}, null), /aria-label="This chat \$0\.5554\. /, 'until the host has computed the sums');
  });

  it('names the cost of requests besides replies in its tooltip', () => {
    const own = [
      { purpose: 'title', cost: 0.0022 },
      { purpose: 'summary', cost: 0.03 },
    ] as const;
    assert.match(
      shown({ own }, null),
      /This chat \$0\.5554\.\sOf this chat, \$0\.0022 for the title, \$0\.0300 for summaries\.\s485,651 tokens/,
    );
    assert.doesNotMatch(shown({}, null), /Of this chat/);
  });

  it('names requests of unknown price, and tells them from requests that nobody billed', () => {
    const unknown = sums({ cost: 0.812, unknownRequests: 2 }, { cost: null, unknownRequests: 1 });
    assert.match(shown({ cost: null }, unknown), /This chat not billed, today at least \$0\.8120 \(2 requests of unknown cost\), /);
    assert.match(shown({ cost: null }, unknown), /this week unknown price \(1 request\)\./);
    assert.match(shown({ unknownRequests: 1 }, null), /This chat at least \$0\.5554 \(1 request of unknown cost\)\./);
  });
});
