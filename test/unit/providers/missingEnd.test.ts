import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { UNRECORDED } from '../../../src/engine/model/httpExchange.js';
import type { Model, ModelClient, StreamPart } from '../../../src/engine/model/model.js';
import { AnthropicClient } from '../../../src/providers/anthropic/anthropicClient.js';
import { OpenAiCompatibleClient } from '../../../src/providers/openaiCompatible/openAiCompatibleClient.js';
import { column } from '../../support/columns.js';
import { MODEL } from '../openaiCompatible/support.js';
import { endpointAt } from '../../support/http/endpoints.js';

const sse = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const endpoint = endpointAt('https://api.example.com/v1');

const PROTOCOLS: readonly { readonly client: ModelClient; readonly text: string; readonly end: string }[] = [
  {
    client: new OpenAiCompatibleClient(endpoint),
    text: sse({ choices: [{ delta: { content: 'Yes' } }] }),
    end: sse({ choices: [{ delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 3, completion_tokens: 1 } }),
  },
  {
    client: new AnthropicClient(endpoint),
    text: sse({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Yes' } }),
    end: sse({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 3, output_tokens: 1 } }),
  },
];

/** A reply whose server sends a comment every second, but neither an end mark nor the end of the answer. */
async function replyWithoutEnd(
  { client, text, end }: (typeof PROTOCOLS)[number],
  model: Model,
): Promise<{ parts: StreamPart[]; seconds: number }> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const send = (words: string): void => void writer.write(Buffer.from(words)).catch(() => undefined);
  mock.method(globalThis, 'fetch', () => Promise.resolve(new Response(readable, { headers: { 'content-type': 'text/event-stream' } })));
  mock.timers.enable({ apis: ['setTimeout'] });
  const parts: StreamPart[] = [];
  let seconds = 0;
  send(text + end);
  const request = { body: '{}', converterVersion: '1' };
  const reading = (async () => {
    for await (const part of client.stream(model, request, new AbortController().signal, UNRECORDED)) {
      parts.push(part);
    }
  })();
  const over = new AbortController();
  void reading.then(() => {
    over.abort();
  });
  while (!parts.some(({ type }) => type === 'usage')) {
    await setImmediate();
  }
  // The endpoint's silence limit is a minute. Comments restart it.
  while (!over.signal.aborted && seconds < 300) {
    seconds += 1;
    mock.timers.tick(1_000);
    send(': keep-alive\n\n');
    for (let turn = 0; turn < 10; turn += 1) {
      await setImmediate();
    }
  }
  return { parts, seconds };
}

describe('a reply without the end of its stream', () => {
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  for (const protocol of PROTOCOLS) {
    it(`ends two seconds after its finish reason, with its usage (${protocol.client.constructor.name})`, async () => {
      const { parts, seconds } = await replyWithoutEnd(protocol, MODEL);
      assert.equal(seconds, 2);
      assert.deepEqual(column(parts, 'type'), ['text', 'usage', 'end']);
    });
  }
});
