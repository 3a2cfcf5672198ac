import assert from 'node:assert/strict';
import { failure, recordedError, toErrorRecord } from '../../../src/engine/errors.js';
import type { FailureEntry } from '../../../src/engine/failures/entry.js';
import { FAILURES, failureActions, failureHelp } from '../../../src/engine/failures/failures.js';

const PLACE = { label: 'Weather AI', address: 'example.com:443', host: 'example.com' };

/** The sentence with its parameter names in braces. */
function shownSentence({ says }: FailureEntry): string {
  const names = new Proxy({}, { get: (_, name) => `{${String(name)}}` });
  return typeof says === 'string' ? says : says(names as never);
}

describe('the catalogue of failures', () => {
  it('has for each code a whole sentence, but for codes whose sentence is their parameter', () => {
    for (const [code, entry] of Object.entries(FAILURES)) {
      const sentence = shownSentence(entry);
      assert.match(sentence, /^(?:[A-Z"{]|loupe\.)/, code);
      assert.match(sentence, /[.})]$/, code);
      assert.doesNotMatch(sentence, /undefined|\[object/, code);
    }
  });

  it('makes the sentence from its parameters, and keeps cause, wait and limit', () => {
    const cause = new Error('429');
    const error = failure(
      'http.tooLong',
      { label: 'Weather AI', status: 400, inputLimit: 8_192, refusedMember: null },
      { cause, retryAfterMs: 5, inputLimit: 8_192 },
    );
    assert.equal(
      error.message,
      'Weather AI: The request is too long for this model (limit 8,192 tokens). Remove files or start a new chat.',
    );
    assert.deepEqual([error.code, error.kind, error.retryable], ['http.tooLong', 'contextOverflow', false]);
    assert.deepEqual([error.cause, error.retryAfterMs, error.inputLimit], [cause, 5, 8_192]);
  });

  it('takes the cause of a sentence without parameters', () => {
    const cause = new Error('JSON');
    const error = failure('storage.damagedDraft', { cause });
    assert.deepEqual([error.message, error.cause], ['The draft of this chat could not be read: the file of the draft is damaged.', cause]);
  });

  it('repeats no request that fails until somebody changes something, although its kind may pass', () => {
    assert.equal(failure('http.proxyLogin', PLACE).retryable, false);
    assert.equal(failure('connection.refused', PLACE).retryable, true);
  });

  it('knows nothing that helps against a code of another version', () => {
    assert.deepEqual([failureActions('later.code'), failureHelp('later.code')], [[], []]);
    assert.deepEqual([failureActions('toString'), failureHelp('constructor')], [[], []]);
  });

  it('gives an error back from its record', () => {
    const record = toErrorRecord(failure('connection.closed', PLACE, { cause: new Error('read ECONNRESET') }));
    const { code, kind, message, cause } = recordedError(record);
    assert.deepEqual([code, kind, message], ['connection.closed', 'incomplete', record.message]);
    assert.equal(cause, 'Error: read ECONNRESET');
  });
});
