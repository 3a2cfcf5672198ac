import assert from 'node:assert/strict';
import { fileLinks, type FileLinks } from '../../../src/engine/repository/fileLinks.js';
import { referenceGraph } from '../../../src/engine/repository/referenceGraph.js';
import type { FileSymbols } from '../../../src/engine/repository/symbols.js';
import { NO_PAUSE } from '../../support/engine/ports.js';

/** The links of files, each given as its definition and the definitions that it uses. */
async function linksOf(files: Readonly<Record<string, readonly [string, ...string[]]>>): Promise<FileLinks> {
  const symbols = Object.entries(files).map(([path, [name, ...used]]): [string, FileSymbols] => [
    path,
    {
      definitions: [{ name, kind: 'function', line: 1, signature: name, container: null, isLocal: false }],
      references: new Map(used.map((each) => [each, 1])),
      words: '',
    },
  ]);
  return fileLinks(await referenceGraph(new Map(symbols), NO_PAUSE), new Set([...Object.keys(files), 'README.md']));
}

const groups = (links: FileLinks): Record<string, string | null> =>
  Object.fromEntries([...links].map(([path, { group }]) => [path, group]));

describe('the links of a file', () => {
  it('count the files that use it, each once', async () => {
    const links = await linksOf({ a: ['sail'], b: ['dock', 'sail'], c: ['moor', 'sail', 'dock'] });
    assert.deepEqual(
      [...links].map(([path, { users }]) => [path, users]),
      [
        ['a', 2],
        ['b', 1],
        ['c', 0],
      ],
    );
  });

  it('group files that use each other, also through a third file', async () => {
    const links = await linksOf({ a: ['sail', 'dock'], b: ['dock', 'sail', 'moor'], c: ['moor', 'dock'], d: ['steer', 'sail'] });
    assert.deepEqual(groups(links), { a: 'a', b: 'a', c: 'a', d: null });
  });

  it('do not group a file that only uses others, or is only used', async () => {
    assert.deepEqual(groups(await linksOf({ a: ['sail'], b: ['dock', 'sail'] })), { a: null, b: null });
  });

  it('are unknown for a file without symbols', async () => {
    assert.equal((await linksOf({ a: ['sail'] })).has('README.md'), false);
  });
});
