import assert from 'node:assert/strict';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import { Diagnoses } from '../../../src/engine/diagnosis/diagnoses.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { uncachedView } from '../../../src/host/request/forecast/uncachedView.js';
import { uncachedSentence } from '../../../src/host/request/verdict/verdict.js';
import type { UncachedView } from '../../../src/protocol/uncached.js';
import { cachingHouse, HOUSE_MINIMUM, words, type CachingHouse } from '../../support/host/cachingHouse.js';
import { RunningClock } from '../../support/host/clocks.js';
import { lastAttempt } from '../../support/host/reading.js';
import { EchoServer, toolboxWith, toolNamed } from '../../support/host/toolServer.js';
import { MemoryFiles, useWindows, type Window } from '../../support/host/window.js';
import { markedCache } from '../../support/engine/models.js';

const MINUTE = 60_000;

describe('why the next request of a chat reads nothing from the cache', () => {
  const windows = useWindows();
  let clock: RunningClock;
  let house: CachingHouse;
  let files: MemoryFiles;
  let tools: EchoServer;
  let servers: EchoServer[];
  let window: Window;
  let session: ChatSession;

  const open = async (config: Partial<ChatConfig>): Promise<void> => {
    clock = new RunningClock();
    const cache = markedCache({ minimumTokens: HOUSE_MINIMUM });
    house = await cachingHouse({ protocol: 'anthropic', cache, clock, minimumTokens: HOUSE_MINIMUM });
    files = new MemoryFiles();
    tools = new EchoServer('alpha', 'run');
    servers = [tools];
    window = windows.open({
      ...{ clock, files, sources: [house.source], toolbox: toolboxWith(servers, windows.folder) },
      config: { model: house.practice, systemPrompt: words(400, 3), cacheLifetime: '5m', ...config },
    });
    session = await window.chats.create();
  };

  afterEach(() => house.server.stop());

  const say = async (text: string): Promise<void> => {
    clock.time += 40_000;
    await session.conversation.send(text);
  };

  const next = async (): Promise<UncachedView | null> => {
    const composed = await session.next.preview({ text: 'And now?', editing: null });
    return uncachedView(composed, session.state);
  };

  const told = (): string | null => {
    const attempt = lastAttempt(session.state);
    return uncachedSentence(attempt, new Diagnoses(() => window.models.list()).of(session.state, attempt));
  };

  it('is that the chat is new, then nothing while the cache holds', async () => {
    await open({});
    assert.deepEqual(await next(), { reason: { kind: 'new', isNewChat: true }, way: null });
    await say(words(900, 1));
    assert.equal(told(), 'This is the first request of the chat, so nothing was in the cache yet.');
    assert.equal(await next(), null);
    await say('And now?');
    assert.equal(told(), null, 'it was read');
  });

  it('is that the cache expired, with the longer lifetime as the way out', async () => {
    await open({});
    await say(words(900, 1));
    const { startedAt } = lastAttempt(session.state);
    clock.time += 20 * MINUTE;
    assert.deepEqual(await next(), { reason: { kind: 'expired', at: startedAt + 5 * MINUTE, isPartly: false }, way: 'longer' });
    await session.changeConfig({ cacheLifetime: '1h' });
    assert.equal((await next())?.way, null);
    house.server.advance(20 * MINUTE);
    await say('And now?');
    assert.match(told() ?? '', /tokens written to the cache again because the cache expired in a pause of 2\d min\.$/);
  });

  it('is that tools of a server changed, by server and name', async () => {
    await open({ systemPrompt: '' });
    await say(words(900, 1));
    tools.tools = [...tools.tools, toolNamed('walk')];
    const reason = (await next())?.reason;
    assert.deepEqual(reason, { kind: 'changed', change: { kind: 'tools', added: ['alpha:walk'], removed: [], changed: [] } });
  });

  it('is that a server has another name, with the name before each tool', async () => {
    await open({ systemPrompt: '' });
    await say(words(900, 1));
    servers[0] = new EchoServer('beta', 'run');
    await say('And now?');
    assert.match(told() ?? '', /because the tools changed \(added beta:run; removed alpha:run\)\.$/);
  });

  it('is the file that changed above the conversation, with a layout that sends the change later', async () => {
    await open({ layout: 'plain', systemPrompt: '' });
    tools.tools = [];
    files.texts.set('src/a.ts', words(200, 8));
    await session.context.add({ type: 'file', name: 'src/a.ts', includeMode: 'manual', addedHash: null, given: null });
    await say(words(900, 1));
    files.texts.set('src/a.ts', words(200, 9));
    const change = { kind: 'item', name: 'src/a.ts', change: 'changed' } as const;
    assert.deepEqual(await next(), { reason: { kind: 'changed', change }, way: 'inPlace' });
    await session.changeConfig({ layout: 'adaptive' });
    assert.equal((await next())?.way ?? null, null);
  });

  it('is that another model replied last, that the cache is off, or that the text is too short', async () => {
    await open({});
    await say(words(900, 1));
    await session.changeConfig({ model: house.other });
    assert.deepEqual((await next())?.reason, { kind: 'otherModel' });
    await session.changeConfig({ model: house.practice, cacheMode: 'all-off' });
    assert.deepEqual(await next(), { reason: { kind: 'off' }, way: 'cacheOn' });
    await session.changeConfig({ systemPrompt: '', cacheMode: 'system' });
    tools.tools = [];
    assert.deepEqual(await next(), { reason: { kind: 'tooShort', minimumTokens: HOUSE_MINIMUM, isSystemOnly: true }, way: 'cacheOn' });
  });
});
