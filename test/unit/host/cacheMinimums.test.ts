import assert from 'node:assert/strict';
import { figureValue } from '../../../src/engine/model/usage.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { ConfiguredProviders } from '../../../src/host/models/providers/configuredProviders.js';
import { parseProviders } from '../../../src/host/models/providers/parseProviders.js';
import { PROTOCOLS } from '../../../src/host/models/providers/protocols.js';
import { uncachedView } from '../../../src/host/request/forecast/uncachedView.js';
import type { UncachedView } from '../../../src/protocol/uncached.js';
import { startCachingServer, type CachingServer } from '../../support/cachingServer/cachingServer.js';
import { words } from '../../support/host/cachingHouse.js';
import { RunningClock } from '../../support/host/clocks.js';
import { lastAttempt } from '../../support/host/reading.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';

const OTHER_NAMES: Readonly<Record<string, number>> = {
  'anthropic/claude-haiku-4.5': 4_096,
  'us.anthropic.claude-haiku-4-5-20251001-v1:0': 4_096,
  'claude-haiku-4-5@20251001': 4_096,
  'claude-opus-4-5-20251101': 4_096,
  'claude-opus-4-20250514': 1_024,
  'claude-opus-4-8': 1_024,
  'claude-opus-5-5': 512,
  'claude-3-5-haiku-latest': 2_048,
  'claude-3-5-sonnet-20241022': 1_024,
  'anything-else': 1_024,
};

describe('the shortest prefix that a model of Anthropic caches', () => {
  const windows = useWindows();
  let server: CachingServer;
  let session: ChatSession;

  /** Opens a chat with a model that has only an id in the settings. */
  const open = async (model: string): Promise<void> => {
    const clock = new RunningClock();
    server = await startCachingServer({ now: () => clock.time, models: [{ id: model }] });
    const settings = [{ id: 'house', protocol: 'anthropic', baseUrl: server.url, models: [{ id: model }] }];
    const source = new ConfiguredProviders({
      read: () => parseProviders(settings, 'loupe.providers').providers,
      embeddings: () => null,
      key: () => Promise.resolve(null),
      protocols: PROTOCOLS,
    });
    const config = { model: { provider: 'house', model }, systemPrompt: words(900, 3) };
    session = await windows.open({ clock, files: new MemoryFiles(), sources: [source], config }).chats.create();
  };

  afterEach(() => server.stop());

  /** Returns the written tokens of the forecast and of the reply, and why the forecast reads nothing. */
  const send = async (): Promise<readonly [number | undefined, number | null, UncachedView['reason'] | undefined]> => {
    const composed = await session.next.preview({ text: 'Where is the lighthouse?', editing: null });
    await session.conversation.send('Where is the lighthouse?');
    const written = figureValue(lastAttempt(session.state).end?.usage?.cacheCreationInputTokens ?? null);
    return [composed.forecast?.parts.written, written, uncachedView(composed, session.state)?.reason];
  };

  it('is longer than this request for one model, so that later requests are never said to be lost', async () => {
    await open('claude-haiku-4-5');
    const tooShort = { kind: 'tooShort', minimumTokens: 4_096, isSystemOnly: false };
    assert.deepEqual(await send(), [0, 0, tooShort]);
    assert.deepEqual(await send(), [0, 0, tooShort]);
  });

  it('is shorter than this request for another model', async () => {
    await open('claude-sonnet-4-5');
    const [expected = 0, written] = await send();
    assert.ok(expected > 1_024 && written !== null && written > 1_024, `${String(expected)} and ${String(written)}`);
  });
});

describe('the default of the shortest cached prefix', () => {
  it('is the documented one, also for the ids of gateways and clouds, and for ids with a date', () => {
    for (const [id, minimum] of Object.entries(OTHER_NAMES)) {
      const { cache } = PROTOCOLS.anthropic.capabilities(id);
      assert.equal(cache.kind === 'marks' && cache.minimumTokens, minimum, id);
    }
  });
});
