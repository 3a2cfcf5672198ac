import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { KeptFiles } from '../../../src/host/context/files/keptFiles.js';
import { WorkspaceFiles } from '../../../src/host/context/files/workspaceFiles.js';
import { UTF8_EDITOR } from '../../support/utf8Editor.js';
import { TemporaryFolder } from './temporaryFolder.js';

describe('files that Loupe keeps between two readings', () => {
  const folder = new TemporaryFolder();
  let reads: string[] = [];
  let checks: string[] = [];

  beforeEach(() => {
    [reads, checks] = [[], []];
  });

  afterEach(() => {
    folder.remove();
  });

  function files(): Pick<WorkspaceFiles, 'read' | 'version'> {
    const inFolder = new WorkspaceFiles([folder.path], UTF8_EDITOR);
    return {
      read: (path) => {
        reads.push(path);
        return inFolder.read(path);
      },
      version: (path) => {
        checks.push(path);
        return inFolder.version(path);
      },
    };
  }

  const textOf = async (kept: KeptFiles, path: string): Promise<string> => {
    const file = await kept.read(path, files());
    return file.ok ? file.content : file.problem.code;
  };

  it('are read once, and again only after a change', async () => {
    folder.write('a.md', 'A');
    folder.write('b.md', 'B');
    const kept = new KeptFiles();
    const readBoth = async (): Promise<readonly string[]> => [await textOf(kept, 'a.md'), await textOf(kept, 'b.md')];
    assert.deepEqual(await readBoth(), ['A', 'B']);
    const first = await kept.read('a.md', files());
    assert.deepEqual(
      [await readBoth(), reads, checks],
      [
        ['A', 'B'],
        ['a.md', 'b.md'],
        ['a.md', 'b.md'],
      ],
    );
    folder.write('b.md', 'C');
    kept.fileChanged('b.md');
    assert.deepEqual([await readBoth(), reads.slice(2), checks.slice(2)], [['A', 'C'], ['b.md'], ['b.md']]);
    assert.equal(await kept.read('a.md', files()), first, 'the same object');
  });

  it('are checked, and read only if they differ, after a change that can affect any of them', async () => {
    folder.write('real.md', 'One');
    folder.write('other.md', 'O');
    symlinkSync('real.md', folder.at('link.md'));
    const kept = new KeptFiles();
    await textOf(kept, 'link.md');
    await textOf(kept, 'other.md');
    folder.write('real.md', 'Three');
    // VS Code names only the file to which the link leads.
    kept.fileChanged('real.md');
    kept.anyChanged();
    assert.deepEqual([await textOf(kept, 'link.md'), await textOf(kept, 'other.md')], ['Three', 'O']);
    assert.deepEqual(reads, ['link.md', 'other.md', 'link.md']);
    assert.deepEqual(checks, ['link.md', 'other.md', 'link.md', 'other.md']);
  });

  it('are found after they were missing, and missing after they were found', async () => {
    folder.write('a.md', 'A');
    const kept = new KeptFiles();
    const both = async (): Promise<readonly string[]> => [await textOf(kept, 'a.md'), await textOf(kept, 'b.md')];
    assert.deepEqual(await both(), ['A', 'missing']);
    kept.anyChanged();
    assert.deepEqual(
      [await both(), reads],
      [
        ['A', 'missing'],
        ['a.md', 'b.md'],
      ],
    );
    folder.write('b.md', 'B');
    rmSync(folder.at('a.md'));
    kept.anyChanged();
    assert.deepEqual(await both(), ['missing', 'B']);
  });

  it('are read each time while they cannot be used', async () => {
    folder.write('a.md', Uint8Array.of(0xe4, 0x20));
    const kept = new KeptFiles();
    assert.deepEqual([await textOf(kept, 'a.md'), await textOf(kept, 'a.md')], ['notUtf8', 'notUtf8']);
    assert.deepEqual(reads, ['a.md', 'a.md']);
  });

  it('are checked again when a change comes while they are read', async () => {
    folder.write('a.md', 'Before');
    const kept = new KeptFiles();
    const source = files();
    const changing: Pick<WorkspaceFiles, 'read' | 'version'> = {
      ...source,
      read: async (path) => {
        const file = await source.read(path);
        folder.write('a.md', 'After!');
        kept.fileChanged('a.md');
        return file;
      },
    };
    await kept.read('a.md', changing);
    assert.equal(await textOf(kept, 'a.md'), 'After!');
  });

  it('are forgotten when the last reading did not need them', async () => {
    folder.write('a.md', 'A');
    folder.write('b.md', 'B');
    const kept = new KeptFiles();
    await textOf(kept, 'a.md');
    await textOf(kept, 'b.md');
    kept.keepOnly(new Set(['b.md']));
    await textOf(kept, 'a.md');
    await textOf(kept, 'b.md');
    assert.deepEqual(reads, ['a.md', 'b.md', 'a.md']);
  });
});
