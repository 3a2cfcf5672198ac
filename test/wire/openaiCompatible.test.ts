import assert from 'node:assert/strict';
import { UNRECORDED } from '../../src/engine/model/httpExchange.js';
import { LoupeError } from '../../src/engine/errors.js';
import { rejection } from '../support/rejection.js';
import {
  EVENTS,
  inPieces,
  json,
  kindOf,
  never,
  receive,
  receivedOf,
  request,
  ScriptedServer,
  type Answer,
} from '../support/wire/compatibleServer.js';
import { silentAfterText } from '../support/wire/silence.js';
import { answererOf, deltas, endOf, fixture, MODEL, partsOf, summary } from '../unit/openaiCompatible/support.js';

/** For hundreds of requests or thousands of writes: a second or two, and ten times that on a busy computer. */
const LONG_MS = 60_000;

describe('the client of a compatible server, over HTTP', () => {
  const server = new ScriptedServer();

  before(() => server.start());
  after(() => server.stop());
  beforeEach(() => {
    server.seen.length = 0;
  });

  describe('sends', () => {
    it('the body byte for byte, to the path below the base URL', async () => {
      server.answer = inPieces(fixture('text'));
      const body = '{ "b":1,  "a":"ü \\ud800 \\u0000 世界 🙂", "__proto__":{}, "n":1.0 }\n';
      await receive(server.client({}), body, never);
      const [seen, ...more] = server.seen;
      assert.deepEqual(more, []);
      assert.deepEqual([seen?.method, seen?.url], ['POST', '/v1/chat/completions']);
      assert.deepEqual(seen?.body, Buffer.from(body));
      assert.equal(seen.headers['content-type'], 'application/json');
    });

    it('the key that is valid now, and the configured headers', async () => {
      server.answer = inPieces(fixture('text'));
      const keys = ['first', 'second'];
      const client = server.client({ headers: { 'X-Title': 'Loupe' }, key: () => Promise.resolve(keys.shift() ?? null) });
      await receive(client, request.body, never);
      await receive(client, request.body, never);
      const sent = server.seen.map(({ headers }) => headers.authorization);
      assert.deepEqual(sent, ['Bearer first', 'Bearer second']);
      assert.equal(server.seen[0]?.headers['x-title'], 'Loupe');
    });

    it('nothing in the name of a key when there is none, and nothing about this computer', async () => {
      server.answer = inPieces(fixture('text'));
      await receive(server.client({ key: () => Promise.resolve(null) }), request.body, never);
      const names = Object.keys(server.seen[0]?.headers ?? {});
      assert.ok(!names.includes('authorization'));
      const others = names.filter((name) => /stainless|openai|organization|idempotency/.test(name));
      assert.deepEqual(others, []);
    });

    it('nothing that stands in the environment for the SDK', async () => {
      server.answer = inPieces(fixture('text'));
      const variables = {
        OPENAI_API_KEY: 'environment',
        OPENAI_ADMIN_KEY: 'environment',
        OPENAI_ORG_ID: 'environment',
        OPENAI_PROJECT_ID: 'environment',
        OPENAI_BASE_URL: 'http://127.0.0.1:1/environment',
        OPENAI_CUSTOM_HEADERS: 'X-Custom: environment',
        OPENAI_LOG: 'debug',
      };
      const before = { ...process.env };
      Object.assign(process.env, variables);
      try {
        const { error } = await receive(server.client({ key: () => Promise.resolve(null) }), request.body, never);
        assert.equal(error, null);
      } finally {
        for (const name of Object.keys(variables)) {
          Reflect.deleteProperty(process.env, name);
        }
        Object.assign(process.env, before);
      }
      assert.doesNotMatch(JSON.stringify(server.seen[0]?.headers), /environment/);
    });

    it('nothing to the console, not even of an event that it cannot read', async (): Promise<void> => {
      server.answer = inPieces(Buffer.from('data: {"x\n\n'));
      const written: unknown[] = [];
      const outputs = [process.stdout, process.stderr];
      const writes = outputs.map((output) => output.write.bind(output));
      for (const output of outputs) {
        output.write = (text: unknown): boolean => written.push(text) > 0;
      }
      try {
        await receive(server.client({}), request.body, never);
      } finally {
        for (const [index, output] of outputs.entries()) {
          output.write = writes[index]!;
        }
      }
      assert.deepEqual(written, []);
    });

    it('its requests on few connections', async () => {
      const ports: unknown[] = [];
      const whole = inPieces(fixture('text'));
      server.answer = (response, seen) => {
        ports.push(response.socket?.remotePort);
        return whole(response, seen);
      };
      const client = server.client({});
      for (let sent = 0; sent < 12; sent += 1) {
        await receive(client, request.body, never);
      }
      // A connection that is not finished when the next request begins is not reused.
      assert.ok(new Set(ports).size < 6, String(ports));
    });

    it('a request once, whatever comes of it', async () => {
      server.answer = json(500, { error: { message: 'Oops' } });
      await receive(server.client({}), request.body, never);
      assert.equal(server.seen.length, 1);
    });

    it('nothing with a key or a header that HTTP cannot carry', async () => {
      const wrongKey = await receive(server.client({ key: () => Promise.resolve('the\nkey') }), request.body, never);
      assert.equal(kindOf(wrongKey), 'auth');
      assert.doesNotMatch(String((wrongKey.error as LoupeError).stack), /the\nkey/);
      const wrongHeader = await receive(server.client({ headers: { 'X-A': 'ü\nhidden' } }), request.body, never);
      assert.equal(kindOf(wrongHeader), 'invalidInput');
      assert.doesNotMatch(String((wrongHeader.error as LoupeError).stack), /hidden/);
      assert.deepEqual(server.seen, []);
    });
  });

  describe('reads', () => {
    const names = ['text', 'parallelToolCalls', 'reasoningThenTool', 'gateway', 'sameIndex', 'noIndex', 'refusal'];

    it('every recorded stream in single bytes like in one piece', async () => {
      for (const name of names) {
        const bytes = fixture(name);
        server.answer = inPieces(...Array.from(bytes, (byte) => Uint8Array.of(byte)));
        const { parts, error } = await receivedOf(server.client({}).stream(answererOf(bytes), request, never, UNRECORDED));
        assert.equal(error, null);
        assert.deepEqual(parts, await partsOf(bytes, MODEL), name);
      }
    }).timeout(LONG_MS);

    it('a stream cut into two at every byte, with CRLF lines', async () => {
      const bytes = Buffer.from(deltas('stop', { content: 'a 🙂' }, { content: 'b' }).replaceAll('\n', '\r\n'));
      const expected = await partsOf(bytes, MODEL);
      assert.equal(summary(expected)[0], 'text: a 🙂b');
      for (let at = 1; at < bytes.length; at += 1) {
        server.answer = inPieces(bytes.subarray(0, at), bytes.subarray(at));
        const { parts, error } = await receive(server.client({}), request.body, never);
        assert.equal(error, null);
        assert.deepEqual(parts, expected, `cut at byte ${at}`);
      }
    }).timeout(LONG_MS);

    it('a stream without its last blank line', async () => {
      const text = fixture('noIndex').toString().trimEnd();
      server.answer = inPieces(Buffer.from(text));
      const { parts } = await receive(server.client({}), request.body, never);
      assert.equal(endOf(parts)?.stopReason, 'toolCalls');
    });

    it('no end into a stream that stops anywhere before its finish reason, and no broken characters', async () => {
      const bytes = fixture('text');
      const finish = bytes.indexOf('"finish_reason":"stop"');
      for (let length = 0; length < finish; length += 7) {
        server.answer = inPieces(bytes.subarray(0, length));
        const { parts } = await receive(server.client({}), request.body, never);
        assert.equal(endOf(parts), null);
        assert.doesNotMatch(JSON.stringify(parts), /\uFFFD/);
      }
    }).timeout(LONG_MS);

    it('what had come before a cut in the middle of a character', async () => {
      server.answer = async (response) => {
        response.writeHead(200, EVENTS);
        await new Promise((resolve) => response.write(fixture('cut'), resolve));
        response.destroy();
      };
      const received = await receive(server.client({}), request.body, never);
      assert.deepEqual(summary(received.parts), ['text: It was']);
      assert.equal(kindOf(received), 'incomplete');
    });

    it('a reply as complete when the connection breaks behind its finish reason', async () => {
      const text = fixture('text').toString();
      server.answer = async (response) => {
        response.writeHead(200, EVENTS);
        const upToFinish = text.slice(0, text.indexOf('\n\n', text.indexOf('"finish_reason":"stop"')) + 2);
        await new Promise((resolve) => response.write(upToFinish, resolve));
        response.destroy();
      };
      const { parts, error } = await receive(server.client({}), request.body, never);
      assert.equal(error, null);
      assert.deepEqual([endOf(parts)?.stopReason, endOf(parts)?.usage], ['end', null]);
    });

    it('that a server ended a reply without saying why, which is no lost connection', async () => {
      const whole = JSON.stringify({ choices: [{ index: 0, message: { content: 'a' } }] });
      for (const answer of [deltas(null, { content: 'a' }), whole]) {
        server.answer = inPieces(Buffer.from(answer));
        const { parts, error } = await receive(server.client({}), request.body, never);
        assert.deepEqual(summary(parts), ['text: a']);
        assert.equal(error instanceof LoupeError && error.code, 'provider.endedUntold');
      }
    });

    it('events that are no JSON as an error, and keeps what had come', async () => {
      server.answer = inPieces(Buffer.from(`${deltas(null, { content: 'a' }).replace('data: [DONE]\n\n', '')}data: {"x\n\n`));
      const received = await receive(server.client({}), request.body, never);
      assert.deepEqual(summary(received.parts), ['text: a']);
      assert.equal(kindOf(received), 'protocol');
    });
  });

  describe('fails', () => {
    it('with what a stream says in its middle', async () => {
      for (const [name, kind] of [
        ['errorInStream', 'rateLimit'],
        ['errorObject', 'overloaded'],
      ] as const) {
        server.answer = inPieces(fixture(name));
        const received = await receive(server.client({}), request.body, never);
        assert.deepEqual(summary(received.parts), ['text: Half']);
        assert.equal(kindOf(received), kind);
      }
    });

    it('with what a server says with status 200 in place of a stream', async () => {
      const answers: [Answer, string][] = [
        [json(200, { error: { message: 'Slow down', code: 429 } }), 'rateLimit'],
        [json(200, { id: 'x', status: 'ok' }), 'protocol'],
        [json(200, null), 'protocol'],
        [(response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>'), 'protocol'],
        [(response) => void response.writeHead(204).end(), 'incomplete'],
        [
          inPieces(Buffer.from('data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\ndata: [DONE]\n\n')),
          'incomplete',
        ],
      ];
      for (const [answer, kind] of answers) {
        server.answer = answer;
        assert.equal(kindOf(await receive(server.client({}), request.body, never)), kind);
      }
    });

    it('when the server is silent for too long, at the start and in the middle', async () => {
      const client = server.client({ silenceMs: 50 });
      server.answer = () => undefined;
      assert.equal(kindOf(await receive(client, request.body, never)), 'timeout');
      server.answer = (response) => {
        response.writeHead(200, EVENTS).write(deltas(null, { content: 'a' }).replace('data: [DONE]\n\n', ''));
      };
      const received = await receivedOf(silentAfterText(client.stream(MODEL, request, never, UNRECORDED), 50));
      assert.deepEqual(summary(received.parts), ['text: a']);
      assert.equal(kindOf(received), 'timeout');
    });

    it('when nobody listens', async () => {
      const gone = new ScriptedServer();
      await gone.start();
      const client = gone.client({});
      await gone.stop();
      assert.equal(kindOf(await receive(client, request.body, never)), 'network');
    });

    it('as stopped when the user stops it: before, while it waits, and in the middle', async () => {
      assert.equal(kindOf(await receive(server.client({}), request.body, AbortSignal.abort())), 'cancelled');
      assert.deepEqual(server.seen, []);

      const waiting = new AbortController();
      server.answer = () => {
        waiting.abort();
      };
      assert.equal(kindOf(await receive(server.client({}), request.body, waiting.signal)), 'cancelled');

      const reading = new AbortController();
      server.answer = (response) => {
        response.writeHead(200, EVENTS).write(deltas('stop', { content: 'a' }).replace('data: [DONE]\n\n', ''));
      };
      const kinds: string[] = [];
      const stream = server.client({}).stream(MODEL, request, reading.signal, UNRECORDED);
      const error = await rejection(
        (async () => {
          for await (const part of stream) {
            kinds.push(part.type);
            reading.abort();
          }
        })(),
      );
      assert.equal(error.kind, 'cancelled');
      assert.ok(!kinds.includes('end'));
    });

    it('to count tokens, which the protocol has no request for', async () => {
      assert.equal((await rejection(server.client({}).countTokens())).kind, 'protocol');
    });
  });

  describe('lists models', () => {
    it('with the limits that the server gives', async () => {
      server.answer = json(200, { object: 'list', data: [{ id: 'm', max_model_len: 4096 }] });
      const models = await server.client({}).listModels(never);
      assert.deepEqual(models, [{ id: 'm', label: null, maxInputTokens: 4096, maxOutputTokens: null, otherUse: null }]);
      assert.deepEqual([server.seen[0]?.method, server.seen[0]?.url], ['GET', '/v1/models']);
      assert.equal(server.seen[0]?.headers.authorization, 'Bearer the-key');
    });

    it('or says why not', async () => {
      const answers: [Answer, string][] = [
        [json(404, { error: 'no such path' }), 'protocol'],
        [json(405, {}), 'protocol'],
        [json(200, { status: 'ok' }), 'protocol'],
        [(response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'), 'protocol'],
        [(response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":['), 'protocol'],
        [json(401, { error: { message: 'Wrong' } }), 'auth'],
        [json(503, {}), 'overloaded'],
      ];
      for (const [answer, kind] of answers) {
        server.answer = answer;
        assert.equal((await rejection(server.client({}).listModels(never))).kind, kind);
      }
      assert.equal((await rejection(server.client({}).listModels(AbortSignal.abort()))).kind, 'cancelled');
    });
  });
});
