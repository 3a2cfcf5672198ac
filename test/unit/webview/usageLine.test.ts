import assert from 'node:assert/strict';
import type { TemplateResult } from 'lit';
import type { UsageLine } from '../../../src/protocol/view.js';
import { usageLine } from '../../../webview/chat/usageLine.js';

const USAGE: UsageLine = {
  inputTokens: 1_234,
  cachedTokens: 1_000,
  writtenTokens: 0,
  outputTokens: 56,
  inputEstimated: false,
  outputEstimated: false,
  cost: 0.0405,
  durationMs: 1_500,
  inherited: false,
};

/** The markup of a template. */
function markup(value: unknown): string {
  if (Array.isArray(value)) {
    return value.map(markup).join(' ');
  }
  if (typeof value !== 'object' || value === null) {
    return String(value);
  }
  const { strings, values } = value as TemplateResult;
  return strings.map((text, index) => text + (index < values.length ? markup(values[index]) : '')).join('');
}

/** The texts that a screen reader reads, one by one, and the tooltip. */
function shown(usage: UsageLine): { readonly texts: string; readonly tooltip: readonly string[] } {
  const line = markup(usageLine(usage));
  const tooltip = /title=([^>]*)>/s.exec(line)?.[1] ?? '';
  return { texts: line.replaceAll(/<[^>]*>/gs, '').trim(), tooltip: tooltip.split('\n') };
}

describe('The usage of a reply', () => {
  it('ends with its price, where that is known, and its time', () => {
    assert.equal(shown(USAGE).texts, '1,234 in 1,000 cached 56 out $0.0405 1.5 s');
    assert.equal(shown({ ...USAGE, cost: null }).texts, '1,234 in 1,000 cached 56 out 1.5 s');
    assert.deepEqual([shown(USAGE).tooltip[4], shown({ ...USAGE, cost: null }).tooltip[4]], ['$0.0405', 'Price unknown']);
  });

  it('is inherited, without a price, where a fork took the reply over', () => {
    for (const cost of [0.0405, null]) {
      const { texts, tooltip } = shown({ ...USAGE, cost, inherited: true });
      assert.equal(texts, '1,234 in 1,000 cached 56 out inherited from another chat, which counts it 1.5 s');
      assert.equal(tooltip[4], 'Inherited from the chat that this one was forked from, which counts it');
    }
  });
});
