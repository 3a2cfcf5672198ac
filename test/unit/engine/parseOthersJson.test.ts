import assert from 'node:assert/strict';
import { DEEPEST_JSON, parseForeignJson } from '../../../src/engine/json.js';

const arrays = (levels: number, core: string): string => `${'['.repeat(levels)}${core}${']'.repeat(levels)}`;
const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('JSON that others wrote', () => {
  it('is read to the deepest level that can be written again', () => {
    for (const text of [arrays(DEEPEST_JSON, ''), objects(DEEPEST_JSON), arrays(DEEPEST_JSON, '"[[[{{{"')]) {
      assert.equal(JSON.stringify(parseForeignJson(text)), text);
    }
  });

  it('is not read below that level, however deep it is', () => {
    for (const levels of [DEEPEST_JSON + 1, 50_000]) {
      assert.equal(parseForeignJson(arrays(levels, '')), undefined);
      assert.equal(parseForeignJson(objects(levels)), undefined);
    }
  });

  it('may have brackets in its texts, also behind escapes, and many values on one level', () => {
    const brackets = ['[', '{', '\\', '"', '\\"['].join('').repeat(DEEPEST_JSON);
    for (const value of [brackets, Array.from({ length: 4 * DEEPEST_JSON }, () => [brackets]), { [brackets]: brackets }]) {
      assert.deepEqual(parseForeignJson(JSON.stringify(value)), value);
    }
  });

  it('is undefined where it is no JSON', () => {
    for (const text of ['', '{', '['.repeat(2 * DEEPEST_JSON), `"${'x'.repeat(2 * DEEPEST_JSON)}`, 'undefined']) {
      assert.equal(parseForeignJson(text), undefined);
    }
  });
});
