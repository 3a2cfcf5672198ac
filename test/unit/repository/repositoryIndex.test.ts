import assert from 'node:assert/strict';
import { stemmer } from 'stemmer';
import { fileWords } from '../../../src/engine/repository/fileWords.js';
import { RepositoryIndex, type MapSubject } from '../../../src/engine/repository/repositoryIndex.js';
import type { FileSymbols, SymbolDefinition } from '../../../src/engine/repository/symbols.js';
import { characters, NO_PAUSE } from '../../support/engine/ports.js';

function definition(name: string, change: Partial<SymbolDefinition>): SymbolDefinition {
  return { name, kind: 'function', line: 1, signature: `function ${name}()`, container: null, isLocal: false, ...change };
}

function file(definitions: readonly (string | SymbolDefinition)[], references: Readonly<Record<string, number>>): FileSymbols {
  return {
    definitions: definitions.map((each) => (typeof each === 'string' ? definition(each, {}) : each)),
    references: new Map(Object.entries(references)),
    words: '',
  };
}

/** `parseTide` is used by two files, `formatMoon` by none. */
const FILES: Readonly<Record<string, FileSymbols>> = {
  'src/tides/parse.ts': file(['parseTide', 'splitLine'], {}),
  'src/moon/format.ts': file(['formatMoon'], {}),
  'src/harbour.ts': file(['openHarbour'], { parseTide: 4 }),
  'src/ferry.ts': file(['startFerry'], { parseTide: 1, openHarbour: 1 }),
};

const SUBJECT: MapSubject = { message: '', files: new Set(), without: [], most: 1_000, counter: characters };

function indexOf(files: Readonly<Record<string, FileSymbols | null>>): RepositoryIndex {
  const index = new RepositoryIndex(stemmer);
  for (const [path, symbols] of Object.entries(files)) {
    index.put({ path, symbols });
  }
  return index;
}

async function mapText(index: RepositoryIndex, change: Partial<MapSubject>): Promise<string> {
  return (await index.map({ ...SUBJECT, ...change }, NO_PAUSE)).map(({ text }) => text).join('\n\n');
}

describe('the definitions of a workspace', () => {
  it('are grouped by folder and file, the folder of the most used file first', async () => {
    assert.equal(
      await mapText(indexOf(FILES), {}),
      [
        'src/tides/\n  parse.ts\n    function parseTide()\n    function splitLine()',
        'src/\n  harbour.ts\n    function openHarbour()\n  ferry.ts\n    function startFerry()',
        'src/moon/\n  format.ts\n    function formatMoon()',
      ].join('\n\n'),
    );
  });

  it('keep the most used ones when there is little room', async () => {
    assert.equal(await mapText(indexOf(FILES), { most: 60 }), 'src/tides/\n  parse.ts\n    function parseTide()');
    assert.equal(await mapText(indexOf(FILES), { most: 10 }), '');
  });

  it('have at most the given tokens, with any room', async () => {
    for (let most = 0; most < 300; most += 7) {
      const text = await mapText(indexOf(FILES), { most });
      assert.ok(text.length <= most, `${String(most)}: ${text}`);
    }
  });

  it('begin with the files that match the message', async () => {
    const [first] = (await mapText(indexOf(FILES), { message: 'How do you format the moon?' })).split('\n');
    assert.equal(first, 'src/moon/');
  });

  it('begin with the file whose words match the message, with a test of it later', async () => {
    const words = fileWords('// Waits before the ferry departs again.', stemmer);
    const index = indexOf({ ...FILES, 'lib/a.ts': { ...file(['a'], {}), words }, 'b.test.ts': { ...file(['b'], {}), words } });
    const lines = (await mapText(index, { message: 'Why does the departure wait?' })).split('\n');
    assert.deepEqual([lines[0], lines[1]], ['lib/', '  a.ts']);
    assert.ok(lines.includes('  b.test.ts'), lines.join('\n'));
  });

  it('show the first definitions of a matching file with many, next to other matches', async () => {
    const many = Array.from({ length: 200 }, (_, at) => `made${String(at)}`);
    const text = await mapText(indexOf({ ...FILES, 'big/anchor.ts': file(many, {}) }), {
      message: 'anchor, anchors and the moon',
      most: 250,
    });
    assert.ok(text.includes('anchor.ts\n    function made0()\n    function made1()'), text);
    assert.ok(text.includes('formatMoon') && !text.includes('made199'), text);
  });

  it('prefer what the files of the chat use, and omit these files', async () => {
    const text = await mapText(indexOf(FILES), { files: new Set(['src/ferry.ts']), most: 120 });
    assert.ok(text.includes('parseTide') && text.includes('openHarbour'), text);
    assert.ok(!text.includes('startFerry'), text);
  });

  it('omit the folders without map', async () => {
    const text = await mapText(indexOf(FILES), { without: ['src/tides/'] });
    assert.ok(!text.includes('parseTide') && text.includes('openHarbour'), text);
  });

  it('show a member below its class, also if only the member is used', async () => {
    const harbour = file(
      [
        definition('Harbour', { kind: 'class', signature: 'class Harbour' }),
        definition('dock', { kind: 'method', signature: 'dock(ship)', container: 'Harbour' }),
      ],
      {},
    );
    const text = await mapText(indexOf({ 'a.ts': harbour, 'b.ts': file([], { dock: 3 }) }), { most: 50 });
    assert.equal(text, './\n  a.ts\n    class Harbour\n      dock(ship)');
  });

  it('omit files without symbols', async () => {
    assert.equal(await mapText(indexOf({ 'README.md': null }), {}), '');
  });

  it('change only in the folder of a changed file', async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`lib/${String(at)}/a.ts`, file([`made${String(at)}`], {})]));
    const index = indexOf({ ...FILES, ...many });
    const before = await index.map({ ...SUBJECT, most: 5_000 }, NO_PAUSE);
    const signature = 'function parseTide(line: string)';
    index.put({
      path: 'src/tides/parse.ts',
      symbols: file([definition('parseTide', { signature }), 'splitLine', 'newName'], { made1: 50 }),
    });
    const after = await index.map({ ...SUBJECT, most: 5_000 }, NO_PAUSE);
    const changed = after.filter(({ text }, at) => text !== before[at]?.text);
    assert.deepEqual(
      changed.map(({ text }) => text),
      [`src/tides/\n  parse.ts\n    ${signature}\n    function splitLine()`],
    );
  });

  it('are ranked again after many changes', async () => {
    const index = indexOf(FILES);
    await index.map(SUBJECT, NO_PAUSE);
    index.put({ path: 'src/harbour.ts', symbols: file(['openHarbour'], { formatMoon: 9 }) });
    index.put({ path: 'src/ferry.ts', symbols: file(['startFerry'], { formatMoon: 9 }) });
    assert.ok((await mapText(index, {})).startsWith('src/moon/'));
  });

  it('lose a deleted file', async () => {
    const index = indexOf(FILES);
    index.delete('src/moon/format.ts');
    assert.ok(!(await mapText(index, { message: 'moon' })).includes('moon'));
  });
});
