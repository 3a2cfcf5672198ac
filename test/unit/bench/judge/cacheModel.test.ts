import assert from 'node:assert/strict';
import { BreakpointCache, PrefixCache, type Bill } from '../../../bench/judge/cacheModel.js';
import { ANTHROPIC, OPENAI } from '../../../bench/judge/cacheRules.js';
import { blocksOf } from '../../../support/bench/judged.js';

/** The bills of requests at their seconds, in thousands of tokens. */
function bills(...requests: readonly (readonly [number, string])[]): Bill[] {
  const cache = new BreakpointCache(ANTHROPIC);
  return requests.map(([at, text]) => inThousands(cache.bill(blocksOf(text), at, 'main')));
}

function inThousands(bill: Bill): Bill {
  const { read, written5m, written1h, fresh, cost } = bill;
  const thousands = (value: number): number => Math.round(value) / 1_000;
  return {
    read: thousands(read),
    written5m: thousands(written5m),
    written1h: thousands(written1h),
    fresh: thousands(fresh),
    cost: thousands(cost),
  };
}

const last = (...requests: readonly (readonly [number, string])[]): Bill | undefined => bills(...requests).at(-1);

const readAt = (...requests: readonly (readonly [number, string])[]): number | undefined => last(...requests)?.read;

describe('the cache with breakpoints that layouts are judged with', () => {
  it('bills what is written at 1.25 for five minutes, at 2 for an hour, and the rest at 1', () => {
    assert.deepEqual(last([0, 'a b c:5m d']), { read: 0, written5m: 3, written1h: 0, fresh: 1, cost: 4.75 });
    assert.deepEqual(last([0, 'a b c:1h d']), { read: 0, written5m: 0, written1h: 3, fresh: 1, cost: 7 });
  });

  it('bills by the end of the hit, the last breakpoint of an hour and the last one', () => {
    // A = b, B = d, C = f.
    const mixed = last([0, 'a b:5m'], [1, 'a b:1h c d:1h e f:5m g']);
    assert.deepEqual(mixed, { read: 2, written5m: 2, written1h: 2, fresh: 1, cost: 0.2 + 2.5 + 4 + 1 });
    // No breakpoint of an hour behind A: B is A.
    assert.deepEqual(last([0, 'a b c:1h'], [1, 'a b:1h c d:5m']), { read: 3, written5m: 1, written1h: 0, fresh: 0, cost: 1.55 });
    // No hit: A is the beginning.
    assert.deepEqual(last([0, 'a b:1h c:5m']), { read: 0, written5m: 1, written1h: 2, fresh: 0, cost: 5.25 });
  });

  it('makes a prefix that is read live for an hour when something behind it is written for an hour', () => {
    const [, second, third] = bills([0, 'a b c:5m'], [60, 'a b c d:1h'], [3_000, 'a b c d:1h']);
    assert.deepEqual(second, { read: 3, written5m: 0, written1h: 1, fresh: 0, cost: 2.3 });
    assert.equal(third?.read, 4);
  });

  it('does not make a prefix that is read live for an hour by a breakpoint inside', () => {
    assert.equal(readAt([0, 'a b c:5m'], [60, 'a b:1h c:5m'], [400, 'a b:1h']), 0);
  });

  it('reads an entry for its lifetime after the last use', () => {
    assert.equal(readAt([0, 'a b:5m'], [300, 'a b:5m']), 2);
    assert.equal(readAt([0, 'a b:5m'], [301, 'a b:5m']), 0);
    assert.equal(readAt([0, 'a b:1h'], [3_600, 'a b:5m']), 2);
    assert.equal(readAt([0, 'a b:1h'], [3_601, 'a b:5m']), 0);
    assert.equal(readAt([0, 'a b:5m'], [250, 'a b:5m'], [500, 'a b:5m']), 2);
  });

  it('renews no shorter entries than those at breakpoints', () => {
    assert.equal(readAt([0, 'a b:5m c:5m'], [250, 'a b c:5m'], [500, 'a b:5m']), 0);
    assert.equal(readAt([0, 'a b:5m c:5m'], [250, 'a b:5m c:5m'], [500, 'a b:5m']), 2);
  });

  it('looks back twenty positions from each breakpoint, the last one first', () => {
    const between = (count: number): string => Array.from({ length: count }, (_, at) => `p${String(at)}`).join(' ');
    assert.equal(readAt([0, 'a b:5m'], [1, `a b ${between(18)} x:5m`]), 2);
    assert.equal(readAt([0, 'a b:5m'], [1, `a b ${between(19)} x:5m`]), 0);
    assert.equal(readAt([0, 'a b:5m'], [1, `a b:5m ${between(19)} x:5m`]), 2);
  });

  it('caches no prefix below the minimum', () => {
    assert.deepEqual(last([0, 'a:5m b']), { read: 0, written5m: 0, written1h: 0, fresh: 2, cost: 2 });
  });

  it('refuses five breakpoints, and an hour behind five minutes', () => {
    assert.throws(() => bills([0, 'a:5m b:5m c:5m d:5m e:5m']), /^RangeError: 400: a request has 5 breakpoints\.$/);
    assert.throws(() => bills([0, 'a b:5m c:1h']), /^RangeError: 400: a breakpoint of an hour follows one of five minutes\.$/);
  });

  it('keeps the caches of models apart', () => {
    const cache = new BreakpointCache(ANTHROPIC);
    cache.bill(blocksOf('a b:5m'), 0, 'main');
    assert.equal(cache.bill(blocksOf('a b:5m'), 1, 'small').read, 0);
    assert.equal(cache.bill(blocksOf('a b:5m'), 2, 'main').read, 2_000);
  });
});

describe('the cache that works unasked', () => {
  const reads = (...requests: readonly (readonly [number, string])[]): number => {
    const cache = new PrefixCache(OPENAI);
    return Math.max(...requests.map(([at, text]) => cache.bill(blocksOf(text), at, 'main').read));
  };

  it('reads the longest prefix, in steps of 128 tokens from 1,024 on', () => {
    assert.equal(reads([0, 'a b c'], [1, 'a b x']), 1_024 + 7 * 128);
    assert.equal(reads([0, 'a b'], [1, 'a x']), 0);
  });

  it('forgets a prefix that nothing has used for ten minutes', () => {
    assert.equal(reads([0, 'a b'], [600, 'a b c']), 1_920);
    assert.equal(reads([0, 'a b'], [601, 'a b c']), 0);
    assert.equal(reads([0, 'a b'], [500, 'a b c'], [1_000, 'a b']), 1_920);
  });

  it('takes nothing for writing', () => {
    const bill = new PrefixCache(OPENAI).bill(blocksOf('a b:5m'), 0, 'main');
    assert.deepEqual(bill, { read: 0, written5m: 0, written1h: 0, fresh: 2_000, cost: 2_000 });
  });
});
