import assert from 'node:assert/strict';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { markedCache } from '../../support/engine/models.js';
import { cachingHouse, HOUSE_MINIMUM, words, type CachingHouse } from '../../support/host/cachingHouse.js';
import { RunningClock } from '../../support/host/clocks.js';
import { MemoryFiles, useWindows, type Window } from '../../support/host/window.js';

const MINUTE = 60_000;

describe('a cache entry that a breakpoint with a longer lifetime has only read', () => {
  const windows = useWindows();
  let house: CachingHouse;

  afterEach(() => house.server.stop());

  const openWindow = async (clock: RunningClock): Promise<Window> => {
    const cache = markedCache({ minimumTokens: HOUSE_MINIMUM, lifetimes: ['5m', '1h'] });
    house = await cachingHouse({ protocol: 'anthropic', cache, clock, minimumTokens: HOUSE_MINIMUM });
    const config: Partial<ChatConfig> = { model: house.practice, systemPrompt: words(1_500, 3), titles: 'off', compaction: 'off' };
    return windows.open({ clock, files: new MemoryFiles(), sources: [house.source], config });
  };

  const findings = async ({ chats }: Window, session: ChatSession) => {
    await session.next.preview({ text: 'And then?', editing: null });
    return chats.learned.caches.observations(house.practice)?.findings ?? assert.fail('The cache was observed.');
  };

  it('is not lost early after its own lifetime', async () => {
    const clock = new RunningClock();
    const window = await openWindow(clock);
    const first = await window.chats.create();
    await first.conversation.send(words(400, 1));
    clock.time += 2 * MINUTE;
    await first.conversation.send(words(400, 2));
    await findings(window, first);
    const [, second] = house.server.requests;
    assert.ok((second?.usage?.read ?? 0) > 0 && (second?.usage?.written1h ?? 0) > 0, 'The second request reads 5m and writes 1h.');
    clock.time += 5 * MINUTE + 27_000;
    const other = await window.chats.create();
    await other.conversation.send(words(400, 5));
    assert.equal(house.server.requests.at(-1)?.usage?.read, 0);
    for (const { asked, early, lifetime, expected } of await findings(window, other)) {
      assert.deepEqual([early, lifetime], [[], expected], String(asked));
    }
  });
});
