import assert from 'node:assert/strict';
import { DEEPEST_JSON, parseForeignJson } from '../../../src/engine/json.js';
import { readApart } from '../../../src/tools/mcp/transport/stdioTransport.js';

describe('a line that another thread reads', () => {
  const long = 'Low water at 10:25. '.repeat(10_000);
  const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text));
  const nested = (depth: number): string => `${'['.repeat(depth)}"${long}"${']'.repeat(depth)}`;

  for (const [what, text] of [
    [
      'an object with long strings at many places',
      JSON.stringify({ a: [long, 'short', { b: long }], c: { '': long }, d: [1, null, true] }),
    ],
    ['a long string alone', JSON.stringify(long)],
    ['a number', '12'],
    ['keys that every object has', `{"__proto__":{"x":"${long}"},"constructor":"${long}","toString":{"__proto__":"${long}"}}`],
    ['characters of several bytes', JSON.stringify([`${'潮汐'.repeat(50_000)}\u{1F30A}\uD800`])],
    ['the deepest value', nested(DEEPEST_JSON)],
    ['a value that is nested too deeply', nested(DEEPEST_JSON + 1)],
    ['no JSON', `{"a":"${long}"`],
    ['a byte order mark', `\uFEFF"${long}"`],
    ['nothing', ''],
  ] as const) {
    it(`is read as here: ${what}`, async () => {
      assert.deepEqual(await readApart(bytesOf(text)), parseForeignJson(Buffer.from(text).toString('utf8')));
    });
  }

  it('gives no object another prototype', async () => {
    const value = (await readApart(bytesOf(`{"__proto__":{"x":"${long}"}}`))) as object;
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.deepEqual(Object.keys(value), ['__proto__']);
    assert.equal(({} as { x?: string }).x, undefined);
  });
});
