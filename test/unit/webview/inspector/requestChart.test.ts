import assert from 'node:assert/strict';
import type { ChartRequest } from '../../../../src/protocol/inspector/inspector.js';
import { requestChart } from '../../../../webview/inspector/requestChart.js';
import { markup } from '../../../support/webview/markup.js';

describe('The chart of the requests', () => {
  it('says what had changed before a request, beside other events', () => {
    const request = (changed: string | null): ChartRequest => ({
      ...{ id: 'a', parts: { read: 0, written: 0, fresh: 20 }, isReported: false, signs: ['edit'] },
      changed,
    });
    const sums = { chat: 'Tides', input: 20, read: 0, output: 4, isOutputEstimated: false, cost: null, unknown: 0 };
    const chart = markup(requestChart({ ...sums, requests: [request(null), request('AGENTS.md and 1 more')] }, 'a', () => undefined));
    const titles = [...chart.matchAll(/title=(.*)/g)].map(([, title]) => title);
    const edited = '20 tokens, counted by Loupe, a message was edited';
    assert.deepEqual(titles, [`Request 1: ${edited}`, `Request 2: ${edited}, AGENTS.md and 1 more had changed`]);
    assert.equal(chart.match(/codicon-file-code/g)?.length, 1);
  });

  it('has no sums while no usage is known', () => {
    const request = { id: 'a', parts: { read: 0, written: 0, fresh: 20 }, isReported: false, signs: [], changed: null };
    const chart = { chat: 'Tides', requests: [request], input: 0, read: 0, output: 0, isOutputEstimated: false, cost: null };
    const sums = (unknown: number): string | undefined =>
      /class="end">(.*?)</.exec(markup(requestChart({ ...chart, unknown }, 'a', () => undefined)))?.[1];
    assert.deepEqual([sums(1), sums(0)], ['1 request', '1 request · 0 in · 0 out']);
  });

  it('marks sums that include a reply that Loupe counted', () => {
    const chart = { chat: 'Tides', requests: [], input: 1_309, read: 0, output: 210, isOutputEstimated: true, cost: 0.011 };
    const sums = (unknown: number): string => markup(requestChart({ ...chart, unknown }, 'a', () => undefined));
    assert.match(sums(0), / · 1,309 in, 0% read · ≈ 210 out · ≈ \$0\.0110</);
    assert.match(sums(1), / · ≥ 210 out · ≥ \$0\.0110</);
  });
});
