import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { CachingServer } from '../support/cachingServer/cachingServer.js';
import type { Reply } from '../support/cachingServer/options.js';
import { block, Rig } from '../support/cachingServer/rig.js';

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
});
