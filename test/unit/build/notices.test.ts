import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import { writeNotices } from '../../../build/notices.mjs';
import { useTemporaryFolder } from '../files/temporaryFolder.js';

describe('The third-party notices', () => {
  const folder = useTemporaryFolder();

  function install(path: string, manifest: { name: string; version: string; license: unknown }, text: string | null): void {
    folder.write(`node_modules/${path}/package.json`, JSON.stringify(manifest));
    if (text !== null) folder.write(`node_modules/${path}/LICENSE.md`, text);
  }

  async function notices(bundled: readonly string[], alsoPacked: readonly string[]): Promise<string> {
    const inputs = Object.fromEntries(bundled.map((path) => [path, { bytesInOutput: 1 }]));
    const metafile: Metafile = { inputs: {}, outputs: { 'a.js': { bytes: 1, inputs, imports: [], exports: [] } } };
    const file = folder.at('notices.txt');
    await writeNotices({ root: folder.path, metafiles: [metafile], alsoPacked, file });
    return readFileSync(file, 'utf8');
  }

  it('name each package that is in the bundles or packed beside them, once, with the text of its licence', async () => {
    install('@a/b', { name: '@a/b', version: '1.0.0', license: '(MPL-2.0 OR Apache-2.0)' }, 'Text of b\n');
    install('@a/b/node_modules/c', { name: 'c', version: '2.0.0', license: 'MIT' }, '\uFEFFText of c');
    install('d', { name: 'd', version: '3.0.0', license: 'MIT' }, 'Text of d');
    install('not-bundled', { name: 'not-bundled', version: '4.0.0', license: 'Nobody knows' }, null);
    const text = await notices(
      ['src/a.ts', 'node_modules/@a/b/lib/x.js', 'node_modules/@a/b/lib/y.js', 'node_modules/@a/b/node_modules/c/c.js'],
      ['d'],
    );
    const rule = '='.repeat(80);
    const sections = text.split(`${rule}\n`).slice(1);
    assert.deepEqual(sections, [
      '@a/b 1.0.0\nLicence: (MPL-2.0 OR Apache-2.0)\n',
      '\nText of b\n\n',
      'c 2.0.0\nLicence: MIT\n',
      '\nText of c\n\n',
      'd 3.0.0\nLicence: MIT\n',
      '\nText of d\n',
    ]);
  });

  it('fail the build where a licence is not allowed, or has no text', async () => {
    install('copyleft', { name: 'copyleft', version: '1.0.0', license: 'GPL-3.0-only' }, 'Text');
    install('none', { name: 'none', version: '1.0.0', license: undefined }, 'Text');
    install('silent', { name: 'silent', version: '1.0.0', license: 'MIT' }, null);
    await assert.rejects(notices(['node_modules/copyleft/a.js'], []), /copyleft 1\.0\.0 has the licence GPL-3\.0-only/);
    await assert.rejects(notices(['node_modules/none/a.js'], []), /none 1\.0\.0 has the licence undefined/);
    await assert.rejects(notices(['node_modules/silent/a.js'], []), /silent has no text of its licence/);
  });

  it('take a text from the repository only for packages that bring none', async () => {
    install('js-tiktoken', { name: 'js-tiktoken', version: '1.0.0', license: 'MIT' }, null);
    assert.match(await notices([], ['js-tiktoken']), /Permission is hereby granted/);
    install('js-tiktoken', { name: 'js-tiktoken', version: '1.0.0', license: 'MIT' }, 'Own text');
    await assert.rejects(notices([], ['js-tiktoken']), /js-tiktoken has the text of its licence now/);
  });

  it('add the authors of the grammars to the text of their package', async () => {
    const name = '@vscode/tree-sitter-wasm';
    install(name, { name, version: '1.0.0', license: 'MIT' }, 'Own text');
    assert.match(await notices([], [name]), /Own text\n\nThe grammars in this package[^]*tree-sitter-go: Copyright/);
  });
});
