import { LLMock } from '@copilotkit/aimock';
import assert from 'node:assert/strict';
import { UNRECORDED } from '../../src/engine/model/httpExchange.js';
import { assistant, block, call, definition, EMPTY, MODEL, PARAMS, result, text, THOUGHT, user } from '../unit/anthropic/support.js';
import { client, OPEN, outcome, replyOf, type Outcome } from './anthropicPeer.js';

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
    assert.deepEqual(
      parts.flatMap((part) => (part.type === 'end' ? [part.stopReason] : [])),
      ['toolCalls'],
    );
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
