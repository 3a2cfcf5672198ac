import assert from 'node:assert/strict';
import fc from 'fast-check';
import { redact, redactedCause } from '../../../src/providers/http/redact.js';
import { forAll } from '../../support/forAll.js';

/** Long enough for all forms, with characters that are special in patterns and URLs. */
const KEY = 'kk-test-Q7+w/Zr$9(xYz0';

describe('redact', () => {
  it('replaces every occurrence of the key', () => {
    assert.equal(redact(`a ${KEY} b"${KEY}"${KEY}`, KEY), 'a [key] b"[key]"[key]');
    assert.equal(redact(`x${KEY}y`, KEY), 'x[key]y', 'also in the middle of a word');
    assert.equal(redact('Bearer the-key.', 'the-key'), 'Bearer [key].');
  });

  it('replaces its URL and JSON forms', () => {
    assert.equal(redact(`?key=${encodeURIComponent(KEY)}&a=1`, KEY), '?key=[key]&a=1');
    const lower = encodeURIComponent(KEY).replace(/%../g, (code) => code.toLowerCase());
    assert.equal(redact(`?key=${lower}&a=1`, KEY), '?key=[key]&a=1');
    assert.equal(redact(JSON.stringify({ a: 'k"\\y-secret' }), 'k"\\y-secret'), '{"a":"[key]"}');
    assert.equal(redact('"raw":"ab/cd/secret"'.replaceAll('/', '\\/'), 'ab/cd/secret'), '"raw":"[key]"', 'with slashes as PHP writes them');
  });

  it('replaces its Base64 forms, whatever stands around it', () => {
    for (const before of ['', ':', 'u:', 'user:']) {
      for (const after of ['', '!', '!!']) {
        for (const encoding of ['base64', 'base64url'] as const) {
          const encoded = Buffer.from(`${before}${KEY}${after}`).toString(encoding);
          const cleaned = redact(`Basic ${encoded}`, KEY);
          assert.match(cleaned, /\[key\]/, `${before} ${after} ${encoding}`);
          const rest = cleaned.replace('Basic ', '').replace('[key]', '');
          assert.ok(rest.length <= before.length * 1.4 + after.length * 1.4 + 8, `too much is left: ${cleaned}`);
        }
      }
    }
  });

  it('replaces echoes that are masked or cut', () => {
    for (const echo of [
      'kk-t***Yz0',
      'kk-t****************',
      'kk-te...xYz0',
      'kk-test-Q7…',
      'kk-test-Q7+w',
      'kk-t•••',
      '********xYz0',
      '...xYz0',
      'kk-tXXXXXXXX',
    ]) {
      assert.equal(
        redact(`Incorrect API key provided: ${echo}. Find yours at x.`, KEY),
        'Incorrect API key provided: [key]. Find yours at x.',
        echo,
      );
    }
    assert.equal(redact('the-k***key', 'the-key'), '[key]');
  });

  it('replaces words that hold a longer part of it', () => {
    const key = 'abcdefghijklmnopqrst';
    for (const part of [key.slice(1, 9), `a=${key.slice(7, 16)}`, key.slice(4), `x${key.slice(-8)}y`]) {
      assert.equal(redact(`not ${part} here`, key), 'not [key] here', part);
    }
    assert.equal(redact(`not ${key.slice(1, 8)} here`, key), `not ${key.slice(1, 8)} here`);
  });

  it('replaces it in another case', () => {
    assert.equal(redact(`a ${KEY.toUpperCase()} b ${KEY.toLowerCase()}`, KEY), 'a [key] b [key]');
    assert.equal(redact('KK-T***YZ0, KK-TEST-Q7 and TEST-Q7+W/Z', KEY), '[key], [key] and [key]', 'and in echoes and parts');
  });

  it('replaces it as HTML, as JSON and as bytes', () => {
    const units = Array.from(KEY, (unit) => unit.charCodeAt(0));
    for (const form of [
      units.map((unit) => `&#${String(unit)};`).join(''),
      units.map((unit) => `&#x${unit.toString(16)};`).join(''),
      units.map((unit) => `&#X${unit.toString(16).toUpperCase()};`).join(''),
      units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join(''),
      units.map((unit) => `\\x${unit.toString(16)}`).join(''),
      Buffer.from(KEY).toString('hex'),
      Buffer.from(KEY).toString('hex').toUpperCase(),
    ]) {
      assert.equal(redact(`<p>Key: ${form}.</p>`, KEY), '<p>Key: [key].</p>', form);
    }
    assert.equal(redact('key=a&amp;b&lt;c&quot;d', 'a&b<c"d'), 'key=[key]');
  });

  it('replaces it where a line break divides it, anywhere, and keeps the lines around', () => {
    for (const lineBreak of ['\n', '\r\n', '\n   ', '\\n']) {
      for (let cut = 1; cut < KEY.length; cut += 1) {
        const text = `first\n${KEY.slice(0, cut)}${lineBreak}${KEY.slice(cut)}\nlast`;
        assert.equal(redact(text, KEY), 'first\n[key]\nlast', JSON.stringify(text));
      }
    }
  });

  it('replaces its end alone, unless that may be a word', () => {
    assert.equal(
      redact('The key ending in xYz0 is not valid, nor is (xYz0 or 9(xYz0.', KEY),
      'The key ending in [key] is not valid, nor is ([key] or 9([key].',
    );
    assert.equal(redact('some text about walks', 'kk-anything-text'), 'some text about walks');
    assert.equal(redact('Yz0 and axYz0', KEY), 'Yz0 and axYz0');
  });

  it('leaves words that only begin like it', () => {
    assert.equal(redact('kk-t is a type, and so is kk-two', KEY), 'kk-t is a type, and so is kk-two');
    assert.equal(redact('anti kk-test-Q', 'anti-7777777'), 'anti kk-test-Q');
  });

  it('does not destroy a text for a key that is short, empty or missing', () => {
    assert.equal(redact('an apple a day', 'a'), 'an apple [key] day');
    assert.equal(redact('abc xabc abc1 (abc)', 'abc'), '[key] xabc abc1 ([key])');
    for (const key of ['', '  ', null]) {
      assert.equal(redact('an apple', key), 'an apple');
    }
  });

  it('takes the spaces around a pasted key for none of it', () => {
    assert.equal(redact('it is the-key', ' the-key\n'), 'it is [key]');
  });

  it('takes no longer for a text that is made to be slow', () => {
    for (const part of ['x', 'the-', '*', 'xxxx the-', '-key']) {
      const text = part.repeat(300_000 / part.length);
      assert.doesNotMatch(redact(text, 'the-key'), /the-key/, part);
    }
  });

  it('leaves no key, whatever it is', () => {
    forAll(
      fc.string({ minLength: 4 }).filter((key) => key.trim().length >= 4),
      fc.string(),
      fc.string(),
      (key, before, after) => {
        const secret = key.trim();
        fc.pre(!'[key]'.includes(secret));
        // The replacement may build the key again only together with its context.
        fc.pre(!`${before}[key]${after}`.includes(secret));
        assert.ok(!redact(`${before}${secret}${after}`, key).includes(secret));
      },
    );
  });

  it('leaves texts without the key as they are', () => {
    forAll(fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '.', '*', 'é') }), (text) => {
      assert.equal(redact(text, 'XYZW1234'), text);
    });
  });
});

describe('causes without the key', () => {
  it('keep their names and their order', () => {
    const cause = new TypeError('fetch the-key', { cause: new Error('inner the-key', { cause: 'text the-key' }) });
    const cleaned = redactedCause(cause, 'the-key') as Error;
    assert.deepEqual([cleaned.name, cleaned.message], ['TypeError', 'fetch [key]']);
    assert.equal((cleaned.cause as Error).message, 'inner [key]');
    assert.equal((cleaned.cause as Error).cause, 'text [key]');
  });

  it('keep all errors of several attempts', () => {
    const cleaned = redactedCause(new AggregateError([new Error('the-key 1'), 'the-key 2'], 'all'), 'the-key');
    assert.ok(cleaned instanceof AggregateError);
    const texts = cleaned.errors.map((part: unknown) => (part instanceof Error ? part.message : part));
    assert.deepEqual(texts, ['[key] 1', '[key] 2']);
  });

  it('may go round in a circle', () => {
    const first = new Error('the-key');
    first.cause = new Error('second', { cause: first });
    const cleaned = redactedCause(first, 'the-key') as Error;
    assert.equal((cleaned.cause as Error).cause, cleaned);
  });

  it('are the same when no key is in them', () => {
    const cause = new Error('clean', { cause: new Error('too') });
    assert.equal(redactedCause(cause, 'the-key'), cause);
    assert.equal(redactedCause(cause, null), cause);
  });
});
