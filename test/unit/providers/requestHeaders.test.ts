import assert from 'node:assert/strict';
import { LoupeError } from '../../../src/engine/errors.js';
import type { ErrorKind } from '../../../src/engine/failures/entry.js';
import type { Endpoint } from '../../../src/providers/endpoint.js';
import { requestHeaders, type ProtocolHeaders } from '../../../src/providers/http/request.js';
import { endpointAt } from '../../support/http/endpoints.js';

const PROTOCOL: ProtocolHeaders = { headers: { accept: 'text/event-stream', 'api-version': '2' }, keyHeader: 'x-api-key' };

const headersOf = (change: Partial<Endpoint>, key: string | null): Record<string, string> =>
  Object.fromEntries(requestHeaders({ ...endpointAt('http://127.0.0.1:1'), ...change }, key, PROTOCOL));

describe('the headers of a request', () => {
  it('are those of the protocol, the configured ones and the key, and no others', () => {
    assert.deepEqual(headersOf({ headers: { 'X-Team': 'blue' } }, 'the-key'), {
      accept: 'text/event-stream',
      'api-version': '2',
      'content-type': 'application/json',
      'x-api-key': 'the-key',
      'x-team': 'blue',
    });
  });

  it('hold the key where the configuration wants it', () => {
    const { authorization, 'x-api-key': other } = headersOf({ keyHeader: 'authorization' }, 'the-key');
    assert.deepEqual([authorization, other], ['Bearer the-key', undefined]);
  });

  it('hold no key where there is none', () => {
    const names = Object.keys(headersOf({}, null));
    assert.ok(!names.includes('authorization') && !names.includes('x-api-key'));
  });

  it('can be replaced by the configuration', () => {
    assert.equal(headersOf({ headers: { 'Api-Version': '1' } }, null)['api-version'], '1');
  });

  it('refuse a key or a value that cannot be sent, without repeating it', () => {
    const hasNoSecret = (kind: ErrorKind) => (error: unknown) =>
      error instanceof LoupeError && error.kind === kind && !`${error.message} ${String(error.cause)}`.includes('secret');
    assert.throws(() => headersOf({}, 'secret\nkey'), hasNoSecret('auth'));
    assert.throws(() => headersOf({ headers: { 'x-a': 'secret\n' + '\u4e00' } }, null), hasNoSecret('invalidInput'));
  });
});
