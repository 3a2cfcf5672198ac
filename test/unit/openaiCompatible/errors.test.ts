import assert from 'node:assert/strict';
import * as sdk from 'openai';
import { toErrorRecord } from '../../../src/engine/errors.js';
import type { Endpoint } from '../../../src/providers/endpoint.js';
import { errorIn, requestError, streamError, type RequestContext } from '../../../src/providers/openaiCompatible/errors.js';
import { failureOf } from '../../support/failures.js';

const endpoint: Endpoint = {
  id: 'house',
  label: 'House',
  baseUrl: 'http://127.0.0.1:1/v1',
  headers: {},
  silenceMs: 1_000,
  key: () => Promise.resolve('the-key'),
};

const context: RequestContext = { sdk, endpoint, key: 'the-key', signal: new AbortController().signal };

/** What the SDK throws for an answer with this status and body; it takes JSON without the member `error` as the error. */
function answer(status: number, body: string | object, headers: Record<string, string>): Error {
  if (typeof body === 'string') {
    return sdk.APIError.generate(status, undefined, body, new Headers(headers));
  }
  return sdk.APIError.generate(status, 'error' in body ? body : { error: body }, undefined, new Headers(headers));
}

const openAi = (code: string | null, message: string): object => ({
  error: { message, type: 'invalid_request_error', param: null, code },
});

describe('errors of the SDK', () => {
  it('are judged by the status and the code of the answer', () => {
    const kinds: [string, number, object][] = [
      ['auth', 401, openAi('invalid_api_key', 'Incorrect API key provided')],
      ['rateLimit', 429, openAi('rate_limit_exceeded', 'Slow down')],
      ['refused', 429, openAi('insufficient_quota', 'You exceeded your current quota')],
      ['contextOverflow', 400, openAi('context_length_exceeded', 'Too much')],
      ['modelGone', 404, openAi('model_not_found', 'The model `m` does not exist')],
      ['overloaded', 503, openAi(null, 'Busy')],
    ];
    for (const [kind, status, body] of kinds) {
      assert.equal(requestError(answer(status, body, {}), context).kind, kind);
    }
  });

  it('carry the time after which to come again', () => {
    const thrown = answer(429, openAi(null, 'Slow down'), { 'retry-after': '7' });
    assert.equal(requestError(thrown, context).retryAfterMs, 7_000);
  });

  it('carry the words of the server, in whichever form it says them, and never the key', () => {
    const forms: (string | object)[] = [
      openAi(null, 'Because of the-key'),
      { error: 'Because of the-key' },
      { detail: 'Because of the-key' },
      { object: 'error', message: 'Because of the-key', code: 400 },
      { detail: [{ msg: 'Because of the-key' }] },
      { error: { message: 'Provider returned error', metadata: { raw: 'Because of the-key' } } },
      'Because of the-key',
    ];
    for (const form of forms) {
      const record = JSON.stringify(toErrorRecord(requestError(answer(400, form, {}), context)));
      assert.match(record, /Because of/);
      assert.doesNotMatch(record, /the-key/);
    }
  });

  it('pass on the window that a server names beside its message', () => {
    const body = { error: { code: 400, message: 'too long', type: 'exceed_context_size_error', n_ctx: 4096 } };
    assert.equal(requestError(answer(400, body, {}), context).inputLimit, 4096);
  });

  it('say nothing in place of a body that is empty', () => {
    assert.doesNotMatch(JSON.stringify(toErrorRecord(requestError(answer(400, '', {}), context))), /no body/);
  });

  it('that wrap an error of ours come out as it', () => {
    const ours = failureOf('timeout', 'Too long.');
    assert.equal(requestError(new sdk.APIConnectionError({ cause: ours }), context), ours);
    assert.equal(requestError(Object.assign(new sdk.APIConnectionTimeoutError(), { cause: ours }), context), ours);
    assert.equal(requestError(ours, context), ours);
  });

  it('of the connection are of the network', () => {
    const cause = Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) });
    assert.equal(requestError(new sdk.APIConnectionError({ cause }), context).kind, 'network');
  });

  it('that come after our abort mean that the request was stopped', () => {
    const aborted = { ...context, signal: AbortSignal.abort() };
    for (const thrown of [new sdk.APIUserAbortError(), failureOf('network', 'Gone.'), answer(500, '', {})]) {
      assert.equal(requestError(thrown, aborted).kind, 'cancelled');
    }
  });

  it('about an answer that cannot be read are of the protocol, without the key', () => {
    for (const thrown of [new SyntaxError('Unexpected token in "the-key"'), new sdk.OpenAIError('no body')]) {
      const error = requestError(thrown, context);
      assert.equal(error.kind, 'protocol');
      assert.doesNotMatch(JSON.stringify(toErrorRecord(error)), /the-key/);
    }
  });

  it('that are none of the SDK are defects of ours', () => {
    assert.equal(requestError(new RangeError('x'), context).kind, 'internal');
  });
});

describe('an error inside a stream', () => {
  const kindOf = (chunk: unknown): string => streamError(errorIn(chunk), new Headers(), context).kind;

  it('is found in every form that servers use', () => {
    assert.equal(kindOf({ error: { code: 429, message: 'Slow down' }, choices: [] }), 'rateLimit');
    assert.equal(kindOf({ error: { type: 'server_error', code: null, message: 'Oops' } }), 'overloaded');
    assert.equal(kindOf({ error: { code: 'context_length_exceeded', message: 'x' } }), 'contextOverflow');
    assert.equal(kindOf({ object: 'error', message: 'EngineCore', type: 'InternalServerError', code: 500 }), 'overloaded');
    assert.equal(kindOf({ choices: [{ finish_reason: 'error', error: { code: 502, message: 'x' } }] }), 'overloaded');
    assert.equal(kindOf({ error: 'Something' }), 'protocol');
    assert.equal(kindOf({ choices: [{ index: 0, delta: {}, finish_reason: 'error' }] }), 'protocol');
  });

  it('is not found where there is none', () => {
    for (const chunk of [
      null,
      {},
      { error: null },
      { error: '' },
      { error: false },
      { choices: [{ finish_reason: 'stop', error: null }] },
      'error',
      [],
    ]) {
      assert.equal(errorIn(chunk), undefined);
    }
  });

  it('is an error too when the SDK found it', () => {
    const thrown = new sdk.APIError(undefined, { code: 503, message: 'Busy' }, undefined, new Headers());
    assert.equal(requestError(thrown, context).kind, 'overloaded');
    assert.equal(requestError(new sdk.APIError(undefined, undefined, undefined, undefined), context).kind, 'protocol');
  });
});
