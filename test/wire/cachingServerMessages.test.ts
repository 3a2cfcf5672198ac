import assert from 'node:assert/strict';
import { eventData, get, post } from '../support/cachingServer/client.js';
import { inTurn } from '../support/cachingServer/replies.js';
import { block, MARK, MINUTE, numbered, refusal, Rig, send, sizes, usage, words } from '../support/cachingServer/rig.js';

// Each rule as https://platform.claude.com/docs/en/build-with-claude/prompt-caching has it.

describe('the caching server: the Messages API', () => {
  const rig = new Rig();

  afterEach(() => rig.stopAll());

  describe('the rest of the protocol', () => {
    it('counts tokens without touching the cache', async () => {
      const server = await rig.startSmall({});
      const headers = { 'anthropic-version': '2023-06-01' };
      const { json } = await post(`${server.url}/v1/messages/count_tokens`, { model: 'practice', ...numbered(3, [3]) }, headers);
      assert.deepEqual(json, { input_tokens: 300 });
      assert.deepEqual(await usage(server, numbered(3, [3])), sizes({ written5m: 300 }));
    });

    it('adds framing where a model has some: per request behind the last mark, per message, per tool', async () => {
      const framing = { perRequest: 7, perMessage: 5, perTool: 3 };
      const server = await rig.startSmall({ framing });
      const tool = { name: 't', input_schema: {} };
      const tokens = Math.ceil(JSON.stringify(tool).length / 4) + 3 + 100 + 5;
      assert.deepEqual(
        await usage(server, { tools: [tool], messages: [{ role: 'user', content: [{ ...block('a', 100), ...MARK }] }] }),
        sizes({ written5m: tokens, fresh: 7 }),
      );
    });

    it('adds the framing of a message once for two in a row that become one', async () => {
      const server = await rig.startSmall({ framing: { perRequest: 0, perMessage: 5, perTool: 0 } });
      const messages = ['user', 'user', 'assistant'].map((role) => ({ role, content: words('a', 10) }));
      assert.deepEqual(await usage(server, { messages }), sizes({ fresh: 40 }));
    });

    it('counts with another counter', async () => {
      const counter = { count: (text: string) => text.length, countShared: (text: string) => text.length };
      const server = await rig.start({ counter });
      assert.deepEqual(await usage(server, { messages: [{ role: 'user', content: 'twelve chars' }] }), sizes({ fresh: 12 }));
    });

    it('takes the time from another clock, moved on from there', async () => {
      let time = 1_000_000;
      const server = await rig.start({ models: [{ id: 'practice', minimumTokens: 100 }], now: () => time });
      await usage(server, numbered(2, [2]));
      time += 3 * MINUTE;
      server.advance(2 * MINUTE);
      assert.deepEqual(await usage(server, numbered(2, [2])), sizes({ read: 200 }));
      time += 5 * MINUTE + 1;
      assert.deepEqual(await usage(server, numbered(2, [2])), sizes({ written5m: 200 }));
    });

    it('lists its models with their limits', async () => {
      const server = await rig.start({ models: [{ id: 'small', label: 'Small', maxInputTokens: 8_000, maxOutputTokens: 900 }] });
      const { json } = await get(`${server.url}/v1/models`, { 'anthropic-version': '2023-06-01' });
      assert.deepEqual((json as { data: unknown[] }).data, [
        { type: 'model', id: 'small', display_name: 'Small', created_at: '1970-01-01T00:00:00Z', max_input_tokens: 8_000, max_tokens: 900 },
      ]);
    });

    it('warms the cache with max_tokens: 0, answers nothing and refuses what would want an answer', async () => {
      const server = await rig.start({});
      const warm = {
        max_tokens: 0,
        system: [{ ...block('s', 5_120), ...MARK }],
        messages: [{ role: 'user', content: words('warmup', 8) }],
      };
      const { json } = await send(server, warm, {});
      const { content, stop_reason, usage: used } = json as { content: unknown; stop_reason: string; usage: Record<string, unknown> };
      assert.deepEqual(
        [content, stop_reason, used['input_tokens'], used['cache_creation_input_tokens'], used['output_tokens']],
        [[], 'max_tokens', 8, 5_120, 0],
      );
      assert.deepEqual(await usage(server, { ...warm, max_tokens: 100 }), sizes({ read: 5_120, fresh: 8 }));
      for (const extra of [
        { stream: true },
        { thinking: { type: 'enabled', budget_tokens: 1 } },
        { output_config: { format: {} } },
        { tool_choice: { type: 'any' } },
      ]) {
        assert.match(await refusal(server, { ...warm, ...extra }), /^max_tokens: 0/u);
      }
    });

    it('plays scripted replies, and fails when there are no more', async () => {
      const reply = inTurn(
        {
          parts: [
            { type: 'thinking', thinking: 'hm' },
            { type: 'toolCall', name: 'look', args: { at: 'it' }, id: 'c1' },
          ],
        },
        { parts: [{ type: 'text', text: 'It is blue.' }], outputTokens: 77 },
      );
      const server = await rig.start({ reply });
      const ask = { messages: [{ role: 'user', content: 'What color?' }] };
      const first = (await send(server, ask, {})).json as { content: { type: string; signature?: string }[]; stop_reason: string };
      assert.deepEqual(
        first.content.map(({ type }) => type),
        ['thinking', 'tool_use'],
      );
      assert.deepEqual(first.content[1], { type: 'tool_use', id: 'c1', name: 'look', input: { at: 'it' } });
      assert.equal(first.stop_reason, 'tool_use');
      const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'blue' }] };
      const second = (await send(server, { messages: [...ask.messages, { role: 'assistant', content: first.content }, result] }, {}))
        .json as { stop_reason: string; usage: { output_tokens: number } };
      assert.deepEqual([second.stop_reason, second.usage.output_tokens], ['end_turn', 77]);
      const third = await send(server, ask, {});
      assert.deepEqual([third.status, (third.json as { error: { type: string } }).error.type], [500, 'api_error']);
    });

    it('records what came and what was computed', async () => {
      const server = await rig.startSmall({});
      const body = { model: 'practice', max_tokens: 100, ...numbered(3, [2]) };
      await send(server, body, { 'x-api-key': 'the-key', 'x-custom': 'yes' });
      const [{ headers, body: text, ...record } = assert.fail('no request')] = server.requests;
      assert.equal(text, JSON.stringify(body));
      assert.equal(headers['x-custom'], 'yes');
      assert.deepEqual(record, {
        protocol: 'anthropic',
        path: '/v1/messages',
        key: 'the-key',
        json: body,
        stream: false,
        model: 'practice',
        status: 200,
        usage: {
          read: 0,
          written5m: 200,
          written1h: 0,
          fresh: 100,
          output: Math.ceil('3 blocks, 1 marks: 0 tokens read, 200 written for 5 minutes, 0 for an hour, 100 fresh.'.length / 4),
        },
        error: null,
      });
    });

    it('streams the events in their order, the input at the start and all at the end', async () => {
      const server = await rig.startSmall({});
      const { headers, text } = await send(server, { ...numbered(3, [2]), stream: true }, {});
      assert.match(headers.get('content-type') ?? '', /^text\/event-stream/u);
      const events = eventData(text) as { type: string; message?: { usage: object }; usage?: object }[];
      const order = events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
      assert.deepEqual(order, [
        'message_start',
        'ping',
        'content_block_start',
        'content_block_delta',
        'content_block_stop',
        'message_delta',
        'message_stop',
      ]);
      const input = sizes({ written5m: 200, fresh: 100 });
      assert.deepEqual(events[0]?.message?.usage, { ...input, output_tokens: 1, service_tier: 'standard' });
      assert.deepEqual(events.at(-2)?.usage, { ...input, output_tokens: server.requests[0]?.usage?.output, service_tier: 'standard' });
    });
  });
});
