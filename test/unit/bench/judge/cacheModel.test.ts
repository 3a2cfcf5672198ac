import assert from 'node:assert/strict';
import { BreakpointCache } from '../../../bench/judge/cacheModel.js';
import { ANTHROPIC } from '../../../bench/judge/cacheRules.js';
import { blocksOf } from '../../../support/bench/judged.js';

/* What it bills is compared with the engine's own cache in property/judgedLayouts. */

describe('the cache that layouts are judged with', () => {
  const bill = (text: string): unknown => new BreakpointCache(ANTHROPIC).bill(blocksOf(text), 0, 'main');

  it('prices a write at 1.25 for five minutes, at 2 for an hour, other input at 1', () => {
    assert.deepEqual(bill('a b:1h c:5m d'), { read: 0, written5m: 1_000, written1h: 2_000, fresh: 1_000, cost: 6_250 });
  });

  it('refuses five breakpoints, and an hour after five minutes', () => {
    assert.throws(() => bill('a:5m b:5m c:5m d:5m e:5m'), /^RangeError: 400: a request has 5 breakpoints\.$/);
    assert.throws(() => bill('a b:5m c:1h'), /^RangeError: 400: a breakpoint of an hour follows one of five minutes\.$/);
  });

  it('keeps the caches of models apart', () => {
    const cache = new BreakpointCache(ANTHROPIC);
    const readOf = (model: 'main' | 'small', at: number): number => cache.bill(blocksOf('a b:5m'), at, model).read;
    assert.deepEqual([readOf('main', 0), readOf('small', 1), readOf('main', 2)], [0, 0, 2_000]);
  });
});
