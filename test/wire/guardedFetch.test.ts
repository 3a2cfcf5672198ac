import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { UNRECORDED } from '../../src/engine/run/exchange.js';
import { failure, LoupeError, toErrorRecord } from '../../src/engine/errors.js';
import type { Endpoint } from '../../src/providers/endpoint.js';
import { guardedFetch } from '../../src/providers/http/guardedFetch.js';
import { answer, chunk, chunkedHead, EVENT_STREAM, events, head, json } from '../support/http/answers.js';
import { endpointAt } from '../support/http/endpoints.js';
import { FaultServer, type Step } from '../support/http/faultServer.js';
import { Gate } from '../support/http/gate.js';
import { rejection } from '../support/rejection.js';
import { resumeTimers, stopTimers } from '../support/wire/stoppedTimers.js';

const MIB = 1024 * 1024;

/** What loopback buffers on both sides at most, beside what the client reads. */
const BUFFERS_BYTES = 16 * MIB;

describe('guarded fetch', () => {
  let server: FaultServer;
  let endpoint: Endpoint;

  beforeEach(async () => {
    server = await FaultServer.start();
    endpoint = endpointAt(server.url);
  });

  afterEach(() => server.close());

  const get = (init?: RequestInit): Promise<Response> => guardedFetch(endpoint, UNRECORDED)(`${server.url}/v1`, init);
  const textOf = async (response: Promise<Response>): Promise<string> => (await response).text();

  /** What the reader got before the end, and the error that it ended with; null for a clean end. */
  async function readAll(response: Response): Promise<{ text: string; failure: unknown }> {
    const decoder = new TextDecoder();
    let text = '';
    try {
      for await (const bytes of response.body! as AsyncIterable<Uint8Array>) {
        text += decoder.decode(bytes, { stream: true });
      }
    } catch (failure) {
      return { text, failure };
    }
    return { text: text + decoder.decode(), failure: null };
  }

  const failureOf = async (response: Response): Promise<LoupeError> => {
    const { failure } = await readAll(response);
    assert.ok(failure instanceof LoupeError, `not an error of ours: ${String(failure)}`);
    return failure;
  };

  describe('a request and its answer', () => {
    it('go through as they are', async () => {
      server.play(...answer(201, { 'content-type': 'application/json', 'x-request-id': '7' }, '{"a":"ä"}'));
      const response = await get({ method: 'POST', headers: { authorization: 'Bearer the-key' }, body: '{"b":1}' });
      assert.deepEqual([response.status, response.headers.get('x-request-id')], [201, '7']);
      assert.deepEqual(await response.clone().json(), { a: 'ä' });
      assert.deepEqual(await response.json(), { a: 'ä' });
      const { request } = await server.next();
      assert.deepEqual([request.method, request.path, request.body.toString()], ['POST', '/v1', '{"b":1}']);
      assert.equal(request.headers.get('authorization'), 'Bearer the-key');
    });
  });

  describe('what an answer is', () => {
    const CUT = 'data: {"a":1}\n\ndata: {"b"';
    const passedOn = async (type: string | null, method: string): Promise<string> => {
      server.play(...answer(200, type === null ? {} : { 'content-type': type }, CUT));
      return textOf(get({ method }));
    };

    it('is told by its type', async () => {
      assert.equal(await passedOn('Text/Event-Stream; charset=utf-8', 'GET'), 'data: {"a":1}\n\n');
      assert.equal(await passedOn('application/json', 'POST'), CUT);
      assert.equal(await passedOn('text/html', 'POST'), CUT);
    });

    it('is a stream when a reply was asked for and it calls itself nothing else', async () => {
      for (const type of [null, 'text/plain', 'application/octet-stream']) {
        assert.equal(await passedOn(type, 'POST'), 'data: {"a":1}\n\n', String(type));
        assert.equal(await passedOn(type, 'GET'), CUT, String(type));
      }
    });
  });

  describe('silence', () => {
    // The clock stands still until a test moves it.
    beforeEach(stopTimers);

    afterEach(resumeTimers);

    /** Lets what has arrived be worked off; then the wait for more has begun. */
    const settle = (): Promise<void> => setImmediate();

    const after = async (ms: number): Promise<void> => {
      await settle();
      mock.timers.tick(ms);
    };

    it('before an answer ends the request', async () => {
      server.play({ do: 'hang' });
      const failed = rejection(get());
      const { closed } = await server.next();
      await after(60_000);
      const error = await failed;
      assert.deepEqual([error.kind, error.message], ['timeout', 'Weather AI did not answer within 60 seconds.']);
      assert.deepEqual(await closed, { byClient: true });
    });

    it('behind the head of an answer ends the request', async () => {
      server.play(head(200, EVENT_STREAM), { do: 'hang' });
      const failed = failureOf(await get());
      await after(60_000);
      assert.equal((await failed).kind, 'timeout');
      assert.deepEqual(await (await server.next()).closed, { byClient: true });
    });

    it('in the middle of a stream ends it, behind what arrived', async () => {
      server.play(chunkedHead(200, EVENT_STREAM), chunk('data: {"a":1}\n\ndata: {"b"'), { do: 'hang' });
      const reader = (await get()).body!.getReader();
      assert.equal(Buffer.from((await reader.read()).value!).toString(), 'data: {"a":1}\n\n');
      const failed = rejection(reader.read());
      await after(60_000);
      const error = await failed;
      assert.deepEqual(
        [error.kind, error.message],
        ['timeout', 'Weather AI stopped sending: nothing came for 60 seconds. The reply is incomplete.'],
      );
      assert.deepEqual(await (await server.next()).closed, { byClient: true });
    });

    it('behind a whole event without its empty line gives the event first', async () => {
      server.play(chunkedHead(200, EVENT_STREAM), chunk('data: 1\n\ndata: {"a":1}'), { do: 'hang' });
      const reader = (await get()).body!.getReader();
      await reader.read();
      const last = reader.read();
      await after(60_000);
      assert.equal(Buffer.from((await last).value!).toString(), 'data: {"a":1}\n\n');
      assert.equal((await rejection(reader.read())).kind, 'timeout');
    });

    it('in the page of a failure leaves the status and the beginning', async () => {
      server.play(chunkedHead(503, { 'content-type': 'text/html' }), chunk('<title>Gone'), { do: 'hang' });
      const response = await get();
      const reader = response.body!.getReader();
      assert.equal(Buffer.from((await reader.read()).value!).toString(), '<title>Gone');
      const end = reader.read();
      await after(60_000);
      assert.deepEqual([response.status, (await end).done], [503, true]);
      assert.deepEqual(await (await server.next()).closed, { byClient: true });
    });

    it('counts only while more is waited for, and anew for each part', async () => {
      const gates = [new Gate(), new Gate(), new Gate()];
      const parts = gates.flatMap((gate): Step[] => [{ do: 'wait', until: gate.opened }, chunk('data: 1\n\n')]);
      server.play(chunkedHead(200, EVENT_STREAM), ...parts, { do: 'hang' });
      const reader = (await get()).body!.getReader();
      await after(600_000);
      for (const gate of gates) {
        const read = reader.read();
        await after(59_999);
        gate.open();
        assert.equal(Buffer.from((await read).value!).toString(), 'data: 1\n\n');
      }
    });
  });

  describe("the caller's abort", () => {
    const reason = failure('request.stopped');

    it('before the answer ends the request with its reason', async () => {
      server.play({ do: 'hang' });
      const caller = new AbortController();
      const response = get({ signal: caller.signal });
      const { closed } = await server.next();
      caller.abort(reason);
      await assert.rejects(response, reason);
      assert.deepEqual(await closed, { byClient: true });
    });

    it('in the middle of a stream ends the wait with its reason', async () => {
      server.play(chunkedHead(200, EVENT_STREAM), chunk('data: {"a":1}\n\ndata: {"b":2}'), { do: 'hang' });
      const caller = new AbortController();
      const reader = (await get({ signal: caller.signal })).body!.getReader();
      assert.equal(Buffer.from((await reader.read()).value!).toString(), 'data: {"a":1}\n\n');
      const waiting = reader.read();
      caller.abort(reason);
      await assert.rejects(waiting, reason, 'and the event that was open does not come any more');
      assert.deepEqual(await (await server.next()).closed, { byClient: true });
    });

    it('between two reads ends the stream with its reason', async () => {
      server.play(chunkedHead(200, EVENT_STREAM), chunk('data: {"a":1}\n\n'), { do: 'hang' });
      const caller = new AbortController();
      const reader = (await get({ signal: caller.signal })).body!.getReader();
      await reader.read();
      caller.abort(reason);
      assert.deepEqual(await (await server.next()).closed, { byClient: true });
      await assert.rejects(reader.read(), reason);
    });

    it('in the page of a failure is no end of it', async () => {
      server.play(chunkedHead(500, {}), chunk('so far'), { do: 'hang' });
      const caller = new AbortController();
      const reader = (await get({ signal: caller.signal })).body!.getReader();
      await reader.read();
      const rest = reader.read();
      caller.abort(reason);
      await assert.rejects(rest, reason);
    });

    it('before the call sends nothing', async () => {
      await assert.rejects(get({ signal: AbortSignal.abort(reason) }), reason);
      assert.equal(server.requests.length, 0);
    });

    it('is listened to only while there is something to end', async () => {
      const { signal } = new AbortController();
      server.play(...json(200, {}));
      const response = await get({ signal });
      assert.equal(getEventListeners(signal, 'abort').length, 1);
      await response.text();
      assert.equal(getEventListeners(signal, 'abort').length, 0);
      server.play({ do: 'cut' });
      await rejection(get({ signal }));
      assert.equal(getEventListeners(signal, 'abort').length, 0);
    });
  });

  it('closes the connection when the reader needs no more', async () => {
    server.play(chunkedHead(200, EVENT_STREAM), chunk('data: {"a":1}\n\n'), { do: 'hang' });
    const reader = (await get()).body!.getReader();
    await reader.read();
    await reader.cancel();
    assert.deepEqual(await (await server.next()).closed, { byClient: true });
  });

  describe('a connection that breaks', () => {
    it('before an answer is a failure of the network', async () => {
      server.play({ do: 'cut' });
      const error = await rejection(get());
      assert.equal(error.kind, 'network');
      assert.equal(error.message, `127.0.0.1:${String(server.port)} closed the connection before it answered.`);
    });

    it('behind the head is a failure of the network: nothing of the answer is there', async () => {
      const isThere = new Gate();
      server.play(chunkedHead(200, EVENT_STREAM), { do: 'wait', until: isThere.opened }, { do: 'cut' });
      const response = await get();
      isThere.open();
      assert.equal((await failureOf(response)).kind, 'network');
    });

    it('in the middle leaves what arrived, and says that it is not all', async () => {
      // A reset may overtake what was sent before: it waits until that was read.
      const isRead = new Gate();
      const first = chunk('data: {"a":1}\n\ndata: {"b":2}\n\ndata: {');
      server.play(chunkedHead(200, EVENT_STREAM), first, { do: 'wait', until: isRead.opened }, { do: 'cut' });
      const reader = (await get()).body!.getReader();
      assert.equal(Buffer.from((await reader.read()).value!).toString(), 'data: {"a":1}\n\ndata: {"b":2}\n\n');
      isRead.open();
      const error = await rejection(reader.read());
      assert.deepEqual(
        [error.kind, error.message],
        ['incomplete', 'The reply broke off: the connection to Weather AI closed before it was complete.'],
      );
      assert.match(toErrorRecord(error).detail!, /terminated|closed|ECONNRESET/);
    });

    it('without the last chunk, however cleanly, is no end', async () => {
      server.play(chunkedHead(200, EVENT_STREAM), chunk('data: {"a":1}\n\n'));
      assert.equal((await failureOf(await get())).kind, 'incomplete');
    });

    it('before its announced length is no end', async () => {
      server.play(head(200, { 'content-type': 'application/json', 'content-length': '90' }), { do: 'send', bytes: '{}' });
      assert.equal((await failureOf(await get())).kind, 'incomplete');
    });

    it('in the page of a failure leaves the status', async () => {
      server.play(chunkedHead(502, {}), chunk('Bad'));
      const response = await get();
      assert.deepEqual([response.status, await response.text()], [502, 'Bad']);
    });

    it('is refused where no server is', async () => {
      const { port, url } = server;
      await server.close();
      const error = await rejection(guardedFetch(endpoint, UNRECORDED)(url));
      server = await FaultServer.start();
      assert.deepEqual(
        [error.kind, error.message],
        ['network', `Nothing answers at 127.0.0.1:${String(port)}. Check that the server is running, and check the base URL.`],
      );
    });
  });

  describe('a redirect', () => {
    it('is not followed, and named without its secrets', async () => {
      const other = await FaultServer.start();
      server.play(head(307, { location: `${other.url}/v2?token=hidden` }), { do: 'hang' });
      const error = await rejection(get({ method: 'POST', headers: { 'x-api-key': 'the-key' }, body: 'x' }));
      assert.equal(error.kind, 'protocol');
      assert.match(error.message, new RegExp(`Weather AI redirects to ${other.url}/v2\\. `));
      assert.equal(other.requests.length, 0);
      assert.deepEqual(await (await server.next()).closed, { byClient: true });
      await other.close();
    });

    it('to nowhere is an ordinary answer', async () => {
      server.play(...answer(304, {}, ''));
      assert.equal((await get()).status, 304);
    });
  });

  it('says so when a status is none', async () => {
    server.play(...answer(799, {}, 'x'));
    const error = await rejection(get());
    assert.deepEqual([error.kind, error.message], ['protocol', 'Weather AI answered with an invalid HTTP status (799).']);
  });

  it('tells no key in the error for a header that cannot be sent', async () => {
    const error = await rejection(get({ headers: { authorization: 'Bearer the-key\0' } }));
    assert.equal(error.kind, 'invalidInput');
    assert.doesNotMatch(JSON.stringify(toErrorRecord(error)), /the-key/);
  });

  describe('an answer without end', () => {
    const flood = (bytes: string): Step => ({ do: 'flood', bytes: Buffer.from(bytes.repeat(64 * 1024)) });

    async function isStopped(limit: number): Promise<void> {
      const exchange = await server.next();
      assert.deepEqual(await exchange.closed, { byClient: true });
      assert.ok(exchange.sentBytes() >= limit, `${String(exchange.sentBytes())} bytes: stopped before the limit`);
      assert.ok(exchange.sentBytes() < limit + BUFFERS_BYTES, `${String(exchange.sentBytes())} bytes: stopped too late`);
    }

    it('is stopped when it is one line', async () => {
      server.play(head(200, EVENT_STREAM), { do: 'send', bytes: 'data: {"a":1}\n\ndata: "' }, flood('x'));
      const { text, failure } = await readAll(await get());
      assert.equal(text, 'data: {"a":1}\n\n', 'what came before is there');
      assert.ok(failure instanceof LoupeError);
      assert.deepEqual(
        [failure.kind, failure.message],
        ['protocol', 'Weather AI sent a line or an event of more than 4 MiB. Loupe stopped reading.'],
      );
      await isStopped(4 * MIB);
    });

    it('is stopped when it is one event of many lines', async () => {
      server.play(head(200, EVENT_STREAM), flood('data: x\n'));
      assert.equal((await failureOf(await get())).kind, 'protocol');
      await isStopped(4 * MIB);
    });

    it('is stopped when it is no stream', async () => {
      server.play(head(200, { 'content-type': 'application/json' }), flood('[['));
      const error = await failureOf(await get());
      assert.deepEqual([error.kind, error.message], ['protocol', 'Weather AI sent an answer of more than 16 MiB. Loupe stopped reading.']);
      await isStopped(16 * MIB);
    });

    it('is cut when it is the page of a failure', async () => {
      server.play(head(500, { 'content-type': 'text/html' }), flood('<p>'));
      const response = await get();
      assert.deepEqual([response.status, (await response.text()).length], [500, 64 * 1024]);
      await isStopped(64 * 1024);
    });

    it('is read no faster than its reader asks', async () => {
      server.play(head(200, EVENT_STREAM), flood('data: 1\n\n'));
      const reader = (await get()).body!.getReader();
      await reader.read();
      const exchange = await server.next();
      await reader.cancel();
      await exchange.closed;
      assert.ok(exchange.sentBytes() < BUFFERS_BYTES);
    });

    it('of 10 MB in one line is stopped, and one of 3 MiB is not', async () => {
      const long = (length: number): Step[] => events(`data: "${'x'.repeat(length)}"\n\n`);
      server.play(...long(10_000_000));
      assert.equal((await failureOf(await get())).kind, 'protocol');
      server.play(...long(3 * MIB));
      assert.equal((await textOf(get())).length, 3 * MIB + 'data: ""\n\n'.length);
    });
  });
});
