import assert from 'node:assert/strict';
import { UNRECORDED } from '../../src/engine/run/exchange.js';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { LoupeError } from '../../src/engine/errors.js';
import type { ErrorKind } from '../../src/engine/failures/entry.js';
import type { Endpoint } from '../../src/providers/endpoint.js';
import { connectionError } from '../../src/providers/http/connectionError.js';
import { guardedFetch } from '../../src/providers/http/guardedFetch.js';
import { answer, chunk, chunkedHead, EVENT_STREAM, events, head, json } from '../support/http/answers.js';
import { endpointAt } from '../support/http/endpoints.js';
import { FaultServer, type Step } from '../support/http/faultServer.js';

/** A vendor's SDK on a guarded fetch: its streams are taken as they come. */
interface Sdk {
  readonly name: string;
  /** The bytes of a stream with these texts. */
  bytes(texts: readonly string[]): Buffer;
  /** What follows a text in the JSON of its event. */
  readonly jsonEnd: string;
  /** The texts of a reply. */
  texts(endpoint: Endpoint, signal: AbortSignal): AsyncIterable<string>;
}

const OPTIONS = { apiKey: 'the-key', maxRetries: 0, logLevel: 'off' } as const;

const ANTHROPIC: Sdk = {
  name: 'Anthropic',
  jsonEnd: '}}',
  bytes: (texts) =>
    Buffer.from(
      texts
        .map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }))
        .map((event) => `event: content_block_delta\ndata: ${JSON.stringify(event)}\n\n`)
        .join(''),
    ),
  async *texts(endpoint, signal) {
    const client = new Anthropic({ ...OPTIONS, baseURL: endpoint.baseUrl, fetch: guardedFetch(endpoint, UNRECORDED) });
    const messages = [{ role: 'user', content: 'x' }] as const;
    const stream = await client.messages.create({ model: 'm', max_tokens: 9, stream: true, messages: [...messages] }, { signal });
    for await (const event of stream) {
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') {
        yield event.delta.text;
      }
    }
  },
};

const OPENAI: Sdk = {
  name: 'OpenAI',
  jsonEnd: '}}]}',
  bytes: (texts) =>
    Buffer.from(
      texts
        .map((content) => ({ choices: [{ index: 0, delta: { content } }] }))
        .map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`)
        .join('') + 'data: [DONE]\n\n',
    ),
  async *texts(endpoint, signal) {
    const client = new OpenAI({ ...OPTIONS, baseURL: endpoint.baseUrl, fetch: guardedFetch(endpoint, UNRECORDED) });
    const messages = [{ role: 'user', content: 'x' }] as const;
    const stream = await client.chat.completions.create({ model: 'm', stream: true, messages: [...messages] }, { signal });
    for await (const event of stream) {
      yield event.choices[0]?.delta.content ?? '';
    }
  },
};

/** Two, three and four bytes in UTF-8, escapes, line ends inside JSON, and the characters of events. */
const TEXTS = ['ä€𝄞"', 'data: {}\r\n', 'end'];

/** The texts whose events are there, at least up to the end of their JSON. */
function completeIn(part: Buffer, sdk: Sdk): string[] {
  return TEXTS.filter((text) => part.toString().includes(`${JSON.stringify(text)}${sdk.jsonEnd}`));
}

/** Hundreds of requests take seconds, and more on a computer that is busy. */
const EVERY_BYTE_MS = 60_000;

interface Received {
  readonly texts: string[];
  /** The error as a client tells it; null for a clean end. */
  readonly failure: LoupeError | null;
}

for (const sdk of [ANTHROPIC, OPENAI]) {
  describe(`guarded fetch in the SDK of ${sdk.name}`, () => {
    let server: FaultServer;
    let endpoint: Endpoint;

    beforeEach(async () => {
      server = await FaultServer.start();
      endpoint = endpointAt(server.url);
    });

    afterEach(() => server.close());

    async function receive(script: readonly Step[], from: Endpoint): Promise<Received> {
      server.play(...script);
      const texts: string[] = [];
      try {
        for await (const text of sdk.texts(from, new AbortController().signal)) {
          texts.push(text);
        }
      } catch (thrown) {
        assert.ok(!(thrown instanceof SyntaxError), 'the SDK was given broken JSON');
        return { texts, failure: connectionError(thrown, from, 'the-key') };
      }
      return { texts, failure: null };
    }

    const bytes = sdk.bytes(TEXTS);

    it('gives the same texts however the stream is split', async () => {
      for (let at = 1; at < bytes.length; at += 1) {
        const { texts, failure } = await receive(events(bytes.subarray(0, at), bytes.subarray(at)), endpoint);
        assert.deepEqual([texts, failure], [TEXTS, null], `split at byte ${String(at)}`);
      }
    }).timeout(EVERY_BYTE_MS);

    it('gives the texts that were complete, and nothing else, wherever the connection is lost', async () => {
      for (let at = 1; at < bytes.length; at += 1) {
        const { texts, failure } = await receive([chunkedHead(200, EVENT_STREAM), chunk(bytes.subarray(0, at))], endpoint);
        assert.deepEqual(texts, completeIn(bytes.subarray(0, at), sdk), `cut at byte ${String(at)}`);
        // Behind [DONE] an SDK reads no more.
        const isDone = bytes.toString('utf8', 0, at).includes('[DONE]');
        assert.equal(failure?.kind ?? null, isDone ? null : 'incomplete', `cut at byte ${String(at)}`);
      }
    }).timeout(EVERY_BYTE_MS);

    it('gives the texts that were complete, and nothing else, wherever the stream ends', async () => {
      for (let at = 0; at < bytes.length; at += 1) {
        const { texts, failure } = await receive([head(200, EVENT_STREAM), { do: 'send', bytes: bytes.subarray(0, at) }], endpoint);
        assert.deepEqual([texts, failure], [completeIn(bytes.subarray(0, at), sdk), null], `end at byte ${String(at)}`);
      }
    }).timeout(EVERY_BYTE_MS);

    it('keeps its errors, whatever the SDK makes of them', async () => {
      const flood: Step = { do: 'flood', bytes: Buffer.alloc(64 * 1024, 'x') };
      const scripts: [kind: ErrorKind, script: Step[], silenceMs: number][] = [
        ['timeout', [{ do: 'hang' }], 40],
        ['timeout', [chunkedHead(200, EVENT_STREAM), chunk('data: '), { do: 'hang' }], 40],
        ['network', [{ do: 'cut' }], 60_000],
        ['incomplete', [chunkedHead(200, EVENT_STREAM), chunk('data: ')], 60_000],
        ['protocol', [head(302, { location: 'http://127.0.0.1:1/' })], 60_000],
        ['protocol', [head(200, EVENT_STREAM), flood], 60_000],
      ];
      for (const [kind, script, silenceMs] of scripts) {
        const { failure } = await receive(script, { ...endpoint, silenceMs });
        assert.equal(failure?.kind, kind, JSON.stringify(script.map((step) => step.do)));
        assert.match(failure.message, /Weather AI|127\.0\.0\.1/, 'it is our own, not one made of the words of the SDK');
      }
    });

    it('tells of a proxy that asks for a log-in, whose answer fetch keeps to itself', async () => {
      const { failure } = await receive(answer(407, { 'proxy-authenticate': 'Basic realm="office"' }, '<title>Log in</title>'), endpoint);
      assert.deepEqual([failure?.code, failure?.kind, failure?.retryable], ['http.proxyLogin', 'network', false]);
    });

    it('keeps the status of a failure whose page is cut', async () => {
      server.play(chunkedHead(503, { 'content-type': 'text/html' }), chunk('<title>x'));
      await assert.rejects(sdk.texts(endpoint, new AbortController().signal)[Symbol.asyncIterator]().next(), { status: 503 });
      server.play(...json(400, { error: { message: 'no', type: 'invalid_request_error' } }));
      await assert.rejects(sdk.texts(endpoint, new AbortController().signal)[Symbol.asyncIterator]().next(), { status: 400 });
    });

    it('closes the connection when the caller aborts, before the answer and in the middle of it', async () => {
      for (const script of [[], [chunkedHead(200, EVENT_STREAM), chunk(bytes.subarray(0, 200))]]) {
        server.play(...script, { do: 'hang' });
        const caller = new AbortController();
        const texts = sdk.texts(endpoint, caller.signal)[Symbol.asyncIterator]();
        if (script.length > 0) {
          assert.equal((await texts.next()).value, TEXTS[0]);
        }
        const waiting = texts.next().catch((thrown: unknown) => thrown);
        const { closed } = await server.next();
        caller.abort();
        assert.deepEqual(await closed, { byClient: true });
        await waiting;
      }
    });

    it('closes the connection when the reader stops', async () => {
      server.play(chunkedHead(200, EVENT_STREAM), chunk(bytes.subarray(0, 200)), { do: 'hang' });
      for await (const text of sdk.texts(endpoint, new AbortController().signal)) {
        assert.equal(text, TEXTS[0]);
        break;
      }
      assert.deepEqual(await (await server.next()).closed, { byClient: true });
    });
  });
}
