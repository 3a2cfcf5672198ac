import assert from 'node:assert/strict';
import Anthropic, { APIConnectionError, APIError, APIUserAbortError } from '@anthropic-ai/sdk';
import { LoupeError } from '../../../src/engine/errors.js';
import type { ErrorKind } from '../../../src/engine/failures/entry.js';
import { requestError, type RequestContext } from '../../../src/providers/anthropic/errors.js';
import { API_VERSION, requestHeaders } from '../../../src/providers/anthropic/headers.js';
import { countRequest } from '../../../src/providers/anthropic/countRequest.js';
import { modelPage } from '../../../src/providers/anthropic/modelList.js';
import type { Endpoint } from '../../../src/providers/endpoint.js';
import { failureOf } from '../../support/failures.js';

const ENDPOINT: Endpoint = {
  id: 'house',
  label: 'House',
  baseUrl: 'http://127.0.0.1:1',
  headers: { 'x-team': 'blue' },
  silenceMs: 1_000,
  key: () => Promise.resolve('the-key'),
};

const context = (signal: AbortSignal): RequestContext => ({ endpoint: ENDPOINT, key: 'the-key', signal });
const OPEN = new AbortController().signal;

/** An error of the SDK as it makes them of an answer. */
function answered(status: number | undefined, body: object | undefined, message: string | undefined): LoupeError {
  return requestError(new APIError(status, body, message, new Headers({ 'retry-after': '7' }), null), context(OPEN));
}

const said = (type: string, message: string): object => ({ type: 'error', error: { type, message } });

describe('errors of the Messages API', () => {
  const kinds: readonly (readonly [number | undefined, string, string, ErrorKind])[] = [
    [401, 'authentication_error', 'invalid x-api-key', 'auth'],
    [403, 'permission_error', 'not allowed', 'auth'],
    [404, 'not_found_error', 'model: claude-old', 'modelGone'],
    [413, 'request_too_large', 'Request exceeds the maximum size', 'contextOverflow'],
    [429, 'rate_limit_error', 'slow down', 'rateLimit'],
    [500, 'api_error', 'Internal server error', 'overloaded'],
    [529, 'overloaded_error', 'Overloaded', 'overloaded'],
    [400, 'invalid_request_error', 'max_tokens: too large', 'protocol'],
    [400, 'invalid_request_error', 'prompt is too long: 207000 tokens > 200000 maximum', 'contextOverflow'],
    [undefined, 'overloaded_error', 'Overloaded', 'overloaded'],
    [undefined, 'rate_limit_error', 'slow down', 'rateLimit'],
    [undefined, 'api_error', 'Internal server error', 'overloaded'],
    [undefined, 'authentication_error', 'expired', 'auth'],
    [undefined, 'invalid_request_error', 'no', 'protocol'],
  ];
  for (const [status, type, message, kind] of kinds) {
    it(`reads ${type}, ${status === undefined ? 'inside a stream' : `HTTP ${status}`}, "${message}", as ${kind}`, () => {
      assert.equal(answered(status, said(type, message), undefined).kind, kind);
    });
  }

  it('keeps the limit that an overflow tells, the wait that is asked for, and the words of the server', () => {
    assert.equal(
      answered(400, said('invalid_request_error', 'prompt is too long: 207000 tokens > 200000 maximum'), undefined).inputLimit,
      200_000,
    );
    assert.equal(answered(429, said('rate_limit_error', 'slow down'), undefined).retryAfterMs, 7_000);
    assert.match((answered(400, said('invalid_request_error', 'bad thing'), undefined).cause as Error).message, /bad thing/);
  });

  it('takes the words of gateways, whatever their form', () => {
    const words = (body: object | undefined, message: string | undefined): string => (answered(400, body, message).cause as Error).message;
    assert.match(words({ message: 'from a gateway' }, undefined), /from a gateway/);
    assert.match(words({ error: 'as a text' }, undefined), /as a text/);
    assert.match(words(undefined, 'plain words'), /plain words/);
    assert.doesNotMatch(words(undefined, undefined), /no body/);
  });

  it('lets our own errors through, however deep the SDK has wrapped them', () => {
    const own = failureOf('timeout', 'No answer.');
    assert.equal(requestError(own, context(OPEN)), own);
    assert.equal(requestError(new APIConnectionError({ cause: new Error('outer', { cause: own }) }), context(OPEN)), own);
  });

  it('says stopped for everything that is thrown after an abort', () => {
    const aborted = context(AbortSignal.abort());
    for (const thrown of [new APIUserAbortError(), new Error('x'), failureOf('network', 'x'), 'text']) {
      assert.equal(requestError(thrown, aborted).kind, 'cancelled');
    }
  });

  it('calls broken JSON a breach of protocol, a lost connection a network error, and the rest a defect of ours', () => {
    assert.equal(requestError(new SyntaxError('Unexpected token'), context(OPEN)).kind, 'protocol');
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    assert.equal(requestError(new APIConnectionError({ cause: refused }), context(OPEN)).kind, 'network');
    assert.equal(requestError(new RangeError('oops'), context(OPEN)).kind, 'internal');
    assert.equal(requestError('oops', context(OPEN)).kind, 'internal');
  });

  it('survives a chain of causes that turns back on itself', () => {
    const loop = new APIConnectionError({ cause: new Error('a') });
    (loop.cause as Error).cause = loop;
    assert.equal(requestError(loop, context(OPEN)).kind, 'network');
  });
});

describe('headers for the Messages API', () => {
  it('are these and no others', () => {
    assert.deepEqual(Object.fromEntries(requestHeaders(ENDPOINT, 'the-key', 'text/event-stream')), {
      accept: 'text/event-stream',
      'anthropic-version': API_VERSION,
      authorization: 'Bearer the-key',
      'content-type': 'application/json',
      'x-team': 'blue',
    });
  });

  it('hold no key where there is none', () => {
    assert.equal(requestHeaders(ENDPOINT, null, 'application/json').get('authorization'), null);
  });

  it('can be replaced by the configuration', () => {
    const endpoint = { ...ENDPOINT, headers: { 'Anthropic-Version': '2023-06-01' } };
    assert.equal(requestHeaders(endpoint, null, 'application/json').get('anthropic-version'), '2023-06-01');
  });

  it('refuse a key or a value that cannot be sent, without repeating it', () => {
    const hasNoSecret = (kind: ErrorKind) => (error: unknown) =>
      error instanceof LoupeError && error.kind === kind && !`${error.message} ${String(error.cause)}`.includes('secret');
    assert.throws(() => requestHeaders(ENDPOINT, 'secret\nkey', 'application/json'), hasNoSecret('auth'));
    assert.throws(() => requestHeaders({ ...ENDPOINT, headers: { 'x-a': 'secret\n' + '\u4e00' } }, null, 'x'), hasNoSecret('invalidInput'));
  });

  it('name the version of the API that the SDK speaks', async () => {
    let sent: string | null = null;
    const client = new Anthropic({
      apiKey: 'the-key',
      maxRetries: 0,
      fetch: async (_input, init) => {
        sent = new Headers(init?.headers).get('anthropic-version');
        return Response.json({});
      },
    });
    await client.get('/v1/models');
    assert.equal(sent, API_VERSION);
  });
});

describe('other requests to the Messages API', () => {
  it('count a request without the members that only sending takes', () => {
    const body =
      '{"model":"m","max_tokens":1,"stream":true,"tools":[],"system":[],"messages":[],"thinking":{"type":"adaptive"},"metadata":{}}';
    assert.equal(countRequest(body), '{"model":"m","tools":[],"system":[],"messages":[],"thinking":{"type":"adaptive"}}');
  });

  it('read a page of models with their limits; what is missing or nonsense is unknown', () => {
    const data = [
      { id: 'a', display_name: 'A', max_input_tokens: 200_000, max_tokens: 64_000 },
      { id: 'b', display_name: '', max_input_tokens: null, max_tokens: 0 },
      { id: '' },
      { name: 'no id' },
      { id: 'c', max_input_tokens: -5 },
      { id: 'text-embedding-3' },
    ];
    assert.deepEqual(modelPage({ data, has_more: true, last_id: 'c' }, 'House'), {
      models: [
        { id: 'a', label: 'A', maxInputTokens: 200_000, maxOutputTokens: 64_000, otherUse: null },
        { id: 'b', label: null, maxInputTokens: null, maxOutputTokens: null, otherUse: null },
        { id: 'c', label: null, maxInputTokens: null, maxOutputTokens: null, otherUse: null },
        {
          id: 'text-embedding-3',
          label: null,
          maxInputTokens: null,
          maxOutputTokens: null,
          otherUse: 'Probably for embeddings, by its name',
        },
      ],
      next: 'c',
    });
    assert.equal(modelPage({ data: [], has_more: false, last_id: 'c' }, 'House').next, null);
  });

  for (const body of ['<html>', null, {}, { data: {} }]) {
    it(`reject ${JSON.stringify(body)} as a list of models`, () => {
      assert.throws(
        () => modelPage(body, 'House'),
        (error) => error instanceof LoupeError && error.kind === 'protocol',
      );
    });
  }
});
