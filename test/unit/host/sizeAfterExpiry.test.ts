import assert from 'node:assert/strict';
import type { CacheRules } from '../../../src/engine/model/cacheRules.js';
import { markedCache } from '../../support/engine/models.js';
import { cachingHouse, HOUSE_MINIMUM, words, type CachingHouse, type HouseOptions } from '../../support/host/cachingHouse.js';
import { RunningClock } from '../../support/host/clocks.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';

const HOURS = 2 * 3_600_000;

/** The largest error of a forecast, as a share of the billed tokens. Loupe only counts the new message. */
const TOLERANCE = 0.01;

const CACHES: readonly (readonly [HouseOptions['protocol'], CacheRules])[] = [
  ['anthropic', markedCache({ minimumTokens: HOUSE_MINIMUM, lifetimes: ['5m', '1h'] })],
  ['openai-compatible', { kind: 'automatic', minimumTokens: HOUSE_MINIMUM, stepTokens: 128, lifetimeSeconds: 300 }],
];

describe('the size of the next request', () => {
  const windows = useWindows();
  let house: CachingHouse;

  afterEach(() => house.server.stop());

  for (const [protocol, cache] of CACHES) {
    it(`does not change when the cache expires, and is the billed size: ${protocol}`, async () => {
      const clock = new RunningClock();
      house = await cachingHouse({ protocol, cache, clock, minimumTokens: HOUSE_MINIMUM });
      const config = { model: house.practice, systemPrompt: words(1_500, 3), titles: 'off', compaction: 'off' } as const;
      const session = await windows.open({ clock, files: new MemoryFiles(), sources: [house.source], config }).chats.create();
      await session.conversation.send(words(800, 1));
      await session.conversation.send(words(800, 2));
      const forecast = async () => {
        const { forecast: made } = await session.next.preview({ text: 'And then?', editing: null });
        const { parts, costAfter, costNow } = made ?? assert.fail('The cache is known.');
        return { read: parts.read, tokens: parts.read + parts.written + parts.fresh, costNow, costAfter };
      };
      const before = await forecast();
      clock.time += HOURS;
      const after = await forecast();
      assert.ok(before.read > 0 && after.read === 0);
      assert.equal(after.tokens, before.tokens);
      assert.equal(after.costNow, before.costAfter);
      await session.conversation.send('And then?');
      const { read, written5m, written1h, fresh } = house.server.requests.at(-1)?.usage ?? assert.fail('The server has answered.');
      const billed = read + written5m + written1h + fresh;
      assert.ok(Math.abs(after.tokens - billed) <= TOLERANCE * billed, `${String(after.tokens)} is not ${String(billed)}`);
    });
  }
});
