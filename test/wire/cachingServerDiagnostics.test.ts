import assert from 'node:assert/strict';
import type { CachingServer } from '../support/cachingServer/cachingServer.js';
import { MARK, Rig, send, words } from '../support/cachingServer/rig.js';

// Cache diagnostics as https://platform.claude.com/docs/en/build-with-claude/cache-diagnostics has them.

const TOOL = { name: 'read', description: words('tool', 20), input_schema: { type: 'object' } };
const FIRST = {
  tools: [TOOL],
  system: [{ type: 'text', text: words('system', 50), ...MARK }],
  messages: [{ role: 'user', content: 'Summarize section 1.' }],
};
const APPENDED = [...FIRST.messages, { role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Now section 2.' }];

describe('the caching server: cache diagnostics', () => {
  const rig = new Rig();

  afterEach(() => rig.stopAll());

  const start = (): Promise<CachingServer> => rig.start({ models: [{ id: 'practice' }, { id: 'second' }] });

  const naming = (previous: string | null): object => ({ diagnostics: { previous_message_id: previous } });

  async function told(server: CachingServer, body: object, headers: Record<string, string>): Promise<unknown> {
    const { json } = await send(server, body, headers);
    return (json as { diagnostics?: unknown }).diagnostics;
  }

  it('say null for a request without them, for the first one, and where messages were only appended', async () => {
    const server = await start();
    assert.equal(await told(server, FIRST, {}), null);
    assert.equal(await told(server, { ...FIRST, ...naming(null) }, {}), null);
    // A breakpoint is no content.
    const unmarked = [{ type: 'text', text: words('system', 50) }];
    assert.equal(await told(server, { ...FIRST, system: unmarked, messages: APPENDED, ...naming('msg_2') }, {}), null);
  });

  const rows: readonly (readonly [string, object])[] = [
    ['model_changed', { model: 'second', system: 'Another.' }],
    ['model_changed', { speed: 'fast' }],
    ['tools_changed', { tools: [TOOL, { ...TOOL, name: 'write' }], system: 'Another.' }],
    ['system_changed', { system: 'Another.', messages: [{ role: 'user', content: 'Another.' }] }],
    ['messages_changed', { messages: [{ role: 'user', content: 'Summarize section 2.' }] }],
    ['unavailable', { tool_choice: { type: 'none' }, messages: [{ role: 'user', content: 'Another.' }] }],
  ];
  for (const [type, change] of rows) {
    it(`say ${type} of ${Object.keys(change).join(' and ')}`, async () => {
      const server = await start();
      await told(server, { ...FIRST, ...naming(null) }, {});
      const { cache_miss_reason: reason } = (await told(server, { ...FIRST, ...change, ...naming('msg_1') }, {})) as {
        cache_miss_reason: { type: string; cache_missed_input_tokens?: number };
      };
      assert.equal(reason.type, type);
      assert.equal((reason.cache_missed_input_tokens ?? 0) > 0, type.endsWith('_changed'));
    });
  }

  it('find only what the same key has asked for', async () => {
    const server = await start();
    const missing = { cache_miss_reason: { type: 'previous_message_not_found' } };
    await told(server, FIRST, { 'x-api-key': 'one' });
    assert.deepEqual(await told(server, { ...FIRST, ...naming('msg_1') }, { 'x-api-key': 'one' }), missing);
    assert.deepEqual(await told(server, { ...FIRST, ...naming('msg_2') }, { 'x-api-key': 'two' }), missing);
    assert.equal(await told(server, { ...FIRST, ...naming('msg_2') }, { 'x-api-key': 'one' }), null);
  });
});
