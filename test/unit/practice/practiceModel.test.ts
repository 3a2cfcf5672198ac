import assert from 'node:assert/strict';
import { inputTokens } from '../../../src/engine/model/usage.js';
import { LoupeError } from '../../../src/engine/errors.js';
import type { StreamPart } from '../../../src/engine/model/model.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import type { PracticeRequest } from '../../../src/providers/practice/wire.js';
import { FakeClock, practiceModel, receive, requestOf, says, tool, user } from './support.js';

const { signal } = new AbortController();

describe('the practice model', () => {
  it('streams text in small pieces and one end part at last', async () => {
    const { parts, end } = await receive(practiceModel(new FakeClock()), requestOf(user('hello')), signal);
    assert.ok(parts.length > 20);
    const place = parts.findIndex((part) => part.type === 'end');
    assert.equal(place, parts.length - 1);
    assert.equal(end?.stopReason, 'end');
    assert.equal(end.responseId, 'practice_00000000');
  });

  it('gives the same reply to the same request', async () => {
    const [a, b] = await Promise.all([1, 2].map(() => receive(practiceModel(new FakeClock()), requestOf(user('hello')), signal)));
    assert.deepEqual(a, b);
  });

  it('bills exactly framing and parts: what the engine counts', async () => {
    const request: PracticeRequest = {
      ...requestOf(user('hello'), says('hi'), user('again', 'more')),
      system: [
        { type: 'text', text: 'sys' },
        { type: 'text', text: 'tem' },
      ],
      tools: [tool('Reads.')],
    };
    const { end } = await receive(practiceModel(new FakeClock()), request, signal);
    const { perRequest, perMessage, perTool } = PRACTICE_STANDARD.capabilities.framing;
    const content = 'sys'.length + 'tem'.length + 'hellohiagainmore'.length + 'read\nReads.\n{}'.length;
    assert.ok(end?.usage);
    assert.equal(inputTokens(end.usage), perRequest + 4 * perMessage + perTool + content);
  });

  it('counts a request as it bills it, and streams nothing for it', async () => {
    const request = { ...requestOf(user('hello'), says('hi'), user('again')), system: [{ type: 'text' as const, text: 'system' }] };
    const model = practiceModel(new FakeClock());
    const wire = { body: JSON.stringify(request), converterVersion: 'practice/1' };
    const counted = await model.countTokens(PRACTICE_STANDARD, wire, signal);
    const { end } = await receive(model, request, signal);
    assert.ok(end?.usage);
    assert.equal(counted, inputTokens(end.usage));
  });

  it('reports usage as figures of the provider, and raw', async () => {
    const request = { ...requestOf(user('hello')), system: [{ type: 'text' as const, text: 'x'.repeat(2_000), cache: '5m' as const }] };
    const model = practiceModel(new FakeClock());
    await receive(model, request, signal);
    const { end, text } = await receive(model, request, signal);
    assert.deepEqual(end?.usage, {
      promptTokens: { value: 9, source: 'reported' },
      cacheReadInputTokens: { value: 2_007, source: 'reported' },
      cacheCreationInputTokens: { value: 0, source: 'reported' },
      cacheCreation: { fiveMinutes: 0, oneHour: 0 },
      completionTokens: { value: text.length, source: 'reported' },
    });
    assert.deepEqual(end.rawUsage, {
      input_tokens: 9,
      cache_read_tokens: 2_007,
      cache_written_5m_tokens: 0,
      cache_written_1h_tokens: 0,
      output_tokens: text.length,
    });
  });

  const marked = (text: string): PracticeRequest => ({
    ...requestOf(user(text)),
    system: [{ type: 'text', text: 'x'.repeat(2_000), cache: '5m' }],
  });
  const readTokens = (end: Extract<StreamPart, { type: 'end' }> | null): number | undefined => end?.usage?.cacheReadInputTokens?.value;

  it('caches nothing of a request that fails', async () => {
    const model = practiceModel(new FakeClock());
    await receive(model, marked('/error 429'), signal);
    assert.equal(readTokens((await receive(model, marked('hello'), signal)).end), 0);
  });

  it('caches a request whose reply breaks off', async () => {
    const model = practiceModel(new FakeClock());
    await receive(model, marked('/error cut'), signal);
    assert.equal(readTokens((await receive(model, marked('hello'), signal)).end), 2_007);
  });

  it('finds what it cached when the breakpoint has moved on', async () => {
    const model = practiceModel(new FakeClock());
    await receive(model, marked('hello'), signal);
    const moved: PracticeRequest = {
      ...requestOf({ role: 'user', content: [{ type: 'text', text: 'hello', cache: '5m' }] }),
      system: [{ type: 'text', text: 'x'.repeat(2_000) }],
    };
    assert.equal(readTokens((await receive(model, moved, signal)).end), 2_007);
  });

  it('caches for each model apart', async () => {
    const model = practiceModel(new FakeClock());
    await receive(model, marked('hello'), signal);
    const { end } = await receive(model, { ...marked('hello'), model: 'small' }, signal);
    assert.equal(readTokens(end), 0);
  });

  it('fails on a request over the input limit, naming both numbers', async () => {
    const request = { ...requestOf(user('x'.repeat(9_000))), model: 'small' };
    const { parts, error } = await receive(practiceModel(new FakeClock()), request, signal);
    assert.deepEqual(parts, []);
    assert.ok(error instanceof LoupeError && error.kind === 'contextOverflow');
    assert.match(error.message, /9,007 tokens; the model's limit is 8,192/);
  });

  it('takes a request of exactly the input limit', async () => {
    const request = { ...requestOf(user('x'.repeat(8_185))), model: 'small' };
    const { error } = await receive(practiceModel(new FakeClock()), request, signal);
    assert.equal(error, null);
  });

  it('fails on a request that leaves no room for a reply', async () => {
    const request = { ...requestOf(user('hello')), max_tokens: 0 };
    const { error } = await receive(practiceModel(new FakeClock()), request, signal);
    assert.ok(error instanceof LoupeError && error.kind === 'contextOverflow');
  });
});

describe('stopping the practice model', () => {
  it('works before the first part', async () => {
    const { parts, error } = await receive(practiceModel(new FakeClock()), requestOf(user('hello')), AbortSignal.abort());
    assert.deepEqual(parts, []);
    assert.ok(error instanceof LoupeError && error.kind === 'cancelled');
  });

  it('works after any part: none comes late, and no end', async () => {
    const wire = { body: JSON.stringify(requestOf(user('/tool read {"path":"a"}'))), converterVersion: 'practice/1' };
    const whole = await receive(practiceModel(new FakeClock()), requestOf(user('/tool read {"path":"a"}')), signal);
    for (let stopAfter = 1; stopAfter < whole.parts.length; stopAfter += 1) {
      const controller = new AbortController();
      const got: StreamPart[] = [];
      const stream = practiceModel(new FakeClock()).stream(PRACTICE_STANDARD, wire, controller.signal);
      await assert.rejects(
        async () => {
          for await (const part of stream) {
            got.push(part);
            if (got.length === stopAfter) {
              controller.abort();
            }
          }
        },
        (error) => error instanceof LoupeError && error.kind === 'cancelled',
      );
      assert.deepEqual(got, whole.parts.slice(0, stopAfter));
    }
  });

  it('works during a pause, without waiting for its end', async () => {
    const controller = new AbortController();
    const endless = {
      now: () => 0,
      sleep: (_ms: number, signalOfSleep: AbortSignal) =>
        new Promise<void>((resolve) => {
          signalOfSleep.addEventListener('abort', () => {
            resolve();
          });
        }),
    };
    const reply = receive(practiceModel(endless), requestOf(user('/slow')), controller.signal);
    setImmediate(() => {
      controller.abort();
    });
    const { parts, error } = await reply;
    assert.deepEqual(parts, []);
    assert.ok(error instanceof LoupeError && error.kind === 'cancelled');
  });
});
