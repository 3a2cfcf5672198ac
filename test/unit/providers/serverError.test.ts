import assert from 'node:assert/strict';
import { errorIn, serverError, type ServerError } from '../../../src/providers/http/serverError.js';

const told = (value: unknown): ServerError => serverError(errorIn(value) ?? value, JSON.stringify(value));

describe('an error of a server', () => {
  it('is found with a status of success, in every form that servers use', () => {
    const forms: readonly (readonly [value: unknown, error: ServerError])[] = [
      [
        { error: { code: 429, message: 'Slow down' }, choices: [] },
        { status: 429, code: '429', message: 'Slow down' },
      ],
      [{ error: { type: 'server_error', code: null, message: 'Oops' } }, { status: null, code: 'server_error', message: 'Oops' }],
      [{ error: { code: 'context_length_exceeded', message: 'x' } }, { status: null, code: 'context_length_exceeded', message: 'x' }],
      [
        { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
        { status: null, code: 'overloaded_error', message: 'Overloaded' },
      ],
      [
        { object: 'error', message: 'EngineCore', type: 'InternalServerError', code: 500 },
        { status: 500, code: 'InternalServerError', message: 'EngineCore' },
      ],
      [
        [{ error: { code: 400, message: 'API key not valid', status: 'INVALID_ARGUMENT' } }],
        { status: 400, code: '400', message: 'API key not valid' },
      ],
      [
        { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
        { status: null, code: '1008', message: 'insufficient balance' },
      ],
      [
        { success: false, errors: [{ code: 10000, message: 'Authentication error' }] },
        { status: null, code: '10000', message: 'Authentication error' },
      ],
      [{ choices: [{ finish_reason: 'error', error: { code: 502, message: 'x' } }] }, { status: 502, code: '502', message: 'x' }],
      [
        { choices: [{ index: 0, delta: {}, finish_reason: 'error' }] },
        { status: null, code: null, message: 'The model failed while it answered.' },
      ],
      [{ error: 'model "x" not found' }, { status: null, code: null, message: 'model "x" not found' }],
    ];
    for (const [value, error] of forms) {
      assert.notEqual(errorIn(value), undefined, JSON.stringify(value));
      assert.deepEqual(told(value), error, JSON.stringify(value));
    }
  });

  it('is not found where there is none', () => {
    for (const value of [
      null,
      {},
      { error: null },
      { error: '' },
      { error: false },
      { choices: [{ finish_reason: 'stop', error: null }], errors: [] },
      { base_resp: { status_code: 0, status_msg: '' } },
      { type: 'ping' },
      'error',
      [],
      [{}],
    ]) {
      assert.equal(errorIn(value), undefined, JSON.stringify(value));
    }
  });

  it('is told in the words of the server, whatever the form of a failed answer', () => {
    const words: readonly (readonly [value: unknown, message: string])[] = [
      [{ message: 'from a gateway' }, 'from a gateway'],
      [{ detail: 'Not Found' }, 'Not Found'],
      [{ code: 'InvalidApiKey', message: 'Invalid API-key provided.' }, 'Invalid API-key provided.'],
      [{ error: { message: 'Provider returned error', metadata: { raw: 'because of that' } } }, 'Provider returned error: because of that'],
      [{ error: { code: 400, message: 'too long', n_ctx: 4096 } }, 'too long: {"n_ctx":4096}'],
      [{ detail: [{ loc: ['body'], msg: 'field required' }] }, '{"detail":[{"loc":["body"],"msg":"field required"}]}'],
      [null, 'null'],
    ];
    for (const [value, message] of words) {
      assert.equal(told(value).message, message, JSON.stringify(value));
    }
  });

  it('is looked for at the top only, however deep the JSON is', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    assert.equal(errorIn(deep), undefined);
    assert.equal(serverError({ error: deep }, 'as it came').message, 'as it came');
  });

  it('has a status only where its code is one', () => {
    for (const code of [200, 399, 600, 1008, '429', null]) {
      assert.equal(told({ error: { code, message: 'x' } }).status, null, String(code));
    }
  });
});
