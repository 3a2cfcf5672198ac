import { LLMock } from '@copilotkit/aimock';
import assert from 'node:assert/strict';
import { figureValue } from '../../src/engine/model/usage.js';
import type { LoupeError } from '../../src/engine/errors.js';
import { OpenAiCompatibleClient } from '../../src/providers/openaiCompatible/openAiCompatibleClient.js';
import { endpointAt, kindOf, never, receive, type Received } from '../support/wire/compatibleServer.js';
import { endOf, summary } from '../unit/openaiCompatible/support.js';

describe('the client against a mock server of other makers', () => {
  const mock = new LLMock({ port: 0, chunkSize: 5 });
  const ask = (words: string, more: object): Promise<Received> => {
    const user = { role: 'user', content: words };
    const body = { model: 'm', stream: true, stream_options: { include_usage: true }, messages: [user], ...more };
    return receive(new OpenAiCompatibleClient(endpointAt(mock.url, {})), JSON.stringify(body), never);
  };

  before(async () => {
    mock.onMessage('greet', { content: 'Hello there, 世界 🙂!', id: 'chatcmpl-mock' });
    mock.onMessage('think', { content: 'Four.', reasoning: 'Two and two.' });
    mock.onMessage('look', {
      toolCalls: [
        { name: 'read', arguments: '{"path":"a.ts"}', id: 'call_1' },
        { name: 'list', arguments: '{}', id: 'call_2' },
      ],
    });
    mock.onMessage('count', {
      content: 'Counted.',
      usage: { prompt_tokens: 100, completion_tokens: 3, total_tokens: 103, prompt_tokens_details: { cached_tokens: 64 } },
    });
    mock.onMessage('cut', { content: 'A long reply that is cut in its middle.' }, { truncateAfterChunks: 3 });
    mock.onMessage('full', { error: { message: 'too long', type: 'invalid_request_error', code: 'context_length_exceeded' }, status: 400 });
    mock.onMessage('busy', { error: { message: 'slow down', type: 'rate_limit_error' }, status: 429, retryAfter: 3 });
    mock.onMessage('broken', { content: 'x' }, { chaos: { malformedRate: 1 } });
    mock.onMessage('gone', { content: 'x' }, { chaos: { disconnectRate: 1 } });
    await mock.start();
  });
  after(() => mock.stop());

  it('streams text', async () => {
    const { parts, error } = await ask('greet', {});
    assert.equal(error, null);
    assert.deepEqual(summary(parts), ['text: Hello there, 世界 🙂!']);
    assert.ok(parts.filter(({ type }) => type === 'text').length > 1);
    assert.deepEqual([endOf(parts)?.stopReason, endOf(parts)?.responseId], ['end', 'chatcmpl-mock']);
  });

  it('streams reasoning', async () => {
    assert.deepEqual(summary((await ask('think', {})).parts), ['reasoning: Two and two.', 'text: Four.']);
  });

  it('streams tool calls', async () => {
    const { parts } = await ask('look', {});
    assert.deepEqual(summary(parts), ['call_1 read({"path":"a.ts"})', 'call_2 list({})']);
    assert.equal(endOf(parts)?.stopReason, 'toolCalls');
  });

  it('reads usage', async () => {
    const usage = endOf((await ask('count', {})).parts)?.usage;
    assert.equal(figureValue(usage?.completionTokens ?? null), 3);
    const input = [usage?.promptTokens, usage?.cacheReadInputTokens].map((figure) => figureValue(figure ?? null));
    assert.equal((input[0] ?? 0) + (input[1] ?? 0), 100);
  });

  it('tells its errors apart', async () => {
    const full = await ask('full', {});
    assert.equal(kindOf(full), 'contextOverflow');
    const busy = await ask('busy', {});
    assert.equal(kindOf(busy), 'rateLimit');
    assert.equal((busy.error as LoupeError).retryAfterMs, 3_000);
  });

  it('takes no broken reply for a complete one', async () => {
    for (const words of ['cut', 'broken', 'gone']) {
      const { parts, error } = await ask(words, {});
      assert.equal(endOf(parts), null);
      assert.notEqual(error, null, words);
    }
  });

  it('lists its models', async () => {
    const models = await new OpenAiCompatibleClient(endpointAt(mock.url, {})).listModels(never);
    assert.ok(models.length > 0);
  });
});
