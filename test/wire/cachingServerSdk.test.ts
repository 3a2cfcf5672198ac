import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { CachingServer } from '../support/cachingServer/cachingServer.js';
import type { Reply } from '../support/cachingServer/options.js';
import { block, MARK, Rig } from '../support/cachingServer/rig.js';

const LONG = 'A text of more than one piece, with an emoji 🙂 and "quotes".';
const REPLY: Reply = {
  parts: [
    { type: 'thinking', thinking: `Thinking: ${LONG}`, signature: 'signed' },
    { type: 'text', text: LONG },
    { type: 'toolCall', name: 'look', args: { at: LONG }, id: 'c1' },
    { type: 'toolCall', name: 'go', args: {}, id: 'c2' },
  ],
};

const anthropic = ({ url }: CachingServer): Anthropic => new Anthropic({ baseURL: url, apiKey: 'the-key', maxRetries: 0 });
const openai = ({ url }: CachingServer): OpenAI => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'the-key', maxRetries: 0 });

describe('the caching server: the official SDKs', () => {
  const rig = new Rig();

  afterEach(() => rig.stopAll());

  it('Anthropic’s reads its stream', async () => {
    const server = await rig.start({ key: 'the-key', reply: () => REPLY });
    const system = [{ ...block('s', 1_024), cache_control: { type: 'ephemeral' as const } }];
    const stream = anthropic(server).messages.stream({
      model: 'practice',
      max_tokens: 9,
      system,
      messages: [{ role: 'user', content: 'hello!!!' }],
    });
    const { content, stop_reason, usage } = await stream.finalMessage();
    assert.deepEqual(content, [
      { type: 'thinking', thinking: `Thinking: ${LONG}`, signature: 'signed' },
      { type: 'text', text: LONG },
      { type: 'tool_use', id: 'c1', name: 'look', input: { at: LONG } },
      { type: 'tool_use', id: 'c2', name: 'go', input: {} },
    ]);
    assert.equal(stop_reason, 'tool_use');
    assert.deepEqual([usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens], [2, 1_024, 0]);
    assert.equal(usage.output_tokens, server.requests[0]?.usage?.output);
  });

  it('Anthropic’s reads its answers, counts, models and errors', async () => {
    const server = await rig.start({ key: 'the-key', models: [{ id: 'practice', maxInputTokens: 100 }], reply: () => REPLY });
    const client = anthropic(server);
    const message = await client.messages.create({ model: 'practice', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] });
    assert.equal(message.content.length, 4);
    const counted = await client.messages.countTokens({ model: 'practice', messages: [{ role: 'user', content: 'hi' }] });
    assert.equal(counted.input_tokens, 1);
    const models = (await client.models.list()).data;
    assert.deepEqual(
      models.map(({ id, max_input_tokens }) => [id, max_input_tokens]),
      [['practice', 100]],
    );
    const tooLong = client.messages.create({ model: 'practice', max_tokens: 9, messages: [{ role: 'user', content: [block('a', 101)] }] });
    await assert.rejects(
      tooLong,
      (error: unknown) =>
        error instanceof Anthropic.BadRequestError && error.message.includes('prompt is too long: 101 tokens > 100 maximum'),
    );
    const stranger = new Anthropic({ baseURL: server.url, apiKey: 'other', maxRetries: 0 });
    await assert.rejects(stranger.models.list(), Anthropic.AuthenticationError);
  });

  it('OpenAI’s reads its stream', async () => {
    const server = await rig.start({ key: 'the-key', reply: () => REPLY });
    const stream = openai(server).chat.completions.stream({
      model: 'practice',
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'hi' }],
    });
    const { choices, usage } = await stream.finalChatCompletion();
    const [choice] = choices;
    assert.deepEqual([choice?.message.content, choice?.finish_reason], [LONG, 'tool_calls']);
    const calls = (choice?.message.tool_calls ?? []).map((call) =>
      'function' in call ? [call.id, call.function.name, call.function.arguments] : [],
    );
    assert.deepEqual(calls, [
      ['c1', 'look', JSON.stringify({ at: LONG })],
      ['c2', 'go', '{}'],
    ]);
    assert.deepEqual([usage?.prompt_tokens, usage?.prompt_tokens_details?.cached_tokens], [8, 0]);
    assert.equal(usage?.completion_tokens, server.requests[0]?.usage?.output);
  });

  it('OpenAI’s reads its answers, models and errors', async () => {
    const server = await rig.start({ key: 'the-key', models: [{ id: 'practice', maxInputTokens: 100 }], reply: () => REPLY });
    const client = openai(server);
    const completion = await client.chat.completions.create({ model: 'practice', messages: [{ role: 'user', content: 'hi' }] });
    assert.equal(completion.choices[0]?.message.content, LONG);
    const models = (await client.models.list()).data;
    assert.deepEqual(
      models.map(({ id }) => id),
      ['practice'],
    );
    const tooLong = client.chat.completions.create({ model: 'practice', messages: [{ role: 'user', content: block('a', 101).text }] });
    await assert.rejects(tooLong, (error: unknown) => error instanceof OpenAI.BadRequestError && error.code === 'context_length_exceeded');
    const stranger = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'other', maxRetries: 0 });
    await assert.rejects(stranger.models.list(), OpenAI.AuthenticationError);
  });

  it('a tool loop of rounds reads what the rounds before have written', async () => {
    const server = await rig.start({
      reply: ({ json }) => {
        const round = (json as { messages: unknown[] }).messages.length;
        return round < 7 ? { parts: [{ type: 'toolCall', name: 'look', args: { round } }] } : { parts: [{ type: 'text', text: 'Done.' }] };
      },
    });
    const messages: Anthropic.MessageParam[] = [
      { role: 'user', content: [{ ...block('question', 2_000), cache_control: { type: 'ephemeral' } }] },
    ];
    for (;;) {
      const reply = await anthropic(server).messages.create({ model: 'practice', max_tokens: 9, messages });
      if (reply.stop_reason !== 'tool_use') {
        break;
      }
      const results = reply.content.flatMap((part) => (part.type === 'tool_use' ? [part.id] : []));
      messages.push({ role: 'assistant', content: reply.content });
      messages.push({ role: 'user', content: results.map((id) => ({ type: 'tool_result', tool_use_id: id, content: [block(id, 100)] })) });
      const last = messages.at(-1)?.content;
      Object.assign((Array.isArray(last) ? last[0] : undefined) ?? {}, messages.length < 9 ? MARK : {});
    }
    // `look {"round":1}` is 4 tokens, its result 100.
    assert.deepEqual(
      server.requests.map(({ usage }) => [usage?.read, usage?.written5m, usage?.fresh]),
      [
        [0, 2_000, 0],
        [2_000, 104, 0],
        [2_104, 104, 0],
        [2_208, 104, 0],
      ],
    );
  });
});
