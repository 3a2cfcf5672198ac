import assert from 'node:assert/strict';
import type { AttemptEnd } from '../../../src/engine/chat/slices/attempts.js';
import { page, requestHead, responseLines } from '../../../src/host/documents/requestContent.js';
import { attemptEnded, errorRecord } from '../../support/engine/events.js';

const EXCHANGE: AttemptEnd['exchange'] = {
  method: 'POST',
  url: 'https://house.example/v1/messages',
  requestHeaders: [['authorization', 'Bearer [key]']],
  response: { status: 401, headers: [['request-id', 'r-1']] },
};

function endOf(changes: Partial<AttemptEnd>): AttemptEnd {
  return { ...attemptEnded('r', 'a', 'failed'), at: 4_200, ...changes };
}

describe('The document of a request', () => {
  it('has the head of the request, its body, and the response with the words of the server', () => {
    const error = { ...errorRecord('House AI rejected the key.'), detail: 'Error: HTTP 401: Your project is disabled.' };
    const attempt = { startedAt: 1_000, end: endOf({ exchange: EXCHANGE, error, usage: null, rawUsage: null }) };
    assert.equal(
      page(requestHead(attempt), '{"model":"large"}', responseLines(attempt)),
      [
        '// POST https://house.example/v1/messages',
        '//   authorization: Bearer [key]',
        '{',
        '  "model": "large"',
        '}',
        '',
        '// Response: HTTP 401, failed, ended after 3.2 s.',
        '//   request-id: r-1',
        '// error: House AI rejected the key. Error: HTTP 401: Your project is disabled.',
        '',
      ].join('\n'),
    );
  });

  it('says when no response came, when none has come yet, and when nothing went over HTTP', () => {
    const unanswered = { startedAt: 1_000, end: endOf({ exchange: { ...EXCHANGE, response: null }, error: null, rawUsage: { input: 1 } }) };
    const diagnosed = { ...unanswered, end: { ...unanswered.end, providerDiagnosis: { kind: 'same' } as const } };
    assert.equal(responseLines(diagnosed).at(-1), 'diagnosis: {"kind":"same"}');
    assert.deepEqual(responseLines(unanswered), ['Response: failed, ended after 3.2 s.', 'usage: {"input":1}']);
    assert.deepEqual(responseLines({ startedAt: 1_000, end: null }), ['Response: still arriving.']);
    assert.deepEqual(requestHead({ end: null }), []);
    assert.deepEqual(requestHead({ end: endOf({ exchange: null }) }), [
      'Loupe did not send this request over HTTP, so the request has no URL and no headers.',
    ]);
  });

  it('stays a comment where the server sent line breaks', () => {
    assert.equal(page(['one\r\n{"evil": 1}\u2028two'], '', []), '// one {"evil": 1} two\n');
  });
});
