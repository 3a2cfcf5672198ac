import { createHash } from 'node:crypto';
import { ASKED_LIFETIMES, type CacheRules } from '../../../src/engine/model/cacheRules.js';
import { expectedCache } from '../../../src/engine/cache/expectedCache.js';
import { forecast } from '../../../src/engine/cache/forecast.js';
import { PrefixIds } from '../../../src/engine/cache/prefixIds.js';
import { cachedRequest, requestParts } from '../../../src/engine/request/requestParts.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { medianOf, processorTime, race, type Contestant } from '../race.js';
import type { Row } from '../row.js';

const BLOCKS = 10_000;
const TOKENS = 40;
/** Requests of the chat that can still be in the cache. */
const SENT = 20;
const KEYS = 10;
const ROUNDS = 21;
const MOST_MS = 5;

const KINDS: readonly { readonly name: string; readonly rules: CacheRules }[] = [
  { name: 'a cache with breakpoints', rules: { kind: 'marks', most: 4, minimumTokens: 1_024, lookBack: 20, lifetimes: ['5m', '1h'] } },
  { name: 'a cache that works unasked', rules: { kind: 'automatic', minimumTokens: 1_024, stepTokens: 128, lifetimeSeconds: 600 } },
];

export const forecasts: Row = {
  name: 'forecasts',
  job: `forecast a request of ${BLOCKS.toLocaleString('en')} blocks at a key, with ${String(SENT)} requests that may be in the cache; time of the processor`,
  async measure() {
    const samples = await race(KINDS.map(typing), { rounds: ROUNDS });
    return {
      samples,
      amount: null,
      verdicts: KINDS.map(({ name }) => ({ what: `a key, ${name}, ms`, measured: medianOf(samples, name), target: { atMost: MOST_MS } })),
    };
  },
};

function typing({ name, rules }: (typeof KINDS)[number]): Contestant {
  const cache = expectedCache(rules, ASKED_LIFETIMES);
  if (cache === null) {
    throw new Error(`Nobody knows ${name}.`);
  }
  const prefixes = new PrefixIds();
  const hashes = Array.from({ length: BLOCKS }, (_, at) => createHash('sha256').update(String(at)).digest('hex'));
  const partsOf = (count: number, last: string): ReturnType<typeof requestParts> => {
    const blocks = [...hashes.slice(0, count - 1), last].map((hash) => ({ hash, tokens: TOKENS }));
    return requestParts(cachedRequest(blocks, [{ at: count - 1, ttl: '5m' }]), count * TOKENS, prefixes);
  };
  for (let sent = 0; sent < SENT; sent += 1) {
    const count = BLOCKS - 2 * (SENT - sent);
    cache.add({ at: sent * 1_000, parts: partsOf(count, hashes[count - 1] ?? ''), usage: null });
  }
  let key = 0;
  const times = { now: SENT * 1_000, lastReplyAt: (SENT - 1) * 1_000 };
  return {
    name,
    run: () =>
      processorTime(KEYS, () => {
        key += 1;
        const made = forecast(cache, partsOf(BLOCKS, `typed ${String(key)}`), times, PRACTICE_STANDARD.prices);
        if (made.parts.read === 0) {
          throw new Error('It reads what was sent.');
        }
      }),
  };
}
