import assert from 'node:assert/strict';
import { mostCostOfSummary, summaryPrice } from '../../../src/engine/compaction/summaryPrice.js';

const PRICES = { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 };
const CHANGE = { freed: 31_866, staying: 18_388, summaryTokens: 612, rewritten: 18_388, ttl: '5m', correction: 1, cost: 0.0313 } as const;

describe('What a summary costs and saves', () => {
  it('with a cache: what follows is written again once, and each request after that reads less', () => {
    const { rewriting, saving, paysFrom } = summaryPrice({ ...CHANGE, isCached: true }, PRICES);
    assert.equal(saving.toFixed(9), '0.009376200');
    assert.equal(rewriting.toFixed(6), ((19_000 * 3.45) / 1e6).toFixed(6));
    assert.equal(paysFrom, Math.ceil((0.0313 + rewriting) / saving));
  });

  it('with a changed beginning: that is written again, too, so that the summary pays off later', () => {
    const { rewriting, saving, paysFrom } = summaryPrice({ ...CHANGE, rewritten: 27_388, isCached: true }, PRICES);
    assert.equal(rewriting.toFixed(6), ((28_000 * 3.45) / 1e6).toFixed(6));
    assert.equal(paysFrom, Math.ceil((0.0313 + rewriting) / saving));
  });

  it('without a cache: nothing is written again, and each request saves the full price', () => {
    const price = summaryPrice({ ...CHANGE, rewritten: 27_388, isCached: false }, PRICES);
    assert.deepEqual([price.rewriting, price.saving.toFixed(6), price.paysFrom], [0, '0.093762', 1]);
  });

  it('never pays when it is no shorter than what it replaces', () => {
    const price = summaryPrice({ ...CHANGE, freed: 600, isCached: true }, PRICES);
    assert.deepEqual([price.saving, price.paysFrom], [0, null]);
  });

  it('saves more where it makes prompts short enough for a lower price', () => {
    const prices = { ...PRICES, longPrompts: [{ ...PRICES, above: 40_000, cacheRead: 0.6, cacheWrite5m: 7.5 }] };
    const { saving, rewriting } = summaryPrice({ ...CHANGE, isCached: true }, prices);
    assert.equal(saving.toFixed(9), ((50_254 * 0.6 - 19_000 * 0.3) / 1e6).toFixed(9));
    assert.equal(rewriting.toFixed(6), ((19_000 * 3.45) / 1e6).toFixed(6));
  });

  it('at most: the whole request at the dearest price of its input, and all that it may write', () => {
    const [short, long] = [{ summaryTokens: 500, ttl: '5m' } as const, { summaryTokens: 500, ttl: '1h' } as const];
    assert.equal(mostCostOfSummary(10_000, short, PRICES), 0.045);
    assert.equal(mostCostOfSummary(10_000, long, PRICES), 0.0675);
    assert.equal(mostCostOfSummary(10_000, long, { ...PRICES, cacheWrite1h: 3 }), 0.0375);
    const prices = { ...PRICES, longPrompts: [{ ...PRICES, above: 9_999, input: 6, output: 30 }] };
    assert.equal(mostCostOfSummary(10_000, short, prices), 0.075);
  });
});
