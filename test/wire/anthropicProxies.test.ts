import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { UNRECORDED } from '../../src/engine/model/httpExchange.js';
import type { WireRequest } from '../../src/engine/model/model.js';
import { MODEL, assistant, block, call, definition, EMPTY, PARAMS, result, text, THOUGHT, user } from '../unit/anthropic/support.js';
import { chunks, client, json, OPEN, outcome, Peer, replyOf, type Outcome } from './anthropicPeer.js';
import { LLMock } from '@copilotkit/aimock';

const REQUEST: WireRequest = { body: '{}', converterVersion: 'anthropic/1' };

function proxied(file: string): Buffer {
  return readFileSync(`test/fixtures/anthropic/${file}`);
}

describe('a reply of the Messages API through a proxy', () => {
  let peer: Peer;
  before(async () => {
    peer = await Peer.start();
  });
  after(() => peer.stop());

  const stream = (): Promise<Outcome> => outcome(client(peer.url).stream(MODEL, REQUEST, OPEN, UNRECORDED));

  const expected = {
    reply: [
      { type: 'text', text: 'High tide is at six.' },
      { type: 'toolCall', id: 'toolu_p1', name: 'look', rawArgs: '{"at":"tide"}' },
    ],
    figures: [40, 300, 0, 20],
  };
  const read = async (): Promise<typeof expected> => {
    const { parts, error } = await stream();
    assert.equal(error, null);
    const end = parts.at(-1);
    assert.ok(end?.type === 'end' && end.stopReason === 'toolCalls' && end.usage !== null);
    const { promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens } = end.usage;
    const figures = [promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens].map((each) => each?.value ?? -1);
    return { reply: [...replyOf(parts)] as (typeof expected)['reply'], figures };
  };

  it('has the usage that comes at its end, in place of zeros at its begin', async () => {
    peer.answer = chunks(proxied('proxy-late-usage.sse'));
    assert.deepEqual(await read(), expected);
  });

  it('is the same without the names of its events', async () => {
    const named = proxied('proxy-late-usage.sse').toString('utf8');
    peer.answer = chunks(Buffer.from(named.replaceAll(/^event: .*\n/gm, '')));
    assert.deepEqual(await read(), expected);
  });

  it('is whole as one JSON answer, and as one event', async () => {
    const message = proxied('proxy-whole-message.json');
    peer.answer = json(200, JSON.parse(message.toString('utf8')));
    assert.deepEqual(await read(), expected);
    peer.answer = chunks(Buffer.from(`event: message\ndata: ${message.toString('utf8').replaceAll('\n', '')}\n\n`));
    assert.deepEqual(await read(), expected);
  });

  it('keeps the usage of its begin where its end has zeros', async () => {
    peer.answer = chunks(proxied('proxy-zeros-at-end.sse'));
    assert.deepEqual(await read(), expected);
  });

  it('that has searched and cites names its sources, each once', async () => {
    const urls = ['https://tides.example/table', 'https://tides.example/moon', 'https://tides.example/harbour', 'kb/tides', '', ''];
    const titles = ['Tide table', 'The moon', 'The harbour', 'Tides', 'Document 2', 'Almanac'];
    peer.answer = chunks(proxied('cited.sse'));
    const { parts } = await stream();
    const end = parts.at(-1);
    assert.ok(end?.type === 'end');
    const sources = titles.map((title, at) => ({ type: 'source', url: urls[at], title }));
    assert.deepEqual(end.extras, sources);
    assert.deepEqual(replyOf(parts), [{ type: 'text', text: 'High tide is at six.' }]);
  });

  it('in one piece names what its texts cite', async () => {
    const citation = { type: 'web_search_result_location', url: 'https://tides.example/table', title: null };
    peer.answer = json(200, {
      ...{ type: 'message', id: 'msg_p3', stop_reason: 'end_turn', usage: { input_tokens: 4, output_tokens: 2 } },
      content: [
        { type: 'text', text: 'Six.', citations: [citation, null, { type: 'new_kind' }] },
        { type: 'web_search_tool_result', content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' } },
      ],
    });
    const end = (await stream()).parts.at(-1);
    assert.deepEqual(end?.type === 'end' && end.extras, [{ type: 'source', url: 'https://tides.example/table', title: '' }]);
  });

  it('that has searched, and was paused, says both', async () => {
    peer.answer = chunks(proxied('searched.sse'));
    const end = (await stream()).parts.at(-1);
    assert.ok(end?.type === 'end');
    assert.deepEqual([end.stopReason, end.finishReason, end.usage?.isMoreBilled], ['other', 'pause_turn', true]);
  });
});

describe('the Messages API of aimock', () => {
  let mock: LLMock;
  before(async () => {
    mock = new LLMock({ port: 0, chunkSize: 3, strict: true });
    await mock.start();
  });
  afterEach(() => {
    mock.reset();
  });
  after(() => mock.stop());

  const ask = (words: string): Promise<Outcome> => {
    const house = client(mock.url);
    const prompt = { ...EMPTY, tools: [block('tools', definition('read'), null)], messages: [user(text(words))] };
    return outcome(house.stream(MODEL, house.convert(MODEL, prompt, PARAMS, new Map()), OPEN, UNRECORDED));
  };

  it('streams text behind reasoning, with the usage that it says', async () => {
    mock.onMessage('hello', {
      content: 'Hello, 世界! 👋',
      reasoning: 'A greeting.',
      reasoningSignature: 'signed',
      id: 'msg_x',
      usage: { input_tokens: 31, output_tokens: 7 },
    });
    const { parts, error } = await ask('hello');
    assert.equal(error, null);
    assert.deepEqual(replyOf(parts), [
      { type: 'reasoning', text: 'A greeting.', opaque: 'signed' },
      { type: 'text', text: 'Hello, 世界! 👋' },
    ]);
    const end = parts.at(-1);
    assert.ok(end?.type === 'end');
    assert.equal(end.stopReason, 'end');
    assert.equal(end.responseId, 'msg_x');
    assert.equal(end.usage?.promptTokens?.value, 31);
    assert.equal(end.usage.completionTokens?.value, 7);
    assert.equal(end.usage.cacheReadInputTokens, null);
  });

  it('streams parallel tool calls', async () => {
    mock.onMessage('look', {
      toolCalls: [
        { id: 'toolu_1', name: 'read', arguments: '{"path":"a"}' },
        { id: 'toolu_2', name: 'read', arguments: '{}' },
      ],
    });
    const { parts } = await ask('look');
    assert.deepEqual(replyOf(parts), [
      { type: 'toolCall', id: 'toolu_1', name: 'read', rawArgs: '{"path":"a"}' },
      { type: 'toolCall', id: 'toolu_2', name: 'read', rawArgs: '{}' },
    ]);
    const reasons = parts.flatMap((part) => (part.type === 'end' ? [part.stopReason] : []));
    assert.deepEqual(reasons, ['toolCalls']);
  });

  it('understands a conversation with reasoning, calls and results', async () => {
    mock.onToolResult('toolu_1', { content: 'It says so.' });
    const house = client(mock.url);
    const messages = [user(text('look')), assistant(THOUGHT, call('toolu_1', 'read')), user(result('toolu_1', 'read'))];
    const params = { maxOutputTokens: 4_000, extraBody: { thinking: { type: 'enabled', budget_tokens: 1_024 } } };
    const request = house.convert(MODEL, { ...EMPTY, messages }, params, new Map());
    const { parts, error } = await outcome(house.stream(MODEL, request, OPEN, UNRECORDED));
    assert.equal(error, null);
    assert.deepEqual(replyOf(parts), [{ type: 'text', text: 'It says so.' }]);
  });

  it('refuses with the errors of the API', async () => {
    for (const [status, type, kind] of [
      [429, 'rate_limit_error', 'rateLimit'],
      [529, 'overloaded_error', 'overloaded'],
      [401, 'authentication_error', 'auth'],
    ] as const) {
      mock.nextRequestError(status, { message: 'not now', type });
      const { parts, error } = await ask('hello');
      assert.deepEqual(parts, []);
      assert.equal(error?.kind, kind);
    }
  });

  it('breaks off in the middle: that is an error that can be retried, and no end', async () => {
    mock.onMessage('long', { content: 'one two three four five six' }, { truncateAfterChunks: 4 });
    const { parts, error } = await ask('long');
    assert.equal(error?.retryable, true);
    assert.ok(parts.every(({ type }) => type !== 'end'));
  });
});
