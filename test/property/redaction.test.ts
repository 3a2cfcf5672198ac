import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countsInWords, Redaction } from '../../src/host/inspector/redaction.js';
import { forAll } from '../support/forAll.js';

const STORED = 'stored-Key-0123456789abcdef';
const ENTERED = 'entered for a server, 99';
const HOME = '/home/mira';

/** This file contains no real key. */
const letters = (length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...Array.from('abcdefghXYZ0123456789')), minLength: length, maxLength: length });

const secret = fc.oneof(
  letters(24).map((rest) => ({ kind: 'key' as const, text: `sk-${rest}` })),
  letters(36).map((rest) => ({ kind: 'key' as const, text: `ghp_${rest}` })),
  letters(20).map((rest) => ({ kind: 'key' as const, text: `eyJ${rest}.${rest}.${rest}` })),
  fc.constant({ kind: 'key' as const, text: STORED }),
  letters(8).map((name) => ({ kind: 'home' as const, text: `/Users/${name}` })),
  letters(8).map((name) => ({ kind: 'home' as const, text: `C:\\Users\\${name}` })),
  fc.constant({ kind: 'server' as const, text: ENTERED }),
  fc.constant({ kind: 'home' as const, text: HOME }),
  letters(6).map((name) => ({ kind: 'email' as const, text: `${name}.b@tides.example` })),
);

const harmless = fc.array(fc.constantFrom('the', 'tide', 'src/a.ts', '1.2.3', '@scope/pkg', 'x = 4;', '\n', '"', '{}', 'é'), {
  maxLength: 12,
});

const clean = (text: string): { text: string; counts: Redaction['counts'] } => {
  const redaction = new Redaction({ keys: [STORED], servers: [ENTERED], homes: [HOME] });
  return { text: redaction.clean(text), counts: redaction.counts };
};

describe('What is blacked out in an exported request', () => {
  it('is every key, home folder and e-mail address, as it is and in JSON, and nothing else', () => {
    forAll(fc.array(fc.tuple(harmless, secret), { minLength: 1, maxLength: 6 }), harmless, fc.boolean(), (parts, end, isJson) => {
      const written = (text: string): string => (isJson ? JSON.stringify(text).slice(1, -1) : text);
      const whole = written([...parts.map(([words, { text }]) => `${words.join(' ')} ${text} `), end.join(' ')].join(''));
      const { text, counts } = clean(whole);
      for (const [, { text: hidden }] of parts) {
        assert.ok(!text.includes(written(hidden)), `${hidden} in ${text}`);
      }
      const places = { key: '[key]', server: '[secret]', home: '[home]', email: '[e-mail address]' };
      const expected = written([...parts.map(([words, { kind }]) => `${words.join(' ')} ${places[kind]} `), end.join(' ')].join(''));
      assert.equal(text, expected);
      for (const kind of ['key', 'server', 'home', 'email'] as const) {
        assert.equal(counts[kind], new Set(parts.filter(([, each]) => each.kind === kind).map(([, each]) => each.text)).size, kind);
      }
      assert.deepEqual(clean(text), { text, counts: { key: 0, server: 0, home: 0, email: 0, data: 0 } }, 'what is clean stays as it is');
    });
  });

  it('is what stands behind the name of a secret, whatever it looks like', () => {
    assert.equal(clean('Authorization: Bearer hunter2hunter2').text, 'Authorization: Bearer [key]');
    assert.equal(clean('{"x-api-key":"hunter2hunter2"}').text, '{"x-api-key":"[key]"}');
    assert.equal(clean('export MY_TOKEN=hunter2hunter2').text, 'export MY_TOKEN=[key]');
    assert.equal(clean(JSON.stringify('api_key = "hunter2hunter2"')).text, JSON.stringify('api_key = "[key]"'));
  });

  it('is a private key of several lines, counted once in a text and its JSON', () => {
    const key = `-----BEGIN PRIVATE KEY-----\nQUJD\nREVG\n-----END PRIVATE KEY-----`;
    const redaction = new Redaction({ keys: [], servers: [], homes: [] });
    assert.equal(redaction.clean(`a ${key} b`), 'a [key] b');
    assert.equal(redaction.clean(JSON.stringify(key)), '"[key]"');
    assert.equal(countsInWords(redaction.counts), 'Blacked out: 1 key.');
  });

  it('is a long Base64 text, which is no key and hides none, and stands there with its size', () => {
    // Makes it look like a part of an Amazon key.
    const image = Buffer.concat([Buffer.alloc(300, 7), Buffer.from('/AKIA0123456789ABCDEF/', 'base64'), Buffer.from(` ${STORED}`)]);
    const { text, counts } = clean(JSON.stringify({ data: image.toString('base64'), key: STORED }));
    assert.equal(text, `{"data":"[Base64, ${String(image.length)} bytes]","key":"[key]"}`);
    assert.deepEqual(counts, { key: 1, server: 0, home: 0, email: 0, data: 1 });
    const short = Buffer.from(`user:${STORED}`).toString('base64');
    assert.doesNotMatch(clean(`Basic ${short}`).text, new RegExp(short.slice(12, 24)));
    assert.equal(clean(Buffer.alloc(30, 7).toString('base64')).text, Buffer.alloc(30, 7).toString('base64'));
  });

  it('takes time in proportion to the text', () => {
    for (const text of ['a'.repeat(3_000_000), 'a@'.repeat(500_000), `${'a'.repeat(255)} `.repeat(12_000)]) {
      assert.ok(clean(text).text.length <= text.length);
    }
  });
});
