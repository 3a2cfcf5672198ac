import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { toErrorRecord } from '../../src/engine/errors.js';
import type { HttpExchange } from '../../src/engine/model/httpExchange.js';
import type { Endpoint } from '../../src/providers/endpoint.js';
import type { ProviderResponse } from '../../src/providers/http/answer.js';
import { request } from '../../src/providers/http/request.js';
import { EventLoopTurns } from '../../src/providers/http/turns.js';
import { answer, chunk, chunkedHead, EVENT_STREAM, events, head, json } from '../support/http/answers.js';
import { ask, OPEN, read } from '../support/http/asking.js';
import { endpointAt } from '../support/http/endpoints.js';
import { useFaultServer } from '../support/http/faultPeer.js';
import { FaultServer, type Step } from '../support/http/faultServer.js';
import { Gate } from '../support/http/gate.js';
import { rejection } from '../support/rejection.js';
import { resumeTimers, stopTimers } from '../support/wire/stoppedTimers.js';

const MIB = 1024 * 1024;
/** The most that loopback buffers on both sides, beyond what the client reads. */
const BUFFERS_BYTES = 16 * MIB;

describe('a request', () => {
  let server: FaultServer;
  let endpoint: Endpoint;

  useFaultServer((peer) => {
    ({ server, endpoint } = peer);
  });

  const post = (): Promise<ProviderResponse> => ask(endpoint, '{}', OPEN);
  const streamOf = async (): Promise<AsyncGenerator<unknown, void>> => (await post()).events(new EventLoopTurns());

  it('is sent as it is, with its headers and the key, and told with its answer, without the key', async () => {
    server.play(...answer(201, { 'content-type': 'application/json', 'x-request-id': '7 the-key' }, '{"a":"ä"}'));
    const told: HttpExchange[] = [];
    const asked = {
      url: `${server.url}/v1?a=1`,
      headers: { accept: 'x/y' },
      keyHeader: 'authorization',
      body: '{ "b":1 }',
      use: 'user',
    } as const;
    const got = await request(endpoint, { ...asked, signal: OPEN, exchanged: (exchange) => told.push(exchange) });
    assert.deepEqual(await got.json(), { a: 'ä' });
    const { request: received } = await server.next();
    assert.deepEqual([received.method, received.path, received.body.toString()], ['POST', '/v1?a=1', '{ "b":1 }']);
    assert.deepEqual([received.headers.get('authorization'), received.headers.get('accept')], ['Bearer the-key', 'x/y']);
    assert.deepEqual(
      told.map(({ method, response }) => [method, response?.status ?? null]),
      [
        ['POST', null],
        ['POST', 201],
      ],
    );
    assert.match(JSON.stringify(told), /7 \[key\]/);
    assert.doesNotMatch(JSON.stringify(told), /the-key/);
  });

  it('gets where there is no body', async () => {
    server.play(...json(200, [1]));
    assert.deepEqual(await (await ask(endpoint, null, OPEN)).json(), [1]);
    assert.equal((await server.next()).request.method, 'GET');
  });

  describe('that meets silence', () => {
    // The clock moves only when a test moves it.
    beforeEach(stopTimers);

    afterEach(resumeTimers);

    /** Waits until everything received is processed. Then the wait for more has begun. */
    const settle = (): Promise<void> => setImmediate();

    const after = async (ms: number): Promise<void> => {
      await settle();
      mock.timers.tick(ms);
    };

    /** Lets 60 seconds pass until something happens. A busy computer needs some turns to process its input. */
    const outcome = async <T>(waiting: Promise<T>): Promise<T> => {
      const passing = { isOver: false };
      const over = waiting.finally(() => {
        passing.isOver = true;
      });
      while (!passing.isOver) {
        await after(60_000);
      }
      return over;
    };

    it('before an answer ends', async () => {
      server.play({ do: 'hang' });
      const failed = rejection(post());
      const { closed } = await server.next();
      const error = await outcome(failed);
      assert.deepEqual([error.kind, error.message], ['timeout', 'Weather AI did not answer within 60 seconds.']);
      assert.deepEqual(await closed, { byClient: true });
    });

    it('behind the head of an answer ends', async () => {
      server.play(head(200, EVENT_STREAM), { do: 'hang' });
      const failed = rejection((await streamOf()).next());
      assert.equal((await outcome(failed)).kind, 'timeout');
      assert.deepEqual(await (await server.next()).closed, { byClient: true });
    });

    it('in the middle of a stream ends, behind what arrived', async () => {
      server.play(chunkedHead(200, EVENT_STREAM), chunk('data: {"a":1}\n\ndata: {"b"'), { do: 'hang' });
      const stream = await streamOf();
      assert.deepEqual((await stream.next()).value, { a: 1 });
      const error = await outcome(rejection(stream.next()));
      assert.deepEqual([error.kind, error.message], ['timeout', 'Weather AI sent nothing for 60 seconds. The reply is incomplete.']);
      assert.deepEqual(await (await server.next()).closed, { byClient: true });
    });

    it('behind a whole event without its empty line gives the event first', async () => {
      server.play(chunkedHead(200, EVENT_STREAM), chunk('data: 1\n\ndata: {"a":1}'), { do: 'hang' });
      const stream = await streamOf();
      await stream.next();
      assert.deepEqual((await outcome(stream.next())).value, { a: 1 });
      assert.equal((await rejection(stream.next())).kind, 'timeout');
    });

    it('in the page of a failure fails with the status and the beginning', async () => {
      const isRead = new Gate();
      server.play(
        chunkedHead(503, { 'content-type': 'text/html' }),
        chunk('<title>Gone</title>'),
        { do: 'wait', until: isRead.opened },
        { do: 'hang' },
      );
      const failed = rejection(post());
      const { closed } = await server.next();
      // The clock may move only after the start was read. A busy computer needs some turns for that.
      for (let turn = 0; turn < 50; turn += 1) {
        await settle();
      }
      await after(60_000);
      const error = await failed;
      assert.deepEqual([error.code, String(error.cause)], ['http.overloaded', 'Error: HTTP 503: a page with the title "Gone"']);
      assert.deepEqual(await closed, { byClient: true });
    });

    it('counts only while more is waited for, and anew for each part', async () => {
      const gates = [new Gate(), new Gate(), new Gate()];
      const parts = gates.flatMap((gate): Step[] => [{ do: 'wait', until: gate.opened }, chunk('data: 1\n\n')]);
      server.play(chunkedHead(200, EVENT_STREAM), ...parts, { do: 'hang' });
      const stream = await streamOf();
      await after(600_000);
      for (const gate of gates) {
        const next = stream.next();
        await after(59_999);
        gate.open();
        assert.equal((await next).value, 1);
      }
    });
  });

  describe("that meets the caller's abort", () => {
    it('before the answer ends as stopped', async () => {
      server.play({ do: 'hang' });
      const caller = new AbortController();
      const failed = rejection(ask(endpoint, '{}', caller.signal));
      const { closed } = await server.next();
      caller.abort();
      assert.equal((await failed).code, 'request.stopped');
      assert.deepEqual(await closed, { byClient: true });
    });

    it('in the middle of a stream ends the wait', async () => {
      server.play(chunkedHead(200, EVENT_STREAM), chunk('data: {"a":1}\n\ndata: {"b":2}'), { do: 'hang' });
      const caller = new AbortController();
      const stream = (await ask(endpoint, '{}', caller.signal)).events(new EventLoopTurns());
      assert.deepEqual((await stream.next()).value, { a: 1 });
      const waiting = rejection(stream.next());
      caller.abort();
      assert.equal((await waiting).code, 'request.stopped', 'and the event that was open does not come any more');
      assert.deepEqual(await (await server.next()).closed, { byClient: true });
    });

    it('between two reads ends the stream', async () => {
      server.play(chunkedHead(200, EVENT_STREAM), chunk('data: {"a":1}\n\n'), { do: 'hang' });
      const caller = new AbortController();
      const stream = (await ask(endpoint, '{}', caller.signal)).events(new EventLoopTurns());
      await stream.next();
      caller.abort();
      assert.deepEqual(await (await server.next()).closed, { byClient: true });
      assert.equal((await rejection(stream.next())).code, 'request.stopped');
    });

    it('in the page of a failure ends as stopped, too', async () => {
      server.play(chunkedHead(500, {}), chunk('so far'), { do: 'hang' });
      const caller = new AbortController();
      const failed = rejection(ask(endpoint, '{}', caller.signal));
      await server.next();
      caller.abort();
      assert.equal((await failed).code, 'request.stopped');
    });

    it('before the call sends nothing', async () => {
      assert.equal((await rejection(ask(endpoint, '{}', AbortSignal.abort()))).code, 'request.stopped');
      assert.equal(server.requests.length, 0);
    });

    it('listens only while there is something to end', async () => {
      const { signal } = new AbortController();
      server.play(...json(200, {}));
      const got = await ask(endpoint, '{}', signal);
      assert.equal(getEventListeners(signal, 'abort').length, 1);
      await got.json();
      assert.equal(getEventListeners(signal, 'abort').length, 0);
      server.play({ do: 'cut' });
      await rejection(ask(endpoint, '{}', signal));
      assert.equal(getEventListeners(signal, 'abort').length, 0);
    });
  });

  it('closes the connection when the reader needs no more', async () => {
    server.play(chunkedHead(200, EVENT_STREAM), chunk('data: {"a":1}\n\n'), { do: 'hang' });
    const stream = await streamOf();
    await stream.next();
    await stream.return();
    assert.deepEqual(await (await server.next()).closed, { byClient: true });
  });

  describe('whose connection breaks', () => {
    it('before an answer may have been answered unseen', async () => {
      server.play({ do: 'cut' });
      const error = await rejection(post());
      assert.deepEqual(
        [error.kind, error.message],
        ['incomplete', `127.0.0.1:${String(server.port)} closed the connection before it answered.`],
      );
    });

    it('behind the head says the same: nothing of the answer is there', async () => {
      const isThere = new Gate();
      server.play(chunkedHead(200, EVENT_STREAM), { do: 'wait', until: isThere.opened }, { do: 'cut' });
      const stream = await streamOf();
      isThere.open();
      assert.equal((await rejection(stream.next())).code, 'connection.closed');
    });

    it('in the middle leaves what arrived, and says that it is not all', async () => {
      // A reset can overtake earlier bytes, so wait until they are read.
      const isRead = new Gate();
      const first = chunk('data: {"a":1}\n\ndata: {"b":2}\n\ndata: {');
      server.play(chunkedHead(200, EVENT_STREAM), first, { do: 'wait', until: isRead.opened }, { do: 'cut' });
      const stream = await streamOf();
      assert.deepEqual([(await stream.next()).value, (await stream.next()).value], [{ a: 1 }, { b: 2 }]);
      isRead.open();
      const error = await rejection(stream.next());
      assert.deepEqual([error.kind, error.message], ['incomplete', 'The reply broke off: the connection to Weather AI closed too early.']);
      assert.match(toErrorRecord(error).detail ?? '', /terminated|closed|ECONNRESET/);
    });

    it('without the last chunk, however cleanly, has no end', async () => {
      server.play(chunkedHead(200, EVENT_STREAM), chunk('data: {"a":1}\n\n'));
      const { values, error } = await read(endpoint);
      assert.deepEqual([values, error?.kind], [[{ a: 1 }], 'incomplete']);
    });

    it('before its announced length has no end', async () => {
      server.play(head(200, { 'content-type': 'application/json', 'content-length': '90' }), { do: 'send', bytes: '{}' });
      assert.equal((await rejection(post().then((got) => got.json()))).kind, 'incomplete');
    });

    it('in the page of a failure fails with the status', async () => {
      server.play(chunkedHead(502, {}), chunk('Bad'));
      const error = await rejection(post());
      assert.deepEqual([error.code, String(error.cause)], ['http.serverFailed', 'Error: HTTP 502: Bad']);
    });

    it('was never made where no server is', async () => {
      const gone = await FaultServer.start();
      const { port, url } = gone;
      await gone.close();
      const error = await rejection(ask(endpointAt(url), '{}', OPEN));
      assert.deepEqual(
        [error.kind, error.message],
        ['network', `No server answers at 127.0.0.1:${String(port)}. Check that the server is running, and check the base URL.`],
      );
    });
  });

  it('tells of a proxy that asks for a log-in, whose answer fetch keeps to itself', async () => {
    server.play(...answer(407, { 'proxy-authenticate': 'Basic realm="office"' }, '<title>Log in</title>'));
    const error = await rejection(post());
    assert.deepEqual([error.code, error.kind, error.retryable], ['http.proxyLogin', 'network', false]);
  });

  describe('that is redirected', () => {
    it('does not follow, and names the place without its secrets', async () => {
      const other = await FaultServer.start();
      server.play(head(307, { location: `${other.url}/v2?token=hidden` }), { do: 'hang' });
      const error = await rejection(post());
      assert.equal(error.kind, 'protocol');
      assert.match(error.message, new RegExp(`Weather AI redirects to ${other.url}/v2\\. `));
      assert.equal(other.requests.length, 0);
      assert.deepEqual(await (await server.next()).closed, { byClient: true });
      await other.close();
    });
  });

  describe('whose answer has no end', () => {
    const flood = (bytes: string): Step => ({ do: 'flood', bytes: Buffer.from(bytes.repeat(Math.ceil((64 * 1024) / bytes.length))) });

    async function isStopped(limit: number): Promise<void> {
      const exchange = await server.next();
      assert.deepEqual(await exchange.closed, { byClient: true });
      assert.ok(exchange.sentBytes() >= limit, `${String(exchange.sentBytes())} bytes: stopped before the limit`);
      assert.ok(exchange.sentBytes() < limit + BUFFERS_BYTES, `${String(exchange.sentBytes())} bytes: stopped too late`);
    }

    it('is stopped when it is one line', async () => {
      server.play(head(200, EVENT_STREAM), { do: 'send', bytes: 'data: {"a":1}\n\ndata: "' }, flood('x'));
      const { values, error } = await read(endpoint);
      assert.deepEqual(values, [{ a: 1 }], 'what came before is there');
      assert.deepEqual([error?.kind, error?.message], ['protocol', 'Weather AI sent more than 16 MiB at a time. Loupe stopped reading.']);
      await isStopped(16 * MIB);
    });

    it('is stopped when it is one event of many lines', async () => {
      server.play(head(200, EVENT_STREAM), flood(`data: ${'x'.repeat(100)}\n`));
      assert.equal((await read(endpoint)).error?.kind, 'protocol');
      await isStopped(16 * MIB);
    });

    it('is stopped when it is no stream', async () => {
      server.play(head(200, { 'content-type': 'application/json' }), flood('[['));
      const { error } = await read(endpoint);
      assert.deepEqual(
        [error?.kind, error?.message],
        ['protocol', 'Weather AI sent an answer of more than 16 MiB. Loupe stopped reading.'],
      );
      await isStopped(16 * MIB);
    });

    it('is cut when it is the page of a failure', async () => {
      server.play(head(500, { 'content-type': 'text/html' }), flood('<p>'));
      assert.equal((await rejection(post())).code, 'http.serverFailed');
      await isStopped(64 * 1024);
    });

    it('is cut when it is a page in place of a reply', async () => {
      server.play(head(200, { 'content-type': 'text/html' }), flood('<p>'));
      assert.equal((await read(endpoint)).error?.code, 'provider.page');
      await isStopped(64 * 1024);
    });

    it('is read no faster than its reader asks', async () => {
      server.play(head(200, EVENT_STREAM), flood('data: 1\n\n'));
      const stream = await streamOf();
      await stream.next();
      const exchange = await server.next();
      await stream.return();
      await exchange.closed;
      assert.ok(exchange.sentBytes() < BUFFERS_BYTES);
    });

    it('of 17 MiB in one line is stopped, and one of 15 MiB is not: it may be an image', async () => {
      const long = (length: number): Step[] => events(`data: "${'x'.repeat(length)}"\n\n`);
      server.play(...long(17 * MIB));
      assert.equal((await read(endpoint)).error?.kind, 'protocol');
      server.play(...long(15 * MIB));
      assert.deepEqual(await read(endpoint), { values: ['x'.repeat(15 * MIB)], error: null });
    });
  });
});
