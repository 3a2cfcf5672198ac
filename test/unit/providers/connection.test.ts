import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { UNRECORDED } from '../../../src/engine/model/httpExchange.js';
import { LoupeError } from '../../../src/engine/errors.js';
import { Connection } from '../../../src/providers/http/connection.js';
import { request } from '../../../src/providers/http/request.js';
import { endpointAt } from '../../support/http/endpoints.js';
import { rejection } from '../../support/rejection.js';

const ENDPOINT = endpointAt('https://api.example.com/v1');
const OPEN = new AbortController().signal;
const never = (): Promise<never> => new Promise(() => undefined);

describe('a connection', () => {
  it('ends a wait at once when the caller aborts, also where fetch itself does not', async () => {
    const caller = new AbortController();
    const connection = new Connection(ENDPOINT, null, caller.signal);
    const waiting = rejection(connection.wait(never(), 'start'));
    caller.abort();
    assert.equal((await waiting).code, 'request.stopped');
    assert.equal((await rejection(connection.wait(Promise.resolve(1), 'rest'))).code, 'request.stopped', 'and every wait after that');
  });

  it('gives what it waited for, and its rejection', async () => {
    const connection = new Connection(ENDPOINT, null, OPEN);
    assert.equal(await connection.wait(Promise.resolve(1), 'start'), 1);
    await assert.rejects(connection.wait(Promise.reject(new Error('x')), 'start'), new Error('x'));
  });

  it('tells silence in the middle, by a limit of fetch itself, from a break', () => {
    const connection = new Connection(ENDPOINT, 'the-key', OPEN);
    const ended = (code: string): unknown =>
      connection.failure(new TypeError('terminated the-key', { cause: Object.assign(new Error('x'), { code }) }), 'rest');
    const [silent, broken] = [ended('UND_ERR_BODY_TIMEOUT'), ended('UND_ERR_SOCKET')];
    assert.ok(silent instanceof LoupeError && broken instanceof LoupeError);
    assert.deepEqual([silent.kind, broken.kind], ['timeout', 'incomplete']);
    assert.equal((broken.cause as Error).message, 'terminated [key]');
  });
});

describe('a request that fetch answers otherwise than Node', () => {
  afterEach(() => {
    mock.restoreAll();
  });

  const send = (): Promise<LoupeError> => {
    const asked = { url: 'https://api.example.com/v1', headers: {}, keyHeader: 'authorization', body: null, use: 'user' } as const;
    return rejection(request(ENDPOINT, { ...asked, signal: OPEN, exchanged: UNRECORDED }));
  };

  it('knows a redirect that is hidden, as in browsers', async () => {
    const hidden = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
    mock.method(globalThis, 'fetch', () => Promise.resolve(hidden));
    const error = await send();
    assert.equal(error.kind, 'protocol');
    assert.match(error.message, /^Weather AI redirects to another address\. /);
  });

  it('names the aim of a redirect without the key that the server put into its path, and not without end', async () => {
    const location = `https://api.example.com/login/the-key/${'x'.repeat(5_000)}`;
    mock.method(globalThis, 'fetch', () => Promise.resolve(new Response(null, { status: 307, headers: { location } })));
    const error = await send();
    assert.match(error.message, /redirects to https:\/\/api\.example\.com\/login\/\[key\]\/x+\. /);
    assert.ok(error.message.length < 500, String(error.message.length));
  });
});
