import assert from 'node:assert/strict';
import { maskedAddress, maskedHeaders } from '../../../src/providers/http/redact.js';

const KEY = 'kk-the-real-key';

describe('The record of an exchange', () => {
  const recorded = (headers: Record<string, string>): unknown => Object.fromEntries(maskedHeaders(new Headers(headers), KEY));

  it('masks the key in each header', () => {
    assert.deepEqual(recorded({ authorization: `Bearer ${KEY}`, 'x-api-key': KEY, 'x-echo': `got ${KEY}` }), {
      authorization: 'Bearer [key]',
      'x-api-key': '[key]',
      'x-echo': 'got [key]',
    });
  });

  it('masks headers with other secrets, by their names', () => {
    assert.deepEqual(recorded({ 'api-key': 'other', 'cf-access-client-secret': 'x', 'set-cookie': 'id=1', 'x-auth-token': 't' }), {
      'api-key': '[masked]',
      'cf-access-client-secret': '[masked]',
      'set-cookie': '[masked]',
      'x-auth-token': '[masked]',
    });
  });

  it('keeps limits, and why access was refused', () => {
    const open = { 'x-ratelimit-remaining-tokens': '1000', 'www-authenticate': 'Bearer error="invalid_token"', 'retry-after': '3' };
    assert.deepEqual(recorded(open), open);
  });

  it('is bounded: of many headers the first, of long values the beginning', () => {
    const many = maskedHeaders(
      new Headers(Array.from({ length: 200 }, (_, at): [string, string] => [`h${String(at)}`, 'v'.repeat(5_000)])),
      KEY,
    );
    assert.deepEqual([many.length, many[0]?.[1].length], [100, 1_000]);
  });

  it('masks secrets in the address', () => {
    assert.equal(maskedAddress('https://a.example/v1/messages', KEY), 'https://a.example/v1/messages');
    assert.equal(
      maskedAddress(`https://a.example/${KEY}/v1?api-version=2026-01-01&api-key=other&k=${KEY}`, KEY),
      'https://a.example/[key]/v1?api-version=2026-01-01&api-key=[masked]&k=[key]',
    );
  });
});
