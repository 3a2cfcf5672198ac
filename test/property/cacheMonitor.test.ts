import assert from 'node:assert/strict';
import type { CacheRules } from '../../src/engine/model/cacheRules.js';
import { CacheMonitor } from '../../src/engine/cacheMonitor/cacheMonitor.js';
import { Random } from '../bench/judge/random.js';
import { column } from '../support/columns.js';
import { depth } from '../support/depth.mjs';
import { AutomaticCache } from '../support/cachingServer/automaticCache.js';
import type { Ttl } from '../support/cachingServer/prompt.js';
import { MarkedCache } from '../support/cachingServer/markedCache.js';
import { quarterCounter } from '../support/cachingServer/tokens.js';
import { markedCache } from '../support/engine/models.js';
import { MonitoredChats, type MonitoredChatsOptions, type Provider } from '../support/engine/monitoredChats.js';

const MINUTE = 60_000;
const RULES = markedCache({ minimumTokens: 1_024 });
const AUTOMATIC: CacheRules = { kind: 'automatic', minimumTokens: 1_024, stepTokens: 128, lifetimeSeconds: 600 };

interface Truth {
  minimumTokens: number;
  lifetime: number;
}

const JITTER = 0.08;

function marked(truth: Truth, random: Random): Provider {
  const cache = new MarkedCache();
  return {
    tellsWrites: true,
    evict: () => {
      cache.evict();
    },
    use: (prompt, now) => {
      const lifetime = truth.lifetime * (1 - JITTER + 2 * JITTER * random.next());
      const lifetimes: Readonly<Record<Ttl, number>> = { '5m': lifetime, '1h': lifetime };
      return cache.use(prompt, 'owner', { ...truth, lookback: 20, toolRunsShareAPosition: true, lifetimes }, now);
    },
  };
}

function automatic(truth: Truth, random: Random): Provider {
  const cache = new AutomaticCache(quarterCounter);
  return {
    tellsWrites: false,
    evict: () => {
      cache.evict();
    },
    use: (prompt, now) => {
      const idleLifetime = truth.lifetime * (1 - JITTER + 2 * JITTER * random.next());
      const rules = { minimumTokens: truth.minimumTokens, stepTokens: 128, idleLifetime };
      return cache.use(prompt, 'owner', { cacheKey: '', rules, now });
    },
  };
}

/** Pauses as measured in chats: half of them below 90 seconds, some of hours. */
function measuredPause(random: Random): number {
  return random.logNormal({ median: 86_000, sigma: 2.1, least: 1_000, most: 6 * 60 * MINUTE });
}

const HONEST: Omit<MonitoredChatsOptions, 'random' | 'mark'> = {
  chats: 4,
  pause: measuredPause,
  systemTokens: 3_000,
  addedTokens: [40, 1_500],
  evicted: 0,
  takenBack: 0.1,
  untold: 0.05,
  failed: 0.05,
  unseen: 0.04,
};

function run(chats: MonitoredChats, provider: Provider, monitor: CacheMonitor, requests: number): void {
  for (let sent = 0; sent < requests; sent += 1) {
    const request = chats.next(provider);
    if (request !== null) {
      monitor.take(request);
    }
  }
}

const CACHES = [
  ['5 minutes', RULES, '5m', 5 * MINUTE, marked],
  ['an hour', RULES, '1h', 60 * MINUTE, marked],
  ['an automatic cache', AUTOMATIC, null, 10 * MINUTE, automatic],
] as const;

/** Requests to a provider whose cache works as documented. */
const HONEST_REQUESTS = depth({ short: 2_000, deep: 50_000 });

/** Pauses as shares of a lifetime: on both sides of it, just below it, and growing. */
const CLOSE: readonly ((random: Random, sent: number) => number)[] = [
  (random) => 0.5 + random.next(),
  (random) => 0.82 + 0.06 * random.next(),
  (_random, sent) => 0.8 + (0.4 * (sent % 100)) / 100,
];

describe('the cache monitor', () => {
  for (const [name, rules, mark, lifetime, start] of CACHES) {
    it(`finds no early loss in ${String(HONEST_REQUESTS)} requests of a provider that keeps what it says: ${name}`, () => {
      const pauses = [measuredPause, ...CLOSE.map((share) => (random: Random, sent: number) => Math.round(lifetime * share(random, sent)))];
      for (const [at, pause] of pauses.entries()) {
        const random = new Random(7 + at);
        const chats: MonitoredChats = new MonitoredChats({ ...HONEST, random, mark, pause: () => pause(random, chats.sent) });
        const provider = start({ minimumTokens: 1_024, lifetime }, random);
        const monitor = new CacheMonitor(rules);
        let most = 0;
        for (let sent = 0; sent < HONEST_REQUESTS / pauses.length; sent += 20) {
          run(chats, provider, monitor, 20);
          for (const { early, inTime, lifetime: counted } of monitor.findings) {
            assert.deepEqual([early, counted], [[], lifetime], `pauses ${String(at)}, after ${String(chats.sent)} requests`);
            most = Math.max(most, inTime);
          }
        }
        assert.ok(most > 10, `only ${String(most)} in time with the pauses ${String(at)}`);
        assert.deepEqual(monitor.refused, []);
      }
    });

    it(`finds each early loss, and no other: ${name}`, () => {
      const random = new Random(3);
      const noNoise = { takenBack: 0, untold: 0, failed: 0, unseen: 0, chats: 1, evicted: 0.3 };
      const pause = (): number => random.integer([30_000, lifetime / 2]);
      const chats = new MonitoredChats({ ...HONEST, ...noNoise, random, mark, pause });
      const provider = start({ minimumTokens: 1_024, lifetime }, random);
      const dropped: string[] = [];
      const recorded: Provider = {
        ...provider,
        evict: () => {
          dropped.push(...(chats.sent === 1 ? [] : [`attempt ${String(chats.sent)}`]));
          provider.evict();
        },
      };
      const monitor = new CacheMonitor(rules);
      run(chats, recorded, monitor, 100);
      const [{ early, inTime } = assert.fail()] = monitor.findings;
      assert.ok(dropped.length > 10 && inTime > 90, JSON.stringify([dropped.length, inTime]));
      assert.deepEqual(column(early, 'attemptId'), dropped);
    });

    it(`observes a shorter lifetime, and counts with the usual one when that is back: ${name}`, () => {
      const random = new Random(5);
      const noNoise = { takenBack: 0, untold: 0, failed: 0, unseen: 0, chats: 1 };
      const pause = (): number => (chats.sent % 2 === 0 ? lifetime / 2 : 40_000);
      const chats: MonitoredChats = new MonitoredChats({ ...HONEST, ...noNoise, random, mark, pause });
      const truth = { minimumTokens: 1_024, lifetime: MINUTE };
      const provider = start(truth, random);
      const monitor = new CacheMonitor(rules);
      run(chats, provider, monitor, 20);
      const [{ lived, gone, lifetime: observed, read, all } = assert.fail()] = monitor.findings;
      assert.deepEqual([lived, gone, observed, read > 5, all > read], [40_000, lifetime / 2, lifetime / 2 - 1, true, true]);
      truth.lifetime = lifetime;
      run(chats, provider, monitor, 4);
      assert.deepEqual(column(monitor.findings, 'lifetime'), [lifetime]);
    });
  }
});
