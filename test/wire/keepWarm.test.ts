import assert from 'node:assert/strict';
import type { CacheRules } from '../../src/engine/model/cacheRules.js';
import { KEEP_WARM_TEXT, keepWarmRequest } from '../../src/engine/next/keepWarm.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { keepWarmOf } from '../../src/host/chat/idle/idleFigures.js';
import { markedCache } from '../support/engine/models.js';
import { cachingHouse, HOUSE_MINIMUM, words, type CachingHouse } from '../support/host/cachingHouse.js';
import { RunningClock } from '../support/host/clocks.js';
import { MemoryFiles, useWindows } from '../support/host/window.js';

/** The members of a request that a keep-warm request must not change, so that the provider finds its cache. */
interface Body {
  readonly system?: unknown;
  readonly tools?: unknown;
  readonly thinking?: unknown;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
}

const CACHES: Readonly<Record<'anthropic' | 'openai-compatible', CacheRules>> = {
  anthropic: markedCache({ minimumTokens: HOUSE_MINIMUM }),
  'openai-compatible': { kind: 'automatic', minimumTokens: HOUSE_MINIMUM, stepTokens: 128, lifetimeSeconds: 300 },
};

const bodyOf = (text: string | undefined): Body => JSON.parse(text ?? assert.fail('There is a request.')) as Body;

/** Texts of a message, whether it has a text or blocks. Breakpoints do not belong to the cached text. */
const unmarked = (value: unknown): unknown =>
  JSON.parse(JSON.stringify([value], (key, member: unknown) => (key === 'cache_control' ? undefined : member)));

describe('a request that keeps a cache warm', () => {
  const windows = useWindows();
  let house: CachingHouse;

  afterEach(() => house.server.stop());

  const openChat = async (protocol: keyof typeof CACHES): Promise<ChatSession> => {
    const clock = new RunningClock();
    house = await cachingHouse({ protocol, cache: CACHES[protocol], clock, minimumTokens: HOUSE_MINIMUM });
    const window = windows.open({
      ...{ clock, files: new MemoryFiles(), sources: [house.source] },
      config: { model: house.practice, systemPrompt: words(500, 3), titles: 'off', compaction: 'off' },
    });
    const session = await window.chats.create();
    await session.conversation.send(words(2_000, 1));
    await session.conversation.send(words(2_000, 2));
    return session;
  };

  for (const protocol of ['anthropic', 'openai-compatible'] as const) {
    it(`repeats the request before it, asks for the fewest tokens, and writes nothing to the cache (${protocol})`, async () => {
      const session = await openChat(protocol);
      const sent = bodyOf(house.server.requests.at(-1)?.body);
      const request = (await keepWarmOf(session.state, session)) ?? assert.fail('The cache can be kept warm.');
      const body = bodyOf(request.composed.wire().body);
      assert.deepEqual(unmarked([body.system, body.tools, body.thinking]), unmarked([sent.system, sent.tools, sent.thinking]));
      assert.deepEqual(unmarked(body.messages.slice(0, sent.messages.length)), unmarked(sent.messages));
      const [reply, last, ...more] = body.messages.slice(sent.messages.length);
      assert.deepEqual([reply?.role, last?.role, more], ['assistant', 'user', []]);
      assert.match(JSON.stringify(last), /Reply with OK\./);
      assert.equal(body.max_tokens ?? body.max_completion_tokens, 1);
      assert.equal(request.composed.forecast?.parts.written, 0);
      assert.ok(request.read > 3_000);
    });
  }

  it('keeps the thinking budget, because the provider caches the messages of each budget separately, and its price has all of it', async () => {
    const session = await openChat('anthropic');
    const thinking = { type: 'enabled', budget_tokens: 1_024 };
    const composed = await session.next.withInstruction(session.state, KEEP_WARM_TEXT);
    const model = { ...composed.model, extraBody: { thinking } };
    const request = keepWarmRequest({ ...composed, model }) ?? assert.fail('The cache can be kept warm.');
    const body = bodyOf(request.composed.wire().body);
    assert.deepEqual(body.thinking, thinking);
    assert.equal(body.max_tokens, 1_025);
    const output = (1_025 * (model.prices?.output ?? NaN)) / 1_000_000;
    assert.ok(request.cost > output && request.cost < 2 * output);
  });
});
