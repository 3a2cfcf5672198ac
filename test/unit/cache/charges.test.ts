import assert from 'node:assert/strict';
import { inColumns } from '../../../src/engine/model/providerCache.js';
import type { Usage } from '../../../src/engine/model/usage.js';
import { costOf } from '../../../src/engine/model/price.js';
import { chargedMore, chargesOf, type Charges } from '../../../src/engine/cacheMonitor/charges.js';
import type { MonitoredRequest } from '../../../src/engine/cacheMonitor/trials.js';
import { column } from '../../support/columns.js';
import { usage } from '../../support/engine/events.js';
import { OPEN_MODEL } from '../../support/engine/models.js';

const PRICES = OPEN_MODEL.prices ?? assert.fail();

/** Usages of different composition, from all uncached to nearly all read. */
function usageOf(at: number): Usage {
  return usage(40 + ((at * 977) % 3_000), (at * 1_409) % 20_000, 0, 5 + ((at * 331) % 700));
}

function request(at: number, sent: Usage): MonitoredRequest {
  return { at, endedAt: at, chatId: 'c', attemptId: `a${String(at)}`, parameters: '', parts: inColumns([]), usage: sent };
}

/** Requests charged at a share of the prices, reported with this many decimals. */
function charged(shares: readonly number[], decimals: number): readonly MonitoredRequest[] {
  return shares.map((share, at) => {
    const cost = costOf(usageOf(at), PRICES)?.usd ?? assert.fail();
    return request(at, { ...usageOf(at), charged: Number((cost * share).toFixed(decimals)) });
  });
}

function charges(shares: readonly number[], decimals: number): Charges | null {
  return chargesOf(charged(shares, decimals), PRICES);
}

const times = (count: number, share: number): readonly number[] => Array.from({ length: count }, () => share);

describe('what a provider really charges', () => {
  it('is told from five requests on, as the ratio of the sums', () => {
    assert.equal(charges(times(4, 0.9), 8), null);
    const { requests, share, change } = charges(times(14, 0.9), 8) ?? assert.fail();
    assert.deepEqual([requests, Math.round(share * 1_000), change], [14, 900, null]);
  });

  it('is as the prices say where the rounding of the report may make the difference', () => {
    // Rounded to a cent each is far off, so the share is unknown.
    const cents = charged(times(9, 0.93), 2).map(
      (each) => (each.usage?.charged ?? 0) / (costOf(each.usage ?? assert.fail(), PRICES)?.usd ?? 0),
    );
    assert.ok(cents.some((share) => share < 0.8 || share > 1.2));
    assert.equal(charges(times(9, 0.93), 2)?.share, 1);
    assert.notEqual(charges(times(9, 0.93), 6)?.share, 1);
    assert.equal(charges(times(9, 1.004), 9)?.share, 1);
  });

  it('leaves out what tells nothing: no charge, more than tokens, what is counted here, writes of an unknown lifetime', () => {
    const [one, ...rest] = charged(times(5, 0.9), 8);
    const known = one?.usage ?? assert.fail();
    const estimated = { value: 3, source: 'estimated' } as const;
    const { charged: _charged, ...uncharged } = known;
    const odd: readonly Usage[] = [
      uncharged,
      { ...known, isMoreBilled: true },
      { ...known, completionTokens: estimated },
      { ...usage(9, 0, 900, 5), charged: 0.01 },
    ];
    const hour = inColumns([{ prefix: 'p', tokens: 909, breakpoint: '1h' }]);
    for (const each of odd) {
      assert.equal(chargesOf([{ ...request(0, each), parts: hour }, ...rest], PRICES), null);
    }
    const split = { fiveMinutes: 0, oneHour: 900 };
    assert.notEqual(
      chargesOf([{ ...request(0, { ...usage(9, 0, 900, 5), cacheCreation: split, charged: 0.005 }), parts: hour }, ...rest], PRICES),
      null,
    );
  });

  it('has changed with the third request in a row that is charged otherwise, and no sooner', () => {
    assert.equal(charges([...times(20, 1), ...times(2, 1.1)], 8)?.change, null);
    assert.equal(charges([...times(20, 1), 1.1, 1.1, 1, 1.1, 1.1], 8)?.change, null);
    assert.equal(charges([...times(20, 1), 1.1, 0.9, 1.1], 8)?.change, null);
    const { requests, share, change } = charges([...times(20, 1), ...times(3, 1.1)], 8) ?? assert.fail();
    assert.deepEqual([requests, Math.round(share * 100), change?.before], [3, 110, 1]);
    assert.ok(change !== null);
    assert.deepEqual(column(change.proofs, 'attemptId'), ['a20', 'a21', 'a22']);
    const cost = change.proofs.reduce((sum, { byPrices }) => sum + byPrices, 0);
    assert.ok(Math.abs(chargedMore(change, change.proofs) - cost * 0.1) < 1e-6);
  });

  it('has not changed where it always varied, and where it is now as the prices say', () => {
    const varying = Array.from({ length: 60 }, (_, at) => [0.7, 1, 1.3][(at * at) % 3] ?? 1);
    assert.equal(charges([...varying, ...times(6, 1.6)], 8)?.change, null);
    assert.deepEqual(charges([...times(20, 0.8), ...times(5, 1)], 8), { requests: 5, share: 1, change: null });
  });

  it('is found to have changed within the rounding of the report only where that cannot hide it', () => {
    // Reports to a hundredth of a cent, for requests of about a cent.
    assert.equal(charges([...times(20, 1), ...times(10, 1.001)], 4)?.change, null);
    assert.notEqual(charges([...times(20, 1), ...times(3, 1.3)], 4)?.change, null);
  });
});
