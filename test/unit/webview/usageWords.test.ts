import assert from 'node:assert/strict';
import { FIRST_QUERY, parseUsageToHost, purposeInWords, type UsageFigures, type UsageSum } from '../../../src/protocol/usage/usage.js';
import { barLabel, barName, periodName } from '../../../webview/usage/periodWords.js';
import {
  countInWords,
  priceInWords,
  savingHelp,
  sourceNote,
  sumInWords,
  verdict,
  withoutPrice,
} from '../../../webview/usage/usageWords.js';
import { scale } from '../../../webview/usage/barChart.js';

const DAY = 86_400_000;
const FROM = Date.UTC(2026, 10, 16);
const SUM: UsageSum = { requests: 3, input: 1_000, read: 840, output: 50, isEstimated: false, usd: 3.81, unknown: 0, noPrice: 0 };

function figures(changed: Partial<UsageFigures>): UsageFigures {
  return {
    period: { unit: 'week', from: FROM, to: FROM + 7 * DAY, isCurrent: true, hasEarlier: false },
    measure: 'usd',
    total: SUM,
    allChats: null,
    saving: { usd: 7.42, unknown: 0 },
    bars: [],
    legend: [],
    models: { measure: 'usd', groups: [], others: 0 },
    chats: { measure: 'usd', groups: [], others: 0 },
    unbilled: 0,
    chatTitles: {},
    modelNames: { 'house/qwen': 'qwen3-coder' },
    ...changed,
  };
}

function said(changed: Partial<UsageFigures>): string {
  return verdict(figures(changed))
    .map(({ text }) => text)
    .join('');
}

describe('the words of the usage view', () => {
  it('say first what it cost and what the cache saved', () => {
    assert.equal(said({}), '$3.81 this week. The cache saved $7.42: 84% of the input was read from it.');
    assert.equal(said({ saving: { usd: -0.12, unknown: 0 } }), '$3.81 this week. The cache cost $0.1200 more than it saved.');
    assert.equal(said({ saving: { usd: null, unknown: 0 } }), '$3.81 this week. 84% of the input was read from the cache.');
    assert.equal(
      savingHelp(figures({ saving: { usd: 1, unknown: 2 } })).includes('2 requests with other prices than today are not included.'),
      true,
    );
  });

  it('say which part of all chats the cost of one chat is', () => {
    const allChats = { ...SUM, usd: 26, unknown: 1 };
    assert.match(said({ allChats }), /^This chat \$3\.81 of ≥ \$26\.00 this week\. The cache saved \$7\.42/);
    assert.equal(said({ allChats, total: { ...SUM, requests: 0 } }), 'No requests this week.');
    const unbilled = { ...SUM, usd: null, read: 0 };
    assert.match(said({ measure: 'tokens', allChats: unbilled, total: unbilled }), /^1,000 tokens in and 50 out this week\./);
  });

  it('say where a figure is not all, or an estimate', () => {
    assert.match(said({ total: { ...SUM, unknown: 1 } }), /^At least \$3\.81 this week\./);
    assert.match(said({ total: { ...SUM, isEstimated: true } }), /^≈ \$3\.81 this week\./);
    assert.equal(sumInWords({ ...SUM, unknown: 1 }, 'usd'), '≥ $3.81');
    assert.equal(sumInWords({ ...SUM, usd: null, unknown: 1 }, 'usd'), 'unknown');
    assert.equal(sumInWords({ ...SUM, usd: null, noPrice: 3 }, 'usd'), 'no price');
    assert.equal(sumInWords({ ...SUM, isEstimated: true }, 'tokens'), '≈ 1,050 tokens');
    assert.deepEqual(
      [countInWords(null), countInWords({ value: 0, isEstimated: false }), countInWords({ value: 7, isEstimated: true })],
      ['unknown', '0', '≈ 7'],
    );
    assert.deepEqual(
      [
        priceInWords('unbilled'),
        priceInWords('noPrice'),
        priceInWords('unknown'),
        priceInWords({ usd: 0.00001, isAtLeast: false, isEstimated: false }),
      ],
      ['not billed', 'no price', 'unknown', '< $0.0001'],
    );
    assert.equal(priceInWords({ usd: 0.0045, isAtLeast: false, isEstimated: true }), '≈ $0.0045');
  });

  it('tell tokens where nothing has a price, and that nobody billed them where that is so', () => {
    const total = { ...SUM, usd: null, read: 0, noPrice: 3 };
    assert.equal(said({ measure: 'tokens', total }), '1,000 tokens in and 50 out this week.');
    assert.equal(
      said({ measure: 'tokens', total: { ...total, noPrice: 0 } }),
      '1,000 tokens in and 50 out this week. These tokens were not billed.',
    );
    assert.equal(
      said({ measure: 'tokens', total: { ...total, input: 0, output: 0, requests: 1, unknown: 1 } }),
      '1 request this week. Its usage is unknown.',
    );
    assert.equal(said({ total: { ...total, requests: 0 } }), 'No requests this week.');
  });

  it('name what has no price, and where figures are from', () => {
    const models = { measure: 'usd', groups: [{ key: 'house/qwen', sum: { ...SUM, noPrice: 23 } }], others: 0 } as const;
    assert.equal(withoutPrice(figures({ models })), '23 requests of qwen3-coder have no price.');
    const rest = { key: null, sum: { ...SUM, noPrice: 1 } };
    assert.equal(withoutPrice(figures({ models: { ...models, groups: [rest] } })), '1 request has no price.');
    assert.equal(withoutPrice(figures({})), null);
    assert.equal(sourceNote(figures({})), 'The providers reported the tokens.');
    assert.equal(
      sourceNote(figures({ unbilled: 1, total: { ...SUM, isEstimated: true } })),
      'The providers reported the tokens. ≈ marks figures that Loupe counted. Not counted: practice models and refused requests.',
    );
  });

  it('name periods and their parts', () => {
    const name = (unit: 'day' | 'week' | 'month', from: number, days: number): string => periodName({ unit, from, to: from + days * DAY });
    assert.equal(name('day', FROM, 1), 'Mon 16 Nov 2026');
    assert.equal(name('week', FROM, 7), '16 to 22 Nov 2026');
    assert.equal(name('week', Date.UTC(2026, 10, 30), 7), '30 Nov to 6 Dec 2026');
    assert.equal(name('week', Date.UTC(2026, 11, 28), 7), '28 Dec 2026 to 3 Jan 2027');
    assert.equal(name('month', Date.UTC(2026, 10, 1), 30), 'November 2026');
    const bar = { from: FROM, to: FROM + DAY };
    assert.deepEqual([barLabel('week', bar), barName('week', bar)], ['Mon 16', 'Mon 16 Nov']);
    assert.deepEqual([barLabel('day', bar), barName('day', { from: FROM, to: FROM + 3_600_000 })], ['00', '00:00 to 01:00']);
    const week = { from: FROM, to: FROM + 7 * DAY };
    assert.deepEqual([barLabel('month', week), barName('month', week), barLabel('month', bar)], ['16 to 22', '16 to 22 Nov', '16']);
    const past = { unit: 'week', from: FROM, to: FROM + 7 * DAY, isCurrent: false, hasEarlier: false } as const;
    assert.match(said({ period: past }), /^\$3\.81 from 16 to 22 Nov 2026\./);
  });

  it('tell purposes', () => {
    const words = [purposeInWords('reply', false, true), purposeInWords('reply', true, false), purposeInWords('summary', true, true)];
    assert.deepEqual(words, ['Reply, discarded', 'Retry', 'Summary, retry, discarded']);
  });

  it('have a scale of steps that are easy to read, above the largest bar', () => {
    const labels = scale(1.08).map((value) => value.toFixed(2));
    assert.deepEqual(labels, ['0.00', '0.40', '0.80', '1.20']);
    assert.deepEqual([scale(30), scale(0)], [[0, 10, 20, 30], [0]]);
  });
});

describe('the messages of the usage view', () => {
  it('are taken when they are what the view posts, and else refused', () => {
    assert.ok(parseUsageToHost({ type: 'ask', query: FIRST_QUERY }).ok);
    assert.ok(parseUsageToHost({ type: 'exportUsage', format: 'json' }).ok);
    for (const wrong of [
      { type: 'ask', query: { ...FIRST_QUERY, most: 1e9 } },
      { type: 'ask', query: { ...FIRST_QUERY, unit: 'year' } },
      { type: 'ask', query: { ...FIRST_QUERY, more: 1 } },
      { type: 'exportUsage', format: 'exe' },
      { type: 'showRequest', chatId: 'x' },
    ]) {
      assert.ok(!parseUsageToHost(wrong).ok, JSON.stringify(wrong));
    }
  });
});
