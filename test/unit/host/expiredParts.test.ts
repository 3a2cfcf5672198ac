import assert from 'node:assert/strict';
import type { CacheLifetime, ChatConfig } from '../../../src/engine/chat/settings/config.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { uncachedView } from '../../../src/host/request/forecast/uncachedView.js';
import type { UncachedView } from '../../../src/protocol/uncached.js';
import { markedCache } from '../../support/engine/models.js';
import { cachingHouse, HOUSE_MINIMUM, words, type CachingHouse } from '../../support/host/cachingHouse.js';
import { RunningClock } from '../../support/host/clocks.js';
import { lastAttempt } from '../../support/host/reading.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';

const MINUTE = 60_000;

describe('a pause after which a part of the cache has expired', () => {
  const windows = useWindows();
  let clock: RunningClock;
  let house: CachingHouse;
  let session: ChatSession;

  beforeEach(async () => {
    clock = new RunningClock();
    const cache = markedCache({ minimumTokens: HOUSE_MINIMUM, lifetimes: ['5m', '1h'] });
    house = await cachingHouse({ protocol: 'anthropic', cache, clock, minimumTokens: HOUSE_MINIMUM });
    const config: Partial<ChatConfig> = { model: house.practice, systemPrompt: words(1_500, 3), titles: 'off', compaction: 'off' };
    session = await windows.open({ clock, files: new MemoryFiles(), sources: [house.source], config }).chats.create();
  });

  afterEach(() => house.server.stop());

  async function send(text: string, cacheLifetime: CacheLifetime): Promise<void> {
    await session.changeConfig({ cacheLifetime });
    await session.conversation.send(text);
  }

  /** Returns what the next request reads, why it reads no more, and how much of the last request is still cached. */
  async function next(): Promise<{ read: number; uncached: UncachedView | null; alive: number; cached: number }> {
    const composed = await session.next.preview({ text: 'And then?', editing: null });
    const { alive, cached } = composed.situation.last ?? assert.fail('The chat has sent a request.');
    return { read: composed.forecast?.parts.read ?? 0, uncached: uncachedView(composed, session.state), alive, cached };
  }

  it('is the reason why the next request reads only the part that was written for an hour', async () => {
    await send(words(800, 1), '1h');
    await send(words(800, 2), '5m');
    const { startedAt } = lastAttempt(session.state);
    const before = await next();
    assert.deepEqual([before.uncached, before.alive], [null, before.cached]);
    clock.time += 20 * MINUTE;
    const after = await next();
    assert.ok(after.read > 0 && after.read < before.read);
    assert.ok(after.alive > 0 && after.alive < after.cached);
    assert.deepEqual(after.uncached, { reason: { kind: 'expired', at: startedAt + 5 * MINUTE, isPartly: true }, way: 'longer' });
  });

  it('follows from the lifetime of the write, although the last request asked for another lifetime', async () => {
    await send(words(800, 1), '5m');
    const [asked] = session.state.runs.values();
    clock.time += MINUTE;
    await session.changeConfig({ cacheLifetime: '1h' });
    // The retry reads the entry of five minutes, and writes nothing for an hour.
    await session.conversation.retry(asked?.userMessageId ?? '');
    const { startedAt, manifest } = lastAttempt(session.state);
    assert.deepEqual(new Set(manifest.marks.map(({ ttl }) => ttl)), new Set(['1h']));
    clock.time += 20 * MINUTE;
    const { read, uncached, alive } = await next();
    assert.deepEqual([read, alive, uncached?.reason], [0, 0, { kind: 'expired', at: startedAt + 5 * MINUTE, isPartly: false }]);
    await session.conversation.send('And then?');
    assert.equal(house.server.requests.at(-1)?.usage?.read, 0);
  });
});
