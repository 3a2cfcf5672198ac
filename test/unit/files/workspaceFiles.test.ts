import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { LoupeError } from '../../../src/engine/errors.js';
import type { FolderFiles } from '../../../src/host/context/files/folderListing.js';
import { WorkspaceFiles } from '../../../src/host/context/files/workspaceFiles.js';
import { useTemporaryFolder } from './temporaryFolder.js';
import { UTF8_EDITOR } from '../../support/utf8Editor.js';

describe('WorkspaceFiles', () => {
  const folder = useTemporaryFolder();
  const other = useTemporaryFolder();
  const { signal } = new AbortController();

  describe('reading', () => {
    it('gives content and size in bytes', async () => {
      folder.write('src/é.ts', 'é\n');
      const files = new WorkspaceFiles([folder.path], UTF8_EDITOR);
      assert.deepEqual(await files.read('./src\\é.ts'), { ok: true, content: 'é\n', bytes: 3 });
    });

    it('tells an empty file from a missing one', async () => {
      folder.write('empty.ts', '');
      assert.deepEqual(await new WorkspaceFiles([folder.path], UTF8_EDITOR).read('empty.ts'), { ok: true, content: '', bytes: 0 });
    });

    it('finds a file by its name in any Unicode form', async () => {
      const [nfc, nfd] = ['café/é.md', 'café/é.md'.normalize('NFD')];
      folder.write(nfd, 'menu');
      const files = new WorkspaceFiles([folder.path], UTF8_EDITOR);
      for (const name of [nfc, nfd]) {
        assert.deepEqual(await files.read(name), { ok: true, content: 'menu', bytes: 4 });
        assert.equal(await files.diskPath(name), folder.at(nfd));
      }
      folder.write(nfc, 'NFC');
      assert.deepEqual(await files.read(nfd), { ok: true, content: 'menu', bytes: 4 }, 'the same form first');
    });

    it('finds nothing without a workspace folder', async () => {
      const result = await new WorkspaceFiles([], UTF8_EDITOR).read('a.ts');
      assert.ok(!result.ok && result.problem.code === 'missing');
    });
  });

  describe('with several folders', () => {
    it('puts the folder name in front of the path', async () => {
      folder.write('a.ts', 'first');
      other.write('a.ts', 'second');
      const files = new WorkspaceFiles([folder.path, other.path], UTF8_EDITOR);
      const second = await files.read(`${basename(other.path)}/a.ts`);
      assert.ok(second.ok);
      assert.equal(second.content, 'second');
      assert.equal(files.relative(join(other.path, 'a.ts')), `${basename(other.path)}/a.ts`);
      assert.ok(!(await files.read('a.ts')).ok);
    });

    it('numbers folders of the same name', async () => {
      mkdirSync(folder.at('app'));
      mkdirSync(other.at('app'));
      other.write('app/a.ts', 'second');
      const files = new WorkspaceFiles([folder.at('app'), other.at('app')], UTF8_EDITOR);
      assert.equal(files.relative(other.at('app/a.ts')), 'app-2/a.ts');
      const result = await files.read('app-2/a.ts');
      assert.ok(result.ok);
      assert.equal(result.content, 'second');
    });

    it('takes the innermost of nested folders', () => {
      const files = new WorkspaceFiles([folder.path, folder.at('inner')], UTF8_EDITOR);
      assert.equal(files.relative(folder.at('inner/a.ts')), 'inner/a.ts');
    });
  });

  describe('relative', () => {
    it('gives the path inside the workspace', () => {
      const files = new WorkspaceFiles([folder.path], UTF8_EDITOR);
      assert.equal(files.relative(join(folder.path, 'src', 'a.ts')), 'src/a.ts');
      assert.equal(files.relative(folder.path), '');
      assert.equal(files.relative(join(folder.path, '..a')), '..a');
    });

    it('gives null for what is outside', () => {
      const files = new WorkspaceFiles([folder.path], UTF8_EDITOR);
      assert.equal(files.relative(other.path), null);
      assert.equal(files.relative(join(folder.path, '..')), null);
      assert.equal(files.relative(`${folder.path}-other/a.ts`), null);
    });
  });

  describe('listing a folder', () => {
    const list = async (path: string, most: number): Promise<FolderFiles> => {
      const { ok, ...listing } = await new WorkspaceFiles([folder.path], UTF8_EDITOR).listFolder(path, { most, signal });
      assert.ok(ok && 'files' in listing);
      return listing;
    };

    it('gives the files under it in sorted order, folders entered where their name stands', async () => {
      for (const name of ['src/b.ts', 'src/a/z.ts', 'src/a/deep/y.ts', 'src/c.ts', 'other.ts']) {
        folder.write(name, '');
      }
      assert.deepEqual(await list('src', 10), { files: ['src/a/deep/y.ts', 'src/a/z.ts', 'src/b.ts', 'src/c.ts'], next: null, notes: [] });
    });

    it('counts as people do where names have numbers, so that a limit keeps the first of them', async () => {
      for (const number of [100, 10, 2, 1]) {
        folder.write(`src/module-${String(number)}.ts`, '');
      }
      const { files } = await list('src', 3);
      assert.deepEqual(files, ['src/module-1.ts', 'src/module-2.ts', 'src/module-10.ts']);
    });

    it('leaves out .git, node_modules, binary extensions, links, pipes and what is ignored', async () => {
      for (const name of ['.git/config', 'node_modules/p/index.js', 'a.PNG', 'build/out.js', 'a.log', 'kept.ts']) {
        folder.write(name, '');
      }
      folder.write('.gitignore', 'build/\n*.log\n');
      symlinkSync('kept.ts', folder.at('link.ts'));
      execFileSync('mkfifo', [folder.at('pipe')]);
      assert.deepEqual((await list('', 10)).files, ['.gitignore', 'kept.ts']);
    });

    it('applies the .gitignore files of inner folders and of those above', async () => {
      folder.write('.gitignore', '*.log\n/src/generated\n');
      folder.write('src/.gitignore', '!keep.log\n*.tmp\n');
      for (const name of ['src/a.log', 'src/keep.log', 'src/a.tmp', 'src/generated/g.ts', 'src/a.ts']) {
        folder.write(name, '');
      }
      folder.write('a.tmp', '');
      assert.deepEqual((await list('src', 10)).files, ['src/.gitignore', 'src/a.ts', 'src/keep.log']);
      assert.ok((await list('', 20)).files.includes('a.tmp'));
    });

    it('says so when the folder itself is excluded', async () => {
      folder.write('.gitignore', 'build/\n');
      folder.write('build/out.js', '');
      assert.deepEqual(await list('build', 10), { files: [], next: null, notes: ['The folder build/ is excluded by .gitignore.'] });
    });

    it('stops at the most files and says which it left out', async () => {
      for (const name of ['a.ts', 'b.ts', 'c.ts', 'd/e.ts']) {
        folder.write(name, '');
      }
      assert.deepEqual(await list('', 2), { files: ['a.ts', 'b.ts'], next: 'c.ts', notes: [] });
      assert.equal((await list('', 4)).next, null);
    });

    it('says so when the rules of a .gitignore cannot be read', async () => {
      folder.write('.gitignore', new Uint8Array([0xff]));
      folder.write('a.ts', '');
      const { files, notes } = await list('', 10);
      assert.deepEqual(files, ['.gitignore', 'a.ts']);
      assert.match(notes.join(), /did not apply a \.gitignore file: \.gitignore is not valid text in its encoding/);
    });

    it('lists all folders of the workspace under their names, within one limit', async () => {
      for (const root of [folder, other]) {
        root.write('a.ts', '');
        root.write('b.ts', '');
        root.write('.gitignore', 'b.ts\n.gitignore');
      }
      const files = new WorkspaceFiles([folder.path, other.path], UTF8_EDITOR);
      const names = [folder, other].map((root) => `${basename(root.path)}/a.ts`);
      assert.deepEqual(await files.listFolder('', { most: 5, signal }), { ok: true, files: names, next: null, notes: [] });
      const cut = await files.listFolder('', { most: 1, signal });
      assert.ok(cut.ok);
      assert.deepEqual(cut.files, names.slice(0, 1));
      assert.equal(cut.next, names[1]);
    });

    it('leaves out the same files as one that is asked of a single path', async () => {
      folder.write('.gitignore', 'build/\n*.log');
      folder.write('src/.gitignore', '!keep.log');
      const files = new WorkspaceFiles([folder.path], UTF8_EDITOR);
      const paths = ['a.ts', 'build/a.ts', 'src/a.log', 'src/keep.log', 'a/node_modules/b.js', '.git/HEAD', 'gone/b.ts'];
      const leftOut = await Promise.all(paths.map(async (path) => ((await files.isIgnoredPath(path)) ? [path] : [])));
      assert.deepEqual(leftOut.flat(), ['build/a.ts', 'src/a.log', 'a/node_modules/b.js', '.git/HEAD']);
    });

    it('has the files of nested repositories and submodules, by their own ignore files, without the data of git', async () => {
      for (const name of ['.gitignore', 'nested/.gitignore', 'module/.gitignore']) {
        folder.write(name, name === '.gitignore' ? '*.log' : 'made.ts\n!kept.log');
      }
      execFileSync('git', ['init', '-q', folder.at('nested')]);
      folder.write('module/.git', 'gitdir: ../.git/modules/module\n');
      for (const name of ['a.ts', 'nested/b.ts', 'nested/made.ts', 'nested/kept.log', 'module/c.ts', 'module/d.log']) {
        folder.write(name, '');
      }
      const { files } = await list('', 20);
      assert.deepEqual(
        files.filter((name) => !name.endsWith('.gitignore')),
        ['a.ts', 'module/c.ts', 'nested/b.ts', 'nested/kept.log'],
      );
    });

    it('tells a missing folder and a file from a folder', async () => {
      folder.write('a.ts', '');
      const files = new WorkspaceFiles([folder.path], UTF8_EDITOR);
      const gone = await files.listFolder('gone', { most: 5, signal });
      assert.ok(!gone.ok && gone.problem.code === 'missing');
      const file = await files.listFolder('a.ts', { most: 5, signal });
      assert.ok(!file.ok && file.reason === 'a.ts is not a folder.');
    });

    it('stops when it is cancelled', async () => {
      folder.write('a.ts', '');
      const files = new WorkspaceFiles([folder.path], UTF8_EDITOR);
      await assert.rejects(
        files.listFolder('', { most: 5, signal: AbortSignal.abort() }),
        (error) => error instanceof LoupeError && error.kind === 'cancelled',
      );
    });
  });
});
