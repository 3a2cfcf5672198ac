import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { UNRECORDED } from '../../../src/engine/run/exchange.js';
import { LoupeError } from '../../../src/engine/errors.js';
import { Connection } from '../../../src/providers/http/connection.js';
import { guardedFetch } from '../../../src/providers/http/guardedFetch.js';
import { endpointAt } from '../../support/http/endpoints.js';
import { rejection } from '../../support/rejection.js';
import { failureOf } from '../../support/failures.js';

const ENDPOINT = endpointAt('https://api.example.com/v1');

const never = (): Promise<never> => new Promise(() => undefined);

describe('a connection', () => {
  it('ends a wait at once when the caller aborts, also where fetch itself does not', async () => {
    const caller = new AbortController();
    const connection = new Connection(ENDPOINT, null, caller.signal);
    const waiting = connection.wait(never(), 'start');
    const reason = failureOf('cancelled', 'enough');
    caller.abort(reason);
    await assert.rejects(waiting, reason);
    await assert.rejects(connection.wait(Promise.resolve(1), 'rest'), reason, 'and every wait after that');
  });

  it('gives what it waited for, and its rejection', async () => {
    const connection = new Connection(ENDPOINT, null, null);
    assert.equal(await connection.wait(Promise.resolve(1), 'start'), 1);
    await assert.rejects(connection.wait(Promise.reject(new Error('x')), 'start'), new Error('x'));
  });

  it('tells silence in the middle, by a limit of fetch itself, from a break', () => {
    const connection = new Connection(ENDPOINT, 'the-key', null);
    const ended = (code: string): unknown =>
      connection.failure(new TypeError('terminated the-key', { cause: Object.assign(new Error('x'), { code }) }), 'rest');
    const [silent, broken] = [ended('UND_ERR_BODY_TIMEOUT'), ended('UND_ERR_SOCKET')];
    assert.ok(silent instanceof LoupeError && broken instanceof LoupeError);
    assert.deepEqual([silent.kind, broken.kind], ['timeout', 'incomplete']);
    assert.equal((broken.cause as Error).message, 'terminated [key]');
  });
});

describe('guarded fetch', () => {
  afterEach(() => {
    mock.restoreAll();
  });

  it('knows a redirect that fetch hides, as browsers do', async () => {
    const hidden = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
    mock.method(globalThis, 'fetch', () => Promise.resolve(hidden));
    const error = await rejection(guardedFetch(ENDPOINT, UNRECORDED)('https://api.example.com/v1'));
    assert.equal(error.kind, 'protocol');
    assert.match(error.message, /^Weather AI redirects to another address\. /);
  });

  it('names the aim of a redirect without the key that the server put into its path, and not without end', async () => {
    const location = `https://api.example.com/login/the-key/${'x'.repeat(5_000)}`;
    mock.method(globalThis, 'fetch', () => Promise.resolve(new Response(null, { status: 307, headers: { location } })));
    const error = await rejection(
      guardedFetch(ENDPOINT, UNRECORDED)('https://api.example.com/v1', { headers: { 'x-api-key': 'the-key' } }),
    );
    assert.match(error.message, /redirects to https:\/\/api\.example\.com\/login\/\[key\]\/x+\. /);
    assert.ok(error.message.length < 500, String(error.message.length));
  });

  it('takes method, headers and signal from a request, where nothing else is said', async () => {
    const reason = new Error('enough');
    const request = new Request('https://api.example.com/v1', { signal: AbortSignal.abort(reason), headers: { 'x-api-key': 'the-key' } });
    mock.method(globalThis, 'fetch', never);
    await assert.rejects(guardedFetch(ENDPOINT, UNRECORDED)(request), reason);
  });
});
