import assert from 'node:assert/strict';
import type { ReplyUsage } from '../../../src/engine/model/usage.js';
import { detailOf, priceOfChoice } from '../../../src/host/inspector/sendAgainChoices.js';
import { sentAgainText } from '../../../src/host/panel/conversation/branchViews.js';

const BEFORE: ReplyUsage = { tokens: 15_000, usd: 0.0456, isAtLeast: false, isPretended: false };
const NOW: ReplyUsage = { tokens: 12_104, usd: 0.0123, isAtLeast: false, isPretended: false };

function said(now: Partial<ReplyUsage> | null, before: Partial<ReplyUsage>): string {
  const answer = now === null ? null : { ...NOW, ...now };
  return sentAgainText({ change: 'without AGENTS.md', instead: { ...BEFORE, ...before } }, answer);
}

describe('What is told of a message that was sent again', () => {
  it('is what was changed, and what both answers cost once there are two', () => {
    assert.equal(said(null, {}), 'Sent again without AGENTS.md');
    assert.equal(said({}, {}), 'Sent again without AGENTS.md: $0.0123 instead of $0.0456');
    assert.equal(said({ isAtLeast: true }, {}), 'Sent again without AGENTS.md: at least $0.0123 instead of $0.0456');
  });

  it('is told in tokens where one of the prices is not known', () => {
    assert.equal(said({ usd: null }, {}), 'Sent again without AGENTS.md: 12,104 tokens instead of 15,000 tokens');
    assert.equal(said({}, { usd: null, isAtLeast: true }), 'Sent again without AGENTS.md: 12,104 tokens instead of at least 15,000 tokens');
  });

  it('says of prices that nobody bills that they are for show', () => {
    const free = { isPretended: true };
    assert.equal(said(free, free), 'Sent again without AGENTS.md: would cost $0.0123 instead of $0.0456');
    assert.equal(said({}, free), 'Sent again without AGENTS.md: $0.0123 instead of $0.0456 (not billed)');
  });

  it('says before that what the input costs', () => {
    const price = { tokens: 12_104, inputCost: 0.0123, isPretended: false, forecast: null, usd: 0.0193, askedAbove: null, problem: null };
    const told = { change: { kind: 'item', key: 'rule:AGENTS.md' }, inWords: 'without AGENTS.md' } as const;
    assert.equal(priceOfChoice(told, price), 'Send again without AGENTS.md: 12,104 tokens, $0.0123 for the input');
    assert.equal(priceOfChoice(told, { ...price, inputCost: null }), 'Send again without AGENTS.md: 12,104 tokens');
    assert.match(priceOfChoice(told, { ...price, isPretended: true }), /, would cost \$0\.0123 for the input$/);
  });

  it('says before that, too, where it is dear, and where no key goes along', () => {
    const price = { tokens: 12_104, inputCost: 0.6, isPretended: false, forecast: null, usd: 0.6214, askedAbove: null, problem: null };
    const end = 'Loupe shows the reply in a fork, next to this chat. This chat does not change.';
    assert.equal(detailOf(price, null), end);
    assert.equal(
      detailOf({ ...price, askedAbove: 0.5 }, 'Loupe has no stored key for House.'),
      [
        'The request and its reply cost about $0.6214. This is above your limit of $0.50 (loupe.spend.askAbove).',
        'Loupe has no stored key for House. Without a key, the provider may refuse the request.',
        end,
      ].join('\n'),
    );
  });
});
