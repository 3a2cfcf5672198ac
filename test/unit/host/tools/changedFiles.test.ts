import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { MadeEdit } from '../../../../src/engine/chat/calls/toolEdit.js';
import { WorkspaceFiles } from '../../../../src/host/context/files/workspaceFiles.js';
import { ChangedFiles, type FileChangeListener } from '../../../../src/host/tools/changedFiles.js';
import { sha256 } from '../../../../src/host/window/systemPorts.js';
import { useTemporaryFolder } from '../../files/temporaryFolder.js';
import { columns } from '../../../support/columns.js';
import { UTF8_EDITOR } from '../../../support/utf8Editor.js';

describe('the files that change while tools run', () => {
  const folder = useTemporaryFolder();
  let news: FileChangeListener;
  let open: string[];
  let told: string[];
  let isWatching: boolean;
  let files: ChangedFiles;
  beforeEach(() => {
    [open, told, isWatching] = [[], [], true];
    files = new ChangedFiles({
      files: () => new WorkspaceFiles([folder.path], UTF8_EDITOR),
      open: () => open.map((path) => join(folder.path, path)),
      watch: (given) => {
        news = given;
        return {
          dispose: () => {
            isWatching = false;
          },
        };
      },
      sha256,
      logInfo: (text) => told.push(text),
      logError: (error) => assert.fail(error.message),
    });
  });

  const write = (...paths: string[]): void => {
    for (const path of paths) {
      folder.write(path, `new ${path}\n`);
      news.changed(join(folder.path, path));
    }
  };
  const changed = async (): Promise<string[]> => (await files.changes()).map(({ path }) => path);
  const only = async (): Promise<MadeEdit> => {
    const [edit, ...others] = await files.changes();
    assert.equal(others.length, 0);
    return edit ?? assert.fail('Nothing has changed.');
  };

  it('are those of the workspace, but for .git, packages and what is ignored', async () => {
    folder.write('.gitignore', 'out/');
    await files.begin([]);
    write('b.ts', 'src/a.ts', '.git/index', 'node_modules/x/y.js', 'out/a.js', 'b.ts');
    news.changed('/tmp/elsewhere.ts');
    news.changed(join(folder.path, 'src'));
    assert.deepEqual(await changed(), ['b.ts', 'src/a.ts']);
  });

  it('have no earlier copy where nobody had looked at them', async () => {
    await files.begin([]);
    write('a.ts');
    const expected = {
      path: 'a.ts',
      before: null,
      after: sha256('new a.ts\n'),
      added: null,
      removed: null,
      noCopy: 'notKnown',
      earlier: null,
    };
    assert.deepEqual(await only(), expected);
  });

  it('have the earlier copy where they were open, or a tool had written them before', async () => {
    for (const path of ['open.ts', 'written.ts']) {
      folder.write(path, 'old\nold\n');
    }
    open = ['open.ts'];
    await files.begin(['written.ts']);
    write('open.ts', 'written.ts');
    for (const { path, ...edit } of await files.changes()) {
      const earlier = new TextEncoder().encode('old\nold\n');
      assert.deepEqual(edit, { before: sha256('old\nold\n'), after: sha256(`new ${path}\n`), added: 1, removed: 2, noCopy: null, earlier });
    }
  });

  it('tell that a file is gone, and that one is there which was not', async () => {
    folder.write('gone.ts', 'old\n');
    open = ['gone.ts', 'made.ts'];
    await files.begin([]);
    rmSync(join(folder.path, 'gone.ts'));
    news.changed(join(folder.path, 'gone.ts'));
    write('made.ts');
    const [gone, made] = await files.changes();
    assert.deepEqual([gone?.after, gone?.removed, gone?.noCopy], [null, 1, null]);
    assert.deepEqual([made?.before, made?.added, made?.noCopy, made?.earlier], [null, 1, null, null]);
  });

  it('were there as the names in the calls say, or were not', async () => {
    folder.write('was.ts', 'old\n');
    await files.begin(['./was.ts', join(folder.path, 'made.ts'), '../out.ts', '/tmp/elsewhere.ts', 'C:\\x.ts', 'no path\0']);
    write('made.ts', 'other.ts', 'was.ts');
    assert.deepEqual(columns(await files.changes(), 'path', 'before', 'noCopy'), [
      ['made.ts', null, null],
      ['other.ts', null, 'notKnown'],
      ['was.ts', sha256('old\n'), null],
    ]);
  });

  it('are known without the watcher, which may be late, where they were looked at beforehand', async () => {
    folder.write('gone.ts', 'old\n');
    await files.begin(['gone.ts', 'made.ts', 'same.ts']);
    rmSync(join(folder.path, 'gone.ts'));
    folder.write('made.ts', 'new\n');
    assert.deepEqual(columns(await files.changes(), 'path', 'before', 'after'), [
      ['gone.ts', sha256('old\n'), null],
      ['made.ts', null, sha256('new\n')],
    ]);
  });

  it('are not those that came and went, as when a program replaces a file', async () => {
    await files.begin([]);
    for (const path of ['a.ts.tmp', 'b.ts']) {
      news.made(join(folder.path, path));
    }
    folder.write('b.ts', 'new\n');
    for (const path of ['a.ts.tmp', 'b.ts', 'looked at by nobody.ts']) {
      news.changed(join(folder.path, path));
    }
    assert.deepEqual(await changed(), ['b.ts', 'looked at by nobody.ts']);
  });

  it('are not those that are as they were, nor those that an editor saved', async () => {
    folder.write('same.ts', 'old\n');
    open = ['same.ts'];
    await files.begin([]);
    news.changed(join(folder.path, 'same.ts'));
    write('saved.ts');
    news.saved(join(folder.path, 'saved.ts'));
    assert.deepEqual(await changed(), []);
  });

  it('may be binary or very large, and then have no copy', async () => {
    folder.write('a.bin', new Uint8Array([0, 1]));
    open = ['a.bin'];
    await files.begin([]);
    folder.write('a.bin', new Uint8Array(2 * 1024 * 1024));
    news.changed(join(folder.path, 'a.bin'));
    const { before, after, noCopy, added } = await only();
    assert.ok(before !== null && after !== null && before !== after);
    assert.deepEqual([noCopy, added], ['notText', null]);
  });

  it('are never outside the workspace, through links', async () => {
    await files.begin([]);
    symlinkSync('/etc', folder.at('out'));
    news.changed(join(folder.path, 'out/passwd'));
    assert.deepEqual(await changed(), []);
  });

  it('are those since the tools began, at most 500', async () => {
    await files.begin([]);
    write('a.ts');
    await files.begin([]);
    assert.deepEqual(await changed(), []);
    write(...Array.from({ length: 501 }, (_, index) => `many/${String(index)}.ts`));
    assert.deepEqual([(await changed()).length, told.length], [500, 1]);
    files.end();
    assert.equal(isWatching, false);
  });
});
