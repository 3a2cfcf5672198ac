import assert from 'node:assert/strict';
import type { Ttl } from '../../../src/engine/model/cacheRules.js';
import {
  EMPTY_CACHE,
  inColumns,
  useCache,
  type CacheState,
  type CacheUse,
  type PartColumns,
} from '../../../src/engine/model/providerCache.js';
import { markedCache } from '../../support/engine/models.js';

const MINUTE = 60_000;
const RULES = markedCache({});

/** Parts of 1,000 tokens. A letter names each, and its mark follows: `a b:5m c`. */
function parts(text: string): PartColumns {
  let prefix = '';
  const found = text.split(' ').map((word) => {
    const [name = '', mark] = word.split(':');
    prefix += name;
    return { prefix, tokens: 1_000, breakpoint: mark === undefined ? null : (mark as Ttl) };
  });
  return inColumns(found);
}

/** The cache use of requests at these minutes, in thousands of tokens. */
function uses(...requests: readonly (readonly [number, string])[]): CacheUse[] {
  let state: CacheState = EMPTY_CACHE;
  return requests.map(([minute, text]) => {
    const { use, state: next } = useCache(RULES, state, parts(text), minute * MINUTE);
    state = next;
    return { read: use.read / 1000, written5m: use.written5m / 1000, written1h: use.written1h / 1000, fresh: use.fresh / 1000 };
  });
}

const last = (...requests: readonly (readonly [number, string])[]): CacheUse | undefined => uses(...requests).at(-1);

describe('the simulated cache', () => {
  it('writes up to a breakpoint, not beyond', () => {
    assert.deepEqual(last([0, 'a b c:5m d']), { read: 0, written5m: 3, written1h: 0, fresh: 1 });
  });

  it('writes nothing without a breakpoint', () => {
    assert.deepEqual(last([0, 'a b'], [1, 'a b']), { read: 0, written5m: 0, written1h: 0, fresh: 2 });
  });

  it('reads nothing without a breakpoint, though an entry is alive', () => {
    assert.deepEqual(last([0, 'a b:5m'], [1, 'a b']), { read: 0, written5m: 0, written1h: 0, fresh: 2 });
  });

  it('reads what was written and writes what is new', () => {
    assert.deepEqual(last([0, 'a b c:5m'], [1, 'a b c d e:5m']), { read: 3, written5m: 2, written1h: 0, fresh: 0 });
  });

  it('reads the longest live prefix, past a change further back', () => {
    assert.deepEqual(last([0, 'a b:5m c:5m'], [1, 'a b:5m x:5m']), { read: 2, written5m: 1, written1h: 0, fresh: 0 });
  });

  it('reads nothing after a change in front', () => {
    assert.deepEqual(last([0, 'a b:5m c:5m'], [1, 'x b:5m c:5m']), { read: 0, written5m: 3, written1h: 0, fresh: 0 });
  });

  it('reads only up to the last breakpoint of the request', () => {
    assert.deepEqual(last([0, 'a b:5m c d:5m'], [1, 'a b:5m c d']), { read: 2, written5m: 0, written1h: 0, fresh: 2 });
  });

  it('keeps an entry for five minutes, or for an hour', () => {
    assert.equal(last([0, 'a b:5m'], [4.99, 'a b:5m'])?.read, 2);
    assert.equal(last([0, 'a b:5m'], [5.01, 'a b:5m'])?.read, 0);
    assert.equal(last([0, 'a b:1h'], [59.99, 'a b:1h'])?.read, 2);
    assert.equal(last([0, 'a b:1h'], [60.01, 'a b:1h'])?.read, 0);
  });

  it('starts the time again at each reading', () => {
    assert.equal(last([0, 'a b:5m'], [4, 'a b:5m'], [8, 'a b:5m'])?.read, 2);
  });

  it('starts the time again for shorter entries at breakpoints of the request, and for no others', () => {
    assert.equal(last([0, 'a b:5m c:5m'], [4, 'a b:5m c:5m'], [8, 'a b:5m x'])?.read, 2);
    assert.equal(last([0, 'a b:5m c:5m'], [4, 'a b c:5m'], [8, 'a b:5m x'])?.read, 0);
  });

  it('finds an entry up to twenty parts back from a breakpoint, that of the breakpoint included', () => {
    const further = (count: number): string => Array.from({ length: count }, (_, index) => `p${String(index)}`).join(' ');
    assert.equal(last([0, 'a b:5m'], [1, `a b ${further(18)} x:5m`])?.read, 2);
    assert.equal(last([0, 'a b:5m'], [1, `a b ${further(19)} x:5m`])?.read, 0);
  });

  it('goes on looking from the breakpoint before', () => {
    const between = Array.from({ length: 30 }, (_, index) => `p${String(index)}`).join(' ');
    assert.deepEqual(last([0, 'a b:5m'], [1, `a b c:5m ${between} x:5m`]), { read: 2, written5m: 32, written1h: 0, fresh: 0 });
  });

  it('writes for an hour all that stands before a breakpoint of an hour', () => {
    assert.deepEqual(last([0, 'a b:5m c d:1h e:5m f']), { read: 0, written5m: 1, written1h: 4, fresh: 1 });
  });

  it('does not start the time again for an entry beyond what was read', () => {
    assert.equal(last([0, 'a b:5m c:5m'], [4, 'a b:5m c'], [8, 'a b c:5m'])?.read, 2);
  });

  it('counts the two times to live apart', () => {
    assert.deepEqual(last([0, 'a b:1h c d:5m']), { read: 0, written5m: 2, written1h: 2, fresh: 0 });
  });

  it('does not write again what is read inside', () => {
    assert.deepEqual(last([0, 'a b c:5m'], [1, 'a b:5m c:5m']), { read: 3, written5m: 0, written1h: 0, fresh: 0 });
  });

  it('ignores a breakpoint on a prefix of less than 1,024 tokens', () => {
    assert.deepEqual(last([0, 'a:5m b']), { read: 0, written5m: 0, written1h: 0, fresh: 2 });
    const exact = inColumns([{ prefix: 'a', tokens: 1_024, breakpoint: '5m' }]);
    assert.equal(useCache(RULES, EMPTY_CACHE, exact, 0).use.written5m, 1_024);
    const short = inColumns([{ prefix: 'a', tokens: 1_023, breakpoint: '5m' }]);
    assert.equal(useCache(RULES, EMPTY_CACHE, short, 0).use.written5m, 0);
  });

  it('leaves the state that it was given as it is', () => {
    useCache(RULES, EMPTY_CACHE, parts('a b:5m'), 0);
    assert.equal(EMPTY_CACHE.size, 0);
  });

  it('forgets what has expired', () => {
    const { state } = useCache(RULES, EMPTY_CACHE, parts('a b:5m'), 0);
    assert.equal(useCache(RULES, state, parts('x'), 5 * MINUTE + 1).state.size, 0);
  });
});
