import Anthropic from '@anthropic-ai/sdk';
import assert from 'node:assert/strict';
import { UNRECORDED } from '../../src/engine/model/httpExchange.js';
import type { Model, StreamPart, WireRequest } from '../../src/engine/model/model.js';
import { AnthropicClient } from '../../src/providers/anthropic/anthropicClient.js';
import { AnthropicReplyReader } from '../../src/providers/anthropic/stream.js';
import type { KeyUse } from '../../src/providers/endpoint.js';
import { column } from '../support/columns.js';
import { depth } from '../support/depth.mjs';
import { rejection } from '../support/rejection.js';
import { silentAfterText } from '../support/wire/silence.js';
import { MODEL, recordedEvents, recording, RECORDING_NAMES } from '../unit/anthropic/support.js';
import { chunks, client, cut, endpoint, json, OPEN, outcome, Peer, replyOf, type Answer, type Outcome } from './anthropicPeer.js';

const ANSWERER: Model = { ...MODEL, ref: { ...MODEL.ref, model: 'claude-opus-5-5' } };
const STEP = depth({ short: 7, deep: 1 });
const REQUEST: WireRequest = { body: '{ "model" : "claude-test",\n"messages":["ä👋"] }', converterVersion: 'anthropic/1' };
/** Limit in ms for tests with a request per byte of a reply: a second or two, more on a busy computer. */
const MANY_REQUESTS_MS = 60_000;

function readRecording(name: (typeof RECORDING_NAMES)[number]): StreamPart[] {
  const reader = new AnthropicReplyReader(MODEL);
  return recordedEvents(name).flatMap((event) => reader.read(event));
}

async function withEnvironment(variables: Readonly<Record<string, string>>, work: () => Promise<void>): Promise<void> {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  try {
    await work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) {
        Reflect.deleteProperty(process.env, name);
      } else {
        process.env[name] = value;
      }
    }
  }
}

describe('the Messages API over HTTP', () => {
  let peer: Peer;
  before(async () => {
    peer = await Peer.start();
  });
  afterEach(() => {
    peer.received.length = 0;
  });
  after(() => peer.stop());

  const stream = (baseUrl: string): Promise<Outcome> => outcome(client(baseUrl).stream(ANSWERER, REQUEST, OPEN, UNRECORDED));

  describe('a request', () => {
    it('carries the body byte for byte, and only the headers that it says', async () => {
      peer.answer = chunks(recording('thinking-and-text'));
      await outcome(new AnthropicClient(endpoint(peer.url, { headers: { 'x-team': 'blue' } })).stream(MODEL, REQUEST, OPEN, UNRECORDED));
      const [received] = peer.received;
      assert.equal(received?.method, 'POST');
      assert.equal(received.url, '/v1/messages');
      assert.equal(received.body, REQUEST.body);
      const ofTransport = ['host', 'connection', 'user-agent', 'accept-encoding', 'accept-language', 'sec-fetch-mode', 'content-length'];
      const headers = Object.fromEntries(Object.entries(received.headers).filter(([name]) => !ofTransport.includes(name)));
      assert.deepEqual(headers, {
        accept: 'text/event-stream',
        'anthropic-version': '2026-10-21',
        'content-type': 'application/json',
        'x-api-key': 'the-key',
        'x-team': 'blue',
      });
    });

    it('names the version of the API that the official client speaks', async () => {
      peer.answer = json(200, { input_tokens: 1 });
      await new Anthropic({ apiKey: 'the-key', baseURL: peer.url, maxRetries: 0 }).messages.countTokens({ model: 'm', messages: [] });
      await client(peer.url).countTokens(MODEL, REQUEST, OPEN);
      const [theirs, ours] = peer.received.map(({ headers }) => headers['anthropic-version']);
      assert.equal(ours, theirs);
    });

    it('goes to the same place whether the base URL ends with /v1, with a slash, or with neither', async () => {
      peer.answer = chunks(recording('thinking-and-text'));
      for (const ending of ['', '/', '/v1', '/v1/', '/gateway', '/gateway/v1']) {
        await stream(peer.url + ending);
      }
      assert.deepEqual(
        peer.received.map(({ url }) => url),
        ['/v1/messages', '/v1/messages', '/v1/messages', '/v1/messages', '/gateway/v1/messages', '/gateway/v1/messages'],
      );
    });

    it('carries no key where there is none, and the key of the moment where there is', async () => {
      peer.answer = chunks(recording('thinking-and-text'));
      const keys = [null, 'first', 'second'];
      const asking = new AnthropicClient(endpoint(peer.url, { key: () => Promise.resolve(keys.shift() ?? null) }));
      for (let count = 0; count < 3; count += 1) {
        await outcome(asking.stream(MODEL, REQUEST, OPEN, UNRECORDED));
      }
      const sent = peer.received.map(({ headers }) => headers['x-api-key']);
      assert.deepEqual(sent, [undefined, 'first', 'second']);
    });

    it('takes nothing from the environment variables of other programs', async () => {
      peer.answer = chunks(recording('thinking-and-text'));
      const variables = {
        ANTHROPIC_API_KEY: 'foreign',
        ANTHROPIC_AUTH_TOKEN: 'foreign',
        ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
        ANTHROPIC_CUSTOM_HEADERS: 'Authorization: Bearer foreign\nX-Foreign: foreign',
        ANTHROPIC_LOG: 'debug',
      };
      await withEnvironment(variables, async () => {
        const keyless = new AnthropicClient(endpoint(peer.url, { key: () => Promise.resolve(null) }));
        assert.equal((await outcome(keyless.stream(MODEL, REQUEST, OPEN, UNRECORDED))).error, null);
      });
      assert.equal(JSON.stringify(peer.received).includes('foreign'), false);
    });

    it('is sent once, whatever the answer', async () => {
      for (const status of [408, 409, 429, 500, 529]) {
        peer.answer = (response) => {
          response.writeHead(status, { 'x-should-retry': 'true', 'retry-after': '0' });
          response.end();
        };
        assert.notEqual((await stream(peer.url)).error, null);
      }
      assert.equal(peer.received.length, 5);
    });

    it('is not sent at all when it is stopped before', async () => {
      const { error } = await outcome(client(peer.url).stream(MODEL, REQUEST, AbortSignal.abort(), UNRECORDED));
      assert.equal(error?.kind, 'cancelled');
      assert.equal(peer.received.length, 0);
    });
  });

  describe('a reply', () => {
    for (const name of RECORDING_NAMES) {
      it(`reads the same when it comes byte by byte: ${name}`, async () => {
        peer.answer = chunks(...Array.from(recording(name), (byte) => Uint8Array.of(byte)));
        const { parts, error } = await stream(peer.url);
        assert.deepEqual(parts, readRecording(name));
        assert.equal(error?.kind ?? null, name === 'error-event' ? 'overloaded' : null);
      });
    }

    it('reads the same when it comes in two pieces, cut at any byte', async () => {
      const bytes = recording('short');
      const whole = readRecording('short');
      for (let at = 1; at < bytes.length; at += STEP) {
        peer.answer = chunks(bytes.subarray(0, at), bytes.subarray(at));
        assert.deepEqual(await stream(peer.url), { parts: whole, error: null }, `cut at byte ${at}`);
      }
    }).timeout(MANY_REQUESTS_MS);

    it('is never more than it was when the connection breaks, at any byte', async () => {
      const bytes = recording('short');
      const whole = readRecording('short');
      for (let at = 0; at < bytes.length; at += STEP) {
        peer.answer = cut(bytes.subarray(0, at));
        const { parts, error } = await stream(peer.url);
        assert.deepEqual(parts, whole.slice(0, parts.length), `cut at byte ${at}`);
        assert.ok(error?.retryable === true || parts.at(-1)?.type === 'end', `cut at byte ${at}: ${String(error)}`);
      }
    }).timeout(MANY_REQUESTS_MS);

    it('has no end when the stream ends cleanly without one', async () => {
      const bytes = recording('parallel-tools').toString('utf8');
      peer.answer = chunks(Buffer.from(bytes.slice(0, bytes.indexOf('event: message_delta'))));
      const { parts } = await stream(peer.url);
      assert.deepEqual(parts, readRecording('parallel-tools').slice(0, parts.length));
      assert.ok(parts.every(({ type }) => type !== 'end'));
    });

    it('has its end when a proxy leaves out the last event: the stop reason says that it is over', async () => {
      const bytes = recording('parallel-tools').toString('utf8');
      peer.answer = chunks(Buffer.from(bytes.slice(0, bytes.indexOf('event: message_stop'))));
      assert.deepEqual(await stream(peer.url), { parts: readRecording('parallel-tools'), error: null });
    });

    it('has its end when the connection breaks behind stop reason and usage, and not before both are there', async () => {
      const bytes = recording('parallel-tools').toString('utf8');
      const end = bytes.indexOf('event: message_stop');
      peer.answer = cut(Buffer.from(bytes.slice(0, end)));
      assert.deepEqual(await stream(peer.url), { parts: readRecording('parallel-tools'), error: null });
      const untold = bytes.slice(0, end).replace(/, "usage": \{"output_tokens": \d+\}\}\s*$/, '}\n\n');
      assert.notEqual(untold, bytes.slice(0, end));
      peer.answer = cut(Buffer.from(untold));
      const { parts, error } = await stream(peer.url);
      assert.deepEqual([parts.some(({ type }) => type === 'end'), error?.kind], [false, 'incomplete']);
    });

    it('says so when the server ends it without a stop reason, which is no lost connection', async () => {
      const bytes = recording('short').toString('utf8');
      peer.answer = chunks(Buffer.from(bytes.replace(/"stop_reason": ?"[a-z_]+"/, '"stop_reason":null')));
      const { parts, error } = await stream(peer.url);
      assert.ok(parts.length > 0 && parts.every(({ type }) => type !== 'end'));
      assert.equal(error?.code, 'provider.endedUntold');
    });

    it('is whole without the last blank line, and with the line ends of other systems', async () => {
      const bytes = recording('parallel-tools').toString('utf8');
      for (const written of [bytes.trimEnd(), bytes.replaceAll('\n', '\r\n'), bytes.replaceAll('\n', '\r')]) {
        peer.answer = chunks(Buffer.from(written));
        assert.deepEqual(await stream(peer.url), { parts: readRecording('parallel-tools'), error: null });
      }
    });

    it('keeps the good parts in front of an event that is broken', async () => {
      const bytes = recording('error-event').toString('utf8');
      const good = bytes.slice(0, bytes.indexOf('event: error'));
      peer.answer = chunks(Buffer.from(`${good}event: content_block_delta\ndata: {"type": broken}\n\n`));
      const { parts, error } = await stream(peer.url);
      assert.deepEqual(replyOf(parts), [{ type: 'text', text: 'It begins' }]);
      assert.equal(error?.kind, 'protocol');
    });

    it('times out when the server falls silent, and says so', async () => {
      const silent = new AnthropicClient(endpoint(peer.url, { silenceMs: 50 }));
      peer.answer = () => undefined;
      assert.equal((await outcome(silent.stream(MODEL, REQUEST, OPEN, UNRECORDED))).error?.kind, 'timeout');
      const bytes = recording('error-event').toString('utf8');
      peer.answer = (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(bytes.slice(0, bytes.indexOf('event: error')));
      };
      const { parts, error } = await outcome(silentAfterText(silent.stream(MODEL, REQUEST, OPEN, UNRECORDED), 50));
      assert.equal(error?.kind, 'timeout');
      assert.deepEqual(replyOf(parts), [{ type: 'text', text: 'It begins' }]);
    });

    for (const when of ['before the first byte', 'in the middle']) {
      it(`stops at once when it is asked to ${when}, and closes the connection`, async () => {
        const stop = new AbortController();
        const closed = new Promise<void>((resolve) => {
          peer.answer = (response) => {
            response.on('close', resolve);
            if (when === 'in the middle') {
              response.writeHead(200, { 'content-type': 'text/event-stream' });
              response.write(
                'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a"}}\n\n',
              );
            } else {
              stop.abort();
            }
          };
        });
        const parts: StreamPart[] = [];
        const reading = (async () => {
          for await (const part of client(peer.url).stream(MODEL, REQUEST, stop.signal, UNRECORDED)) {
            parts.push(part);
            stop.abort();
          }
        })();
        assert.equal((await rejection(reading)).kind, 'cancelled');
        await closed;
        assert.equal(parts.length, when === 'in the middle' ? 1 : 0);
      });
    }

    it('closes the connection when nobody reads on', async () => {
      const closed = new Promise<void>((resolve) => {
        peer.answer = (response) => {
          response.on('close', resolve);
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write(
            'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a"}}\n\n',
          );
        };
      });
      for await (const part of client(peer.url).stream(MODEL, REQUEST, OPEN, UNRECORDED)) {
        assert.equal(part.type, 'text');
        break;
      }
      await closed;
    });

    it('is none when the answer is a page or an object', async () => {
      for (const [type, body, code] of [
        ['text/html; charset=the-key', '<html>Log in</html>', 'provider.page'],
        ['application/json', '{"ok":true}', 'provider.noReply'],
      ] as const) {
        peer.answer = (response) => {
          response.writeHead(200, { 'content-type': type });
          response.end(body);
        };
        const { error } = await stream(peer.url);
        assert.equal(error?.code, code);
      }
    });
  });

  it('tells failures apart, and none of them tells the key', async () => {
    const type = (name: string, message: string): object => ({ type: 'error', error: { type: name, message } });
    const answers: readonly (readonly [Answer, string])[] = [
      [json(401, type('authentication_error', 'invalid key the-key')), 'auth'],
      [json(429, type('rate_limit_error', 'the-key is too fast')), 'rateLimit'],
      [json(529, type('overloaded_error', 'Overloaded')), 'overloaded'],
      [json(404, type('not_found_error', 'model: claude-old')), 'modelGone'],
      [json(400, type('invalid_request_error', 'prompt is too long: 9 tokens > 8 maximum')), 'contextOverflow'],
      [
        (response) => response.writeHead(503, { 'content-type': 'text/html' }).end('<html><title>Bad gateway the-key</title></html>'),
        'overloaded',
      ],
      [(response) => response.destroy(), 'incomplete'],
    ];
    for (const [answer, kind] of answers) {
      peer.answer = answer;
      const { error } = await stream(peer.url);
      assert.equal(error?.kind, kind);
      assert.equal(`${error.message} ${error.stack ?? ''} ${String(error.cause)}`.includes('the-key'), false);
    }
  });

  it('says that nothing listens at an address', async () => {
    const gone = await Peer.start();
    const { url } = gone;
    await gone.stop();
    assert.equal((await stream(url)).error?.kind, 'network');
  });

  it('counts the tokens of a request', async () => {
    peer.answer = json(200, { input_tokens: 2_095 });
    const body = '{"model":"m","max_tokens":5,"stream":true,"messages":[{"role":"user","content":"hi"}]}';
    const request = { ...REQUEST, body };
    assert.equal(await client(peer.url).countTokens(MODEL, request, OPEN), 2_095);
    assert.equal(peer.received[0]?.url, '/v1/messages/count_tokens');
    assert.equal(peer.received[0].body, '{"model":"m","messages":[{"role":"user","content":"hi"}]}');
    const uses: KeyUse[] = [];
    const key = (use: KeyUse): Promise<string> => {
      uses.push(use);
      return Promise.resolve('the-key');
    };
    await new AnthropicClient(endpoint(peer.url, { key })).countTokens(MODEL, request, OPEN);
    assert.deepEqual(uses, ['background']);
    for (const nonsense of [{ input_tokens: -1 }, { input_tokens: '5' }, {}, 'text']) {
      peer.answer = json(200, nonsense);
      assert.equal((await rejection(client(peer.url).countTokens(MODEL, request, OPEN))).kind, 'protocol');
    }
  });

  describe('the list of models', () => {
    it('holds the models of all pages', async () => {
      peer.answer = (response, { url }) => {
        const second = url.includes('after_id=b');
        const data = second ? [{ id: 'c', max_input_tokens: 7, max_tokens: 3 }] : [{ id: 'a', display_name: 'A' }, { id: 'b' }];
        json(200, { data, has_more: !second, first_id: data[0]!.id, last_id: second ? 'c' : 'b' })(response, peer.received[0]!);
      };
      const models = await client(peer.url).listModels(OPEN);
      assert.deepEqual(column(models, 'id'), ['a', 'b', 'c']);
      assert.deepEqual(models[2], { id: 'c', label: null, maxInputTokens: 7, maxOutputTokens: 3, otherUse: null });
      const requests = peer.received.map(({ method, url }) => `${method} ${url}`);
      assert.deepEqual(requests, ['GET /v1/models?limit=1000', 'GET /v1/models?limit=1000&after_id=b']);
      assert.ok(peer.received.every(({ headers }) => headers['x-api-key'] === 'the-key'));
    });

    it('is an error where there is none, where it never ends, and where something else answers', async () => {
      for (const answer of [json(404, {}), json(200, { data: [{ id: 'a' }], has_more: true, last_id: 'a' }), json(200, { models: [] })]) {
        peer.answer = answer;
        assert.equal((await rejection(client(peer.url).listModels(OPEN))).kind, 'protocol');
      }
    });

    it('can be stopped', async () => {
      const stop = new AbortController();
      peer.answer = () => {
        stop.abort();
      };
      assert.equal((await rejection(client(peer.url).listModels(stop.signal))).kind, 'cancelled');
    });
  });
});
