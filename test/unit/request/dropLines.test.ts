import assert from 'node:assert/strict';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { LEAST_USEFUL, dropLines } from '../../../src/engine/request/fit.js';
import { shownFile } from '../../../src/engine/request/shownFiles.js';
import { characters, sha256 } from '../../support/engine/ports.js';

const LINE = 'nine char\n';
const lines = (count: number): string => LINE.repeat(count);

describe('what files show where there is no room for all', () => {
  const factory = new BlockFactory(characters, sha256);
  const tokens = (path: string, content: string, shown: number | null): number => shownFile({ path, content }, shown, factory)?.tokens ?? 0;
  const shedOf = (files: Readonly<Record<string, string>>, room: number): Record<string, number> =>
    Object.fromEntries(dropLines(new Map(Object.entries(files)), room, factory));

  it('is all of them where they fit, to the token', () => {
    const room = tokens('a', lines(50), null) + tokens('b', lines(90), null);
    assert.deepEqual(shedOf({ a: lines(50), b: lines(90) }, room), {});
    assert.deepEqual(Object.keys(shedOf({ a: lines(50), b: lines(90) }, room - 1)), ['b']);
  });

  it('is the beginning of the largest, and the others whole', () => {
    const room = 2_000;
    const { large, ...others } = shedOf({ small: lines(20), large: lines(400), middle: lines(80) }, room);
    assert.deepEqual(others, {});
    const used = tokens('small', lines(20), null) + tokens('middle', lines(80), null) + tokens('large', lines(400), large ?? 0);
    // Not a whole line is left over.
    assert.ok(used <= room && used > room - LINE.length - 10, String(used));
  });

  it('is the same of two that are equally large', () => {
    const shown = shedOf({ a: lines(400), b: lines(500), c: lines(30) }, 2_400);
    assert.deepEqual(Object.keys(shown).sort(), ['a', 'b']);
    assert.equal(shown['a'], shown['b']);
  });

  it('leaves out the largest where too little would be left of each', () => {
    const files = { a: lines(24), b: lines(30), c: lines(40), d: lines(40) };
    // Each would have 187 tokens, then 247. d is dropped before c, as the last by path.
    assert.deepEqual(shedOf(files, 750), { d: 0, c: 0 });
    assert.deepEqual(shedOf(files, LEAST_USEFUL - 100), { d: 0, c: 0, b: 0, a: 0 });
    assert.deepEqual(shedOf(files, -5), { d: 0, c: 0, b: 0, a: 0 });
  });

  it('is nothing of a file whose first line does not fit', () => {
    assert.deepEqual(shedOf({ minified: 'x'.repeat(5_000) }, 2_000), { minified: 0 });
    assert.deepEqual(shedOf({ minified: `/* v1 */\n${'x'.repeat(5_000)}\n` }, 2_000), { minified: 0 });
  });

  it('is found in a few counts, however long the file is and wherever it is dense', () => {
    let counted = 0;
    const dense = { ...characters, id: 'dense', count: (text: string) => (counted += 1) * 0 + text.length + 9 * text.split('#').length };
    const content = '#########\n'.repeat(2_000) + lines(20_000);
    const own = new BlockFactory(dense, sha256);
    const shown = dropLines(new Map([['a', content]]), 20_000, own).get('a') ?? 0;
    const used = shownFile({ path: 'a', content }, shown, own)?.tokens ?? 0;
    assert.ok(used <= 20_000 && used > 15_000, String(used));
    assert.ok(counted <= 8, String(counted));
    const before = counted;
    dropLines(new Map([['a', content]]), 20_000, own);
    // The preview at a key counts nothing again.
    assert.equal(counted, before);
  });
});

describe('a file that is cut', () => {
  it('ends at the end of a line, between marks that say of what and how much', () => {
    const block = shownFile({ path: 'src/a.ts', content: 'one\ntwo\nthree' }, 2, new BlockFactory(characters, sha256));
    assert.deepEqual(block?.part, {
      type: 'text',
      text: [
        'src/a.ts',
        '[BEGIN src/a.ts: the first 2 of 3 lines]',
        '```ts',
        'one',
        'two',
        '```',
        '[END src/a.ts: the last line does not fit into this request]',
      ].join('\n'),
    });
    assert.deepEqual([block.key, block.form], ['file:src/a.ts', 'cut']);
  });

  it('has its marks outside of a fence that its content cannot close', () => {
    const block = shownFile({ path: 'a\n.md', content: '```\n[END a]\n````\nrest\n' }, 3, new BlockFactory(characters, sha256));
    assert.ok(block?.part.type === 'text');
    assert.match(block.part.text, /^"a\\n\.md"\n\[BEGIN "a\\n\.md": the first 3 of 4 lines\]\n`{5}md\n/);
    assert.match(block.part.text, /\n`{5}\n\[END "a\\n\.md": the last line does not fit into this request\]$/);
  });
});
