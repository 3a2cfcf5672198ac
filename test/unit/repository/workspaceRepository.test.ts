import assert from 'node:assert/strict';
import { type LoupeError, failure } from '../../../src/engine/errors.js';
import type { WantedRepository } from '../../../src/engine/next/repository.js';
import { RepositoryIndex } from '../../../src/engine/repository/repositoryIndex.js';
import { repositoryWishes } from '../../../src/engine/repository/repositoryTexts.js';
import type { FileSymbols, ScannedFile } from '../../../src/engine/repository/symbols.js';
import type { FolderListing } from '../../../src/host/context/files/workspaceFiles.js';
import { WorkspaceRepository } from '../../../src/host/repository/workspaceRepository.js';
import { characters, ManualClock, settled } from '../../support/engine/ports.js';

/** A workspace in memory. The symbols of a file are the words of its content. */
class MemoryWorkspace {
  readonly files = new Map<string, string>();
  readonly scans: (readonly string[])[] = [];
  readonly errors: LoupeError[] = [];
  readonly infos: string[] = [];
  isTrusted = true;
  problem: FolderListing | null = null;
  scanEnds: Promise<void> = Promise.resolve();
  cancel = (): void => undefined;
  readonly clock = new ManualClock();
  changed = (_path: string): void => assert.fail('Loupe watches before the first use.');

  readonly repository = new WorkspaceRepository({
    isTrusted: () => this.isTrusted,
    makeIndex: () => Promise.resolve(new RepositoryIndex((word) => word)),
    list: () => Promise.resolve(this.problem ?? { ok: true, files: [...this.files.keys()], next: null, notes: [] }),
    scan: async (paths, signal) => {
      this.scans.push(paths);
      await this.scanEnds;
      if (signal.aborted) {
        throw failure('file.listingStopped');
      }
      return new Map(paths.map((path) => [path, this.#scanned(path)]));
    },
    watch: (changed) => {
      this.changed = changed;
    },
    clock: this.clock,
    showBusy: () => undefined,
    offerCancel: (_ended, cancel) => {
      this.cancel = cancel;
    },
    logInfo: (text) => this.infos.push(text),
    logError: (error) => this.errors.push(error),
  });

  #scanned(path: string): ScannedFile {
    const content = this.files.get(path) ?? '';
    const definitions = content.split(' ').map((name, at) => {
      return { name, kind: 'function', line: at + 1, signature: `function ${name}()`, container: null, isLocal: false } as const;
    });
    const symbols: FileSymbols | null = path.endsWith('.ts') ? { definitions, references: new Map(), words: '' } : null;
    return { path, size: content.length, mtimeMs: 0, hash: null, symbols, problem: path.endsWith('.min.ts') ? 'generated' : null };
  }

  /** Resolves when the files have been read. */
  read(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.repository.onChange(() => {
        stop();
        resolve();
      });
    });
  }
}

const WISHES = repositoryWishes({ repositoryMap: 'map', repositoryTokens: 3_000, repositoryWithout: '' })!;
const WANTED: WantedRepository = { wishes: WISHES, parts: ['tree', 'map'], message: '', files: new Set(), counter: characters };

describe('the repository of a workspace', () => {
  async function texts(workspace: MemoryWorkspace, change: Partial<WantedRepository>): Promise<readonly (string | undefined)[]> {
    const read = await workspace.repository.read({ ...WANTED, ...change });
    return 'code' in read ? [read.code] : [read.tree[1]?.text, ...read.map.slice(1).map(({ text }) => text)];
  }

  async function opened(files: Readonly<Record<string, string>>): Promise<MemoryWorkspace> {
    const workspace = new MemoryWorkspace();
    for (const [path, content] of Object.entries(files)) {
      workspace.files.set(path, content);
    }
    const read = workspace.read();
    assert.deepEqual(await texts(workspace, {}), ['beingRead']);
    await read;
    return workspace;
  }

  it('reads the files at the first use, and then has their tree and definitions', async () => {
    const workspace = await opened({ 'src/a.ts': 'dock', 'README.md': 'Ferries' });
    assert.deepEqual(await texts(workspace, {}), ['README.md\nsrc/\n  a.ts', 'src/\n  a.ts\n    function dock()']);
    assert.deepEqual(workspace.scans, [['src/a.ts', 'README.md']]);
  });

  it('makes only the wanted parts', async () => {
    const workspace = await opened({ 'src/a.ts': 'dock' });
    assert.deepEqual(await texts(workspace, { parts: ['tree'] }), ['src/\n  a.ts']);
  });

  it('reads only changed, new and deleted files again, and has the earlier map meanwhile', async () => {
    const workspace = await opened({ 'src/a.ts': 'dock', 'src/b.ts': 'sail', 'src/c.ts': 'moor' });
    workspace.files.set('src/b.ts', 'anchor').set('src/d.ts', 'steer').delete('src/c.ts');
    for (const path of ['src/b.ts', 'src/c.ts', 'src/d.ts']) {
      workspace.changed(path);
    }
    const read = workspace.read();
    assert.equal((await texts(workspace, {}))[0], 'src/\n  a.ts, b.ts, c.ts');
    await read;
    const [tree, map] = await texts(workspace, {});
    assert.deepEqual([tree, workspace.scans.at(-1)], ['src/\n  a.ts, b.ts, d.ts', ['src/b.ts', 'src/d.ts']]);
    assert.ok(map?.includes('anchor') === true && map.includes('steer') && !map.includes('sail') && !map.includes('moor'), map);
  });

  it('reads no file twice at the same time', async () => {
    const workspace = new MemoryWorkspace();
    workspace.files.set('src/a.ts', 'dock');
    const read = workspace.read();
    await Promise.all([texts(workspace, {}), texts(workspace, {}), texts(workspace, {})]);
    await read;
    assert.equal(workspace.scans.length, 1);
  });

  it('omits the folders without map from both parts', async () => {
    const workspace = await opened({ 'src/a.ts': 'dock', 'vendor/b.ts': 'sail' });
    const wishes = repositoryWishes({ repositoryMap: 'map', repositoryTokens: 3_000, repositoryWithout: './vendor' })!;
    assert.deepEqual(await texts(workspace, { wishes }), ['src/\n  a.ts', 'src/\n  a.ts\n    function dock()']);
  });

  it('names files without symbols in the log', async () => {
    const workspace = await opened({ 'src/a.min.ts': 'x' });
    assert.deepEqual(workspace.infos, ['Repository map: src/a.min.ts: generated']);
  });

  it('says in the tree and in the log that a workspace has too many files', async () => {
    const workspace = new MemoryWorkspace();
    workspace.files.set('src/a.ts', 'dock');
    workspace.problem = { ok: true, files: ['src/a.ts'], next: 'src/b.ts', notes: [] };
    const read = workspace.read();
    await texts(workspace, {});
    await read;
    const note = 'The map has only the first 20,000 files.';
    assert.equal((await texts(workspace, {}))[0], `src/\n  a.ts\n(${note})`);
    assert.deepEqual(workspace.infos, [`Repository map: ${note}`]);
  });

  it('reads nothing in Restricted Mode', async () => {
    const workspace = new MemoryWorkspace();
    workspace.isTrusted = false;
    assert.deepEqual(await texts(workspace, {}), ['restricted']);
    assert.deepEqual(workspace.scans, []);
  });

  it('has a reason after a failure, and tries again with other settings', async () => {
    const workspace = new MemoryWorkspace();
    workspace.problem = { ok: false, reason: 'The workspace folder cannot be read: no permission.', problem: { code: 'missing' } };
    const read = workspace.read();
    await texts(workspace, {});
    await read;
    assert.deepEqual(await texts(workspace, {}), ['mapFailed']);
    assert.deepEqual(
      workspace.errors.map(({ message }) => message),
      ['The workspace folder cannot be read: no permission.'],
    );
    workspace.problem = null;
    const again = workspace.read();
    const wishes = repositoryWishes({ repositoryMap: 'map', repositoryTokens: 2_000, repositoryWithout: '' })!;
    assert.deepEqual(await texts(workspace, { wishes }), ['beingRead']);
    await again;
    assert.deepEqual(await texts(workspace, { wishes }), [undefined], 'no files, so no map');
  });

  it('has a reason, and no failure of the request, if the map cannot be made', async () => {
    const workspace = await opened({ 'src/a.ts': 'dock' });
    const counter = { ...characters, count: () => assert.fail('The counter is broken.') };
    assert.deepEqual(await texts(workspace, { counter }), ['mapFailed']);
    assert.equal(workspace.errors.length, 1);
    assert.equal((await texts(workspace, {}))[0], 'src/\n  a.ts');
  });

  it('keeps the map when changed files cannot be read, and reads them after a change of the settings', async () => {
    const workspace = await opened({ 'src/a.ts': 'dock' });
    workspace.problem = { ok: false, reason: 'No permission.', problem: { code: 'missing' } };
    workspace.files.set('src/b.ts', 'sail');
    workspace.changed('src/b.ts');
    const read = workspace.read();
    await texts(workspace, {});
    await read;
    assert.equal((await texts(workspace, {}))[0], 'src/\n  a.ts');
    workspace.problem = null;
    const again = workspace.read();
    const wishes = repositoryWishes({ repositoryMap: 'map', repositoryTokens: 2_000, repositoryWithout: '' })!;
    await texts(workspace, { wishes });
    await again;
    assert.equal((await texts(workspace, { wishes }))[0], 'src/\n  a.ts, b.ts');
  });

  it('can be cancelled, which is no error', async () => {
    const workspace = new MemoryWorkspace();
    workspace.files.set('src/a.ts', 'dock');
    let end = (): void => undefined;
    workspace.scanEnds = new Promise((resolve) => {
      end = resolve;
    });
    const read = workspace.read();
    await texts(workspace, {});
    await settled();
    await workspace.clock.pass(1_000);
    await workspace.clock.pass(4_000);
    workspace.cancel();
    end();
    await read;
    assert.deepEqual([await texts(workspace, {}), workspace.errors], [['mapFailed'], []]);
  });
});
