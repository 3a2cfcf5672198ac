import assert from 'node:assert/strict';
import type { FileRead } from '../../../src/engine/context/fileContents.js';
import { RecentTexts } from '../../../src/host/tools/resources/serverResources.js';

const text = (content: string): FileRead => ({ ok: true, content, bytes: content.length });

describe('the texts of resources in memory', () => {
  it('are forgotten when there are too many, those first that nobody asked for', () => {
    const texts = new RecentTexts(10);
    texts.set('a', text('1234'));
    texts.set('b', text('1234'));
    assert.deepEqual(texts.get('a'), text('1234'));
    texts.set('c', text('1234'));
    const areKept = ['a', 'b', 'c'].map((key) => texts.get(key) !== null);
    assert.deepEqual(areKept, [true, false, true]);
  });

  it('count once for a resource that is read again, and the newest stays whatever its size', () => {
    const texts = new RecentTexts(10);
    texts.set('a', text('1234'));
    texts.set('b', text('1234'));
    texts.set('b', text('123456'));
    assert.deepEqual([texts.get('a')?.ok, texts.get('b')], [true, text('123456')]);
    texts.set('c', text('x'.repeat(20)));
    assert.deepEqual([texts.get('a'), texts.get('b'), texts.get('c')?.ok], [null, null, true]);
  });
});
