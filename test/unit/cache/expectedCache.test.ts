import assert from 'node:assert/strict';
import { ASKED_LIFETIMES, type CacheRules } from '../../../src/engine/model/cacheRules.js';
import { expectedCache, type ExpectedCache } from '../../../src/engine/cache/expectedCache.js';
import { blockParts, forecast, type Forecast } from '../../../src/engine/cache/forecast.js';
import { PrefixIds } from '../../../src/engine/cache/prefixIds.js';
import { inColumns, type CacheUse } from '../../../src/engine/model/providerCache.js';
import type { Usage } from '../../../src/engine/model/usage.js';
import { parts } from '../../support/engine/blocks.js';
import { markedCache, OPEN_MODEL } from '../../support/engine/models.js';

const MINUTE = 60_000;

function reported(promptTokens: number, read: number, written: number): Usage {
  const figure = (value: number) => ({ value, source: 'reported' }) as const;
  const parts = { promptTokens: figure(promptTokens), cacheReadInputTokens: figure(read), cacheCreationInputTokens: figure(written) };
  return { ...parts, cacheCreation: null, completionTokens: figure(1) };
}

function cacheOf(rules: CacheRules): ExpectedCache {
  return expectedCache(rules, ASKED_LIFETIMES) ?? assert.fail('Its rules are known.');
}

function sizeOf({ read, written5m, written1h, fresh }: CacheUse): number {
  return read + written5m + written1h + fresh;
}

const AUTOMATIC: CacheRules = { kind: 'automatic', minimumTokens: 1_024, stepTokens: 128, lifetimeSeconds: 600 };

describe('what a cache is expected to have', () => {
  it('is not known where its rules are not', () => {
    assert.equal(expectedCache({ kind: 'unknown' }, ASKED_LIFETIMES), null);
  });

  it('is nothing where the provider caches nothing', () => {
    const cache = cacheOf({ kind: 'none' });
    cache.add({ at: 0, parts: parts('ab'), usage: reported(2_000, 0, 0) });
    assert.deepEqual(cache.use(parts('abc'), 1), { read: 0, written5m: 0, written1h: 0, fresh: 3_000, readUntil: null, lifetime: null });
  });

  it('is what was sent, as long as it lives', () => {
    const cache = cacheOf(markedCache({}));
    cache.add({ at: 0, parts: parts('ab'), usage: null });
    const read = { read: 2_000, written5m: 1_000, written1h: 0, fresh: 0, readUntil: 5 * MINUTE, lifetime: 5 * MINUTE };
    assert.deepEqual(cache.use(parts('abc'), MINUTE), read);
    assert.deepEqual(cache.use(parts('abc'), 5 * MINUTE), read);
    assert.equal(cache.use(parts('abc'), 5 * MINUTE + 1).read, 0);
    assert.equal(cache.use(parts('xbc'), MINUTE).read, 0);
  });

  it('is as large as the provider reported', () => {
    const cache = cacheOf(markedCache({}));
    cache.add({ at: 0, parts: parts('ab'), usage: reported(0, 0, 2_150) });
    assert.deepEqual(cache.use(parts('abc'), 1), {
      read: 2_150,
      written5m: 1_000,
      written1h: 0,
      fresh: 0,
      readUntil: 5 * MINUTE,
      lifetime: 5 * MINUTE,
    });
  });

  for (const rules of [markedCache({}), AUTOMATIC]) {
    it(`leaves the size of a request as reported after the content expired: ${rules.kind}`, () => {
      const cache = cacheOf(rules);
      cache.add({ at: 0, parts: parts('ab'), usage: reported(0, 0, 2_150) });
      cache.add({ at: MINUTE, parts: parts('abcd'), usage: reported(0, 2_150, 1_600) });
      for (const now of [2 * MINUTE, 60 * MINUTE]) {
        const use = cache.use(parts('abcde'), now);
        assert.deepEqual([use.read > 0, sizeOf(use)], [now === 2 * MINUTE, 4_750]);
        assert.equal(sizeOf(cache.use(parts('abx'), now)), 3_150);
      }
      assert.equal(sizeOf(cache.use(parts('abcx'), 0)), 3_150 + 1_000, 'without the report of d, c has the measured size');
    });
  }

  it('ignores the reported size of a prefix above that of a longer prefix', () => {
    const cache = cacheOf(markedCache({}));
    cache.add({ at: 0, parts: parts('ab'), usage: reported(0, 0, 2_900) });
    cache.add({ at: 1, parts: parts('abc'), usage: reported(0, 0, 2_700) });
    assert.deepEqual(cache.use(parts('ab'), 2).read, 2_900);
    assert.deepEqual(cache.use(parts('abcd'), 2), {
      ...{ read: 2_700, written5m: 1_000, written1h: 0, fresh: 0, readUntil: 5 * MINUTE + 1, lifetime: 5 * MINUTE },
    });
  });

  it('is nothing of a request of which the provider says that it cached nothing', () => {
    const cache = cacheOf(markedCache({}));
    cache.add({ at: 0, parts: parts('ab'), usage: reported(2_000, 0, 0) });
    assert.equal(cache.use(parts('abc'), 1).read, 0);
  });

  it('is what was sent if the provider reports only cache reads', () => {
    const cache = cacheOf(markedCache({}));
    cache.add({ at: 0, parts: parts('ab'), usage: { ...reported(2_000, 0, 0), cacheCreationInputTokens: null } });
    assert.equal(cache.use(parts('abc'), 1).read, 2_000);
  });

  it('is the longest common beginning of an automatic cache, in its steps', () => {
    const cache = cacheOf(AUTOMATIC);
    cache.add({ at: 0, parts: parts('ab'), usage: null });
    cache.add({ at: MINUTE, parts: parts('axyz'), usage: reported(4_100, 0, 0) });
    assert.deepEqual(cache.use(parts('abc'), 2 * MINUTE), {
      read: 1_920,
      written5m: 0,
      written1h: 0,
      fresh: 1_080,
      readUntil: 10 * MINUTE,
      lifetime: 10 * MINUTE,
    });
    assert.deepEqual(cache.use(parts('axyzw'), 2 * MINUTE), {
      read: 4_096,
      written5m: 0,
      written1h: 0,
      fresh: 1_004,
      readUntil: 11 * MINUTE,
      lifetime: 10 * MINUTE,
    });
    assert.deepEqual(cache.use(parts('ax'), 2 * MINUTE).read, 1_920);
    assert.equal(cache.use(parts('a'), 2 * MINUTE).read, 0, 'it is below the minimum');
    assert.equal(cache.use(parts('qrs'), 2 * MINUTE).readUntil, null);
    assert.equal(cache.use(parts('abc'), 10 * MINUTE + 1).read, 0);
  });
});

describe('a forecast', () => {
  it('prices the input now and after the cache is gone, and says what becomes of each block', () => {
    const cache = cacheOf(markedCache({}));
    cache.add({ at: 0, parts: parts('ab'), usage: null });
    const made = forecast(cache, parts('abc'), { now: MINUTE, lastReplyAt: 0 }, OPEN_MODEL.prices);
    assert.deepEqual(made.parts, { read: 2_000, written: 1_000, fresh: 0 });
    assert.deepEqual(blockParts(made), [
      { read: 1_000, written: 0, fresh: 0 },
      { read: 1_000, written: 0, fresh: 0 },
      { read: 0, written: 1_000, fresh: 0 },
    ]);
    assert.equal(made.costNow?.toFixed(9), ((2_000 * 0.3 + 1_000 * 3.75) / 1e6).toFixed(9));
    assert.equal(made.costAfter?.toFixed(9), ((3_000 * 3.75) / 1e6).toFixed(9));
    assert.equal(made.expiresAt, 5 * MINUTE);
    assert.deepEqual(forecast(cache, parts('abc'), { now: MINUTE, lastReplyAt: 0 }, null).costNow, null);
  });
});

describe('what has expired since the last reply', () => {
  const LONG_AND_SHORT = inColumns([
    { prefix: 'a', tokens: 1_000, breakpoint: null },
    { prefix: 'ab', tokens: 1_000, breakpoint: '1h' },
    { prefix: 'abc', tokens: 1_500, breakpoint: '5m' },
  ]);
  const next = (cache: ExpectedCache, now: number): Forecast => forecast(cache, parts('abcd'), { now, lastReplyAt: 0 }, null);

  it('is the part with the shorter lifetime', () => {
    const cache = cacheOf(markedCache({}));
    cache.add({ at: 0, parts: LONG_AND_SHORT, usage: null });
    assert.equal(next(cache, 5 * MINUTE).expired, null);
    const { parts: now, expired } = next(cache, 6 * MINUTE);
    assert.deepEqual([now.read, expired], [2_000, { tokens: 1_000, at: 5 * MINUTE, unusedMs: 6 * MINUTE }]);
    assert.deepEqual([cache.cachedParts(LONG_AND_SHORT, 0), cache.cachedParts(LONG_AND_SHORT, 6 * MINUTE)], [3, 2]);
    const later = next(cache, 61 * MINUTE).expired;
    assert.deepEqual(later, { tokens: 3_000, at: 5 * MINUTE, unusedMs: 61 * MINUTE });
  });

  it('is nothing that the request would not have read, and nothing before the first reply', () => {
    const cache = cacheOf(markedCache({}));
    cache.add({ at: 0, parts: LONG_AND_SHORT, usage: null });
    assert.equal(forecast(cache, parts('xbc'), { now: 6 * MINUTE, lastReplyAt: 0 }, null).expired, null);
    assert.equal(forecast(cache, parts('abc'), { now: 6 * MINUTE, lastReplyAt: null }, null).expired, null);
  });

  it('forgets the oldest requests of an automatic cache, and keeps the latest of any length', () => {
    const cache = cacheOf(AUTOMATIC);
    const long = (name: string) => ({
      prefixes: Array.from({ length: 150_000 }, (_, at) => `${name}${String(at)}`),
      ends: Array.from({ length: 150_000 }, (_, at) => at + 1),
      breakpoints: [],
    });
    const [old, latest] = [long('old'), long('latest')];
    cache.add({ at: 0, parts: old, usage: null });
    assert.equal(cache.cachedParts(old, 1), 150_000);
    cache.add({ at: 1, parts: latest, usage: null });
    assert.deepEqual([cache.cachedParts(old, 2), cache.cachedParts(latest, 2)], [0, 150_000]);
  });

  it('is known of an automatic cache, also after later requests', () => {
    const cache = cacheOf(AUTOMATIC);
    cache.add({ at: 0, parts: parts('abc'), usage: null });
    cache.add({ at: 20 * MINUTE, parts: parts('xyz'), usage: null });
    assert.deepEqual(next(cache, 21 * MINUTE).expired, { tokens: 2_944, at: 10 * MINUTE, unusedMs: 21 * MINUTE });
    assert.deepEqual(
      [0, 21 * MINUTE].map((now) => cache.cachedParts(parts('abc'), now)),
      [3, 0],
    );
  });
});

describe('the names of prefixes', () => {
  it('are equal for equal beginnings and for no others', () => {
    const ids = new PrefixIds();
    const named = (hashes: string): readonly string[] => ids.of(hashes.split('').map((hash) => ({ hash })));
    const first = named('abc');
    const second = named('axc');
    assert.equal(second[0], first[0]);
    assert.notEqual(second[1], first[1]);
    assert.notEqual(second[2], first[2]);
    assert.deepEqual(named('ab'), first.slice(0, 2));
    assert.deepEqual(named('abc'), first);
    assert.equal(ids.size, 5);
  });
});
