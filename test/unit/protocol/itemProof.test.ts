import assert from 'node:assert/strict';
import { proofSentences, type ItemProofView, type ProofFigures } from '../../../src/protocol/panel/manager.js';

const NOW = 10_000_000;
const FIGURES: ProofFigures = { requests: 17, whole: 17, cut: 0, tokens: 19_720, cost: 0.0071, unknownCosts: 0 };
const SEEN: ItemProofView = { key: 'rule:AGENTS.md', chat: FIGURES, recent: FIGURES, lastAt: NOW, nearer: [], duplicates: [] };

function said(chat: Partial<ProofFigures>, more: Partial<ItemProofView>): string {
  return proofSentences({ ...SEEN, chat: { ...FIGURES, ...chat }, ...more }, NOW).join(' ');
}

describe('what is said of a rule', () => {
  it('is in how many requests of the chat it was, with its tokens and its price there', () => {
    assert.equal(said({}, {}), 'Sent whole in 17 of 17 requests of this chat: 19,720 tokens, $0.0071 in all.');
    assert.equal(said({ requests: 0, whole: 0 }, { recent: { ...FIGURES, requests: 0, whole: 0 } }), 'No request of this chat yet.');
  });

  it('is the last month, too, where other chats made requests', () => {
    assert.equal(
      said(
        { whole: 0, tokens: 0, cost: null },
        { recent: { ...FIGURES, requests: 60, whole: 41, tokens: 47_560, cost: 0.031 }, lastAt: NOW - 7_200_000 },
      ),
      'None of 17 requests of this chat contains this item. Sent whole in 41 of 60 requests of all chats in 30 days: 47,560 tokens, $0.0310 in all. Last request with this item: 2 h ago.',
    );
  });

  it('is that requests held a part of it', () => {
    assert.equal(
      said({ whole: 14, cut: 3 }, {}),
      'Sent whole in 14 and cut in 3 of 17 requests of this chat: 19,720 tokens, $0.0071 in all. Last request with this item: now.',
    );
    assert.match(
      said({ requests: 1, whole: 0, cut: 1 }, { recent: { ...FIGURES, requests: 1 } }),
      /^Sent cut in 1 of 1 request of this chat: /,
    );
  });

  it('is no price that nobody knows, and the least of one that is known in part', () => {
    assert.match(said({ cost: null, unknownCosts: 17 }, {}), /: 19,720 tokens, price unknown\.$/);
    assert.match(said({ cost: 0.002, unknownCosts: 1 }, {}), /: 19,720 tokens, at least \$0\.0020 in all\.$/);
    assert.match(said({ cost: null }, {}), /: 19,720 tokens\.$/, 'the practice model bills nobody');
  });

  it('is which file of a folder below its own comes after it', () => {
    assert.match(
      said({}, { nearer: ['src/AGENTS.md'] }),
      /in all\. Requests contain src\/AGENTS\.md after this item, because its folder is deeper\.$/,
    );
  });
});
