import assert from 'node:assert/strict';
import { defaultConfig } from '../../../src/engine/chat/settings/configValues.js';
import { compactionSettings, type CompactionSettings } from '../../../src/engine/compaction/settings.js';
import { isDue, triggerTokens, type Load } from '../../../src/engine/compaction/policies/triggers.js';

const load: Load = { budget: 7_680, fixedTokens: 1_680, historyTokens: 0, messages: 4 };
const CONFIG = defaultConfig({ provider: 'p', model: 'm' });

function settings(policy: CompactionSettings['policy']): CompactionSettings {
  return compactionSettings({ ...CONFIG, compactionPolicy: policy });
}

function due(policy: CompactionSettings['policy'], more: Partial<Load>): boolean {
  return isDue(settings(policy), { ...load, ...more });
}

describe('a compaction is due', () => {
  it('by topic: when the conversation has more than 75 % of what the fixed parts leave', () => {
    const areDue = [4_500, 4_501].map((historyTokens) => due('topic-boundary', { historyTokens }));
    assert.deepEqual(areDue, [false, true]);
  });

  it('by topic: on a large window as on a small one, by the same share', () => {
    const large = { budget: 200_000, fixedTokens: 100_000 };
    const areDue = [75_000, 75_001].map((historyTokens) => due('topic-boundary', { ...large, historyTokens }));
    assert.deepEqual(areDue, [false, true]);
  });

  it('by topic, early: at 24,000 tokens, or at 75 % where that is less', () => {
    const early = compactionSettings({ ...CONFIG, compactionTrigger: 'early' });
    const large = { ...load, budget: 200_000, fixedTokens: 100_000 };
    const areDue = [24_000, 24_001].map((historyTokens) => isDue(early, { ...large, historyTokens }));
    assert.deepEqual(areDue, [false, true]);
    assert.equal(triggerTokens(early, load), 4_500);
    assert.deepEqual([early.mostSummaryTokens, settings('topic-boundary').mostSummaryTokens], [500, 4_000]);
  });

  it('early only by topic: other policies have the trigger they had', () => {
    const full = compactionSettings({ ...CONFIG, compactionPolicy: 'rolling-window', compactionTrigger: 'early' });
    assert.deepEqual(full, settings('rolling-window'));
  });

  it('by rolling window: when the request is over B, and never under it', () => {
    const areDue = [6_000, 6_001].map((historyTokens) => due('rolling-window', { historyTokens }));
    assert.deepEqual(areDue, [false, true]);
  });

  it('by message count: at message 81, whatever their tokens', () => {
    const areDue = [80, 81].map((messages) => due('message-count', { messages, historyTokens: 1 }));
    assert.deepEqual(areDue, [false, true]);
    assert.equal(due('message-count', { historyTokens: 1_000_000 }), false);
  });

  it('by hand: never', () => {
    assert.equal(due('manual', { historyTokens: 1_000_000, messages: 1_000 }), false);
  });

  it('never for an empty conversation, also when the fixed parts alone are over B', () => {
    const empty = { fixedTokens: 9_000, historyTokens: 0, messages: 0 };
    for (const policy of ['topic-boundary', 'rolling-window', 'message-count', 'manual'] as const) {
      assert.equal(due(policy, empty), false, policy);
    }
    assert.equal(triggerTokens(settings('topic-boundary'), { ...load, ...empty }), 0);
  });
});
