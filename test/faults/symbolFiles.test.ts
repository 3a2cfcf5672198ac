import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScannedFile } from '../../src/engine/repository/symbols.js';
import { namesIn, ScanFolder } from '../support/symbols/scanFolder.js';

const SOURCE = 'export function tide(): void {}\n';

describe('a scan for symbols', () => {
  let scans: ScanFolder;
  before(async () => {
    scans = await ScanFolder.create();
  });
  afterEach(() => {
    scans.endThreads();
    scans.logged.length = 0;
  });
  after(() => scans.remove());

  it('names large, generated and binary files', async () => {
    const found = await scans.scanNew({
      'large.ts': SOURCE.repeat(700_000),
      'minified.js': `${'var a=1;'.repeat(1_000)}\n`,
      'data.ts': `const DATA = '${'x'.repeat(3_000)}';\n${SOURCE.repeat(1_000)}`,
      'binary.py': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]),
      'empty.go': '',
      'notes.md': SOURCE,
    });
    const problems = [...found.values()].map(({ path, problem, hash }) => [path, problem, hash !== null]);
    assert.deepEqual(problems, [
      ['large.ts', 'tooLarge', false],
      ['minified.js', 'generated', true],
      ['data.ts', null, true],
      ['binary.py', 'unreadable', true],
      ['empty.go', null, true],
      ['notes.md', null, false],
    ]);
    assert.equal(found.get('large.ts')?.size, SOURCE.length * 700_000);
    assert.deepEqual(found.get('empty.go')?.symbols, { definitions: [], references: new Map(), words: '' });
    assert.equal(found.get('notes.md')?.symbols, null);
  });

  it('keeps what it finds in files of another language or encoding', async () => {
    const found = await scans.scanNew({
      'python.ts': 'class Tide:\n    def read(self):\n        return 1\n\nfunction found() {}\n',
      'prose.java': 'High water is at noon. '.repeat(100),
      'latin1.ts': Buffer.concat([Buffer.from('// caf'), Buffer.from([0xe9, 0xff, 0xc0]), Buffer.from(`\n${SOURCE}`)]),
      'bom.ts': `\ufeff${SOURCE}`,
      'crlf.ts': 'class A {\r\n  b(\r\n    c: D,\r\n  ): void {}\r\n}\r\n',
    });
    assert.deepEqual(
      [...found.values()].map(({ problem }) => problem),
      [null, null, null, null, null],
    );
    assert.ok(namesIn(found.get('python.ts'))?.includes('found') === true);
    assert.deepEqual(namesIn(found.get('latin1.ts')), ['tide']);
    assert.deepEqual(namesIn(found.get('bom.ts')), ['tide']);
    assert.equal(found.get('crlf.ts')?.symbols?.definitions[1]?.signature, 'b(c: D): void');
  });

  it('reads deep nesting', async () => {
    const found = await scans.scanNew({
      'brackets.ts': `const deep = ${'[\n'.repeat(50_000)}${']\n'.repeat(50_000)};\n${SOURCE}`,
      'classes.py': `${Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}class C${String(depth)}:`).join('\n')}\n${' '.repeat(500)}pass\n`,
    });
    assert.deepEqual(namesIn(found.get('brackets.ts')), ['deep', 'tide']);
    assert.deepEqual(found.get('classes.py')?.symbols?.definitions.at(-1)?.container, 'C498');
  });

  it('names files that are missing or no files, and links that lead out', async () => {
    await scans.write({ 'inside.ts': SOURCE, 'folder.ts/x.txt': '' });
    await writeFile(join(scans.folder, 'outside.ts'), SOURCE);
    const paths = ['gone.ts', 'folder.ts', 'inside.ts/x.ts', '../outside.ts', 'nul\0.ts', 'inside.ts'];
    if (process.platform !== 'win32') {
      await mkdir(join(scans.root, 'circle'));
      await symlink('../circle', join(scans.root, 'circle/again'));
      await symlink('loop.ts', join(scans.root, 'loop.ts'));
      await symlink('../outside.ts', join(scans.root, 'link.ts'));
      await symlink('inside.ts', join(scans.root, 'alias.ts'));
      await scans.write({ 'circle/real.ts': SOURCE });
      execFileSync('mkfifo', [join(scans.root, 'pipe.ts')]);
      paths.push('loop.ts', 'link.ts', 'pipe.ts', 'alias.ts', 'circle/again/again/real.ts');
    }
    const found = await scans.scan(scans.scanner({}), paths, new Map());
    const read = ['inside.ts', 'alias.ts', 'circle/again/again/real.ts'];
    for (const path of paths) {
      assert.deepEqual(namesIn(found.get(path)), read.includes(path) ? ['tide'] : 'unreadable', path);
    }
    assert.deepEqual(found.get('gone.ts'), { path: 'gone.ts', size: 0, mtimeMs: 0, hash: null, symbols: null, problem: 'unreadable' });
  });

  it('parses a file again only when its content has changed', async () => {
    const scanner = scans.scanner({});
    const paths = await scans.write({ 'same.ts': SOURCE, 'touched.ts': SOURCE, 'changed.ts': SOURCE, 'gone2.ts': SOURCE });
    const first = await scans.scan(scanner, paths, new Map());
    await utimes(join(scans.root, 'touched.ts'), 1, 1);
    await writeFile(join(scans.root, 'changed.ts'), 'class Changed {}');
    await unlink(join(scans.root, 'gone2.ts'));
    const second = await scans.scan(scanner, paths, first);
    assert.equal(second.get('same.ts')?.symbols, first.get('same.ts')?.symbols);
    assert.equal(second.get('touched.ts')?.symbols, first.get('touched.ts')?.symbols);
    assert.equal(second.get('touched.ts')?.mtimeMs, 1_000);
    assert.deepEqual(namesIn(second.get('changed.ts')), ['Changed']);
    assert.equal(namesIn(second.get('gone2.ts')), 'unreadable');
    await scans.write({ 'gone2.ts': SOURCE });
    assert.deepEqual(namesIn((await scans.scan(scanner, ['gone2.ts'], second)).get('gone2.ts')), ['tide']);
  });

  it('returns each file of many, in messages of limited size', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, file) => [
        `many/${String(file)}.ts`,
        Array.from({ length: file % 10 === 0 ? 3_000 : 3 }, (_, at) => `type T${String(file)}_${String(at)} = 1;`).join('\n'),
      ]),
    );
    const done: number[] = [];
    const files = await scans.write(many);
    const found = await scans.scanner({}).scan({
      root: scans.root,
      files: [...files, ...files],
      known: new Map(),
      signal: new AbortController().signal,
      progress: (count, total) => {
        assert.equal(total, 100);
        done.push(count);
      },
    });
    assert.deepEqual([...found.keys()], files);
    assert.deepEqual(
      [...found.values()].map(({ symbols }) => symbols?.definitions.length),
      files.map((_, file) => (file % 10 === 0 ? 3_000 : 3)),
    );
    assert.ok(done.length > 5 && done.at(-1) === 100);
  });

  describe('with symbols on disk', () => {
    const FILES = { 'stored/a.ts': SOURCE, 'stored/b.py': 'class B:\n    def __init__(self): base()\n', 'stored/c.go': 'package c\n' };

    /** Scans with a new thread. Without grammars, a file that must be parsed is `crashed`. */
    const scanWithoutGrammars = (paths: readonly string[]): Promise<ReadonlyMap<string, ScannedFile>> =>
      scans.scan(scans.scanner({ grammars: join(scans.folder, 'nothing') }), paths, new Map());

    it('parses nothing in a new window', async () => {
      const first = await scans.scanNew(FILES);
      assert.deepEqual(await scanWithoutGrammars(Object.keys(FILES)), first);
      const [again] = (await scanWithoutGrammars(await scans.write({ 'moved.ts': SOURCE }))).values();
      assert.deepEqual(again?.symbols, first.get('stored/a.ts')?.symbols);
    });

    it('parses again what is damaged, and logs it', async () => {
      const first = await scans.scanNew(FILES);
      const stored = await readFile(scans.cache, 'latin1');
      await writeFile(scans.cache, `no line\n${stored.replaceAll('class B', 'class X')}unfinished`, 'latin1');
      const second = await scans.scan(scans.scanner({}), Object.keys(FILES), new Map());
      assert.deepEqual(second, first);
      assert.match(scans.logged.join(), /Damaged lines of the symbol cache \(their files were parsed again\): 3\./);
      assert.deepEqual(await scanWithoutGrammars(Object.keys(FILES)), first);
    });

    it('goes on without them when they cannot be written', async () => {
      const scanner = scans.scanner({ cache: scans.root });
      const found = await scans.scan(scanner, await scans.write({ 'x.ts': SOURCE, 'y.ts': `${SOURCE}//` }), new Map());
      assert.deepEqual([...found.values()].map(namesIn), [['tide'], ['tide']]);
      assert.match(scans.logged.join('\n'), /could not be read: EISDIR.*\n.*could not be written: EISDIR/);
    });
  });
});
