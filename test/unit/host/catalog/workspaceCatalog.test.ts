import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { select } from '../../../../src/engine/context/select.js';
import { alwaysItems } from '../../../../src/host/context/catalog/alwaysItems.js';
import { WorkspaceCatalog } from '../../../../src/host/context/catalog/workspaceCatalog.js';
import { MOST_CATALOG_FILES } from '../../../../src/host/context/files/catalogListing.js';
import { WorkspaceFiles } from '../../../../src/host/context/files/workspaceFiles.js';

describe('the catalog of a workspace on the disk', () => {
  const folders: string[] = [];
  let logged: string[] = [];

  beforeEach(() => {
    logged = [];
  });

  afterEach(async () => {
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
  });

  async function folderOf(texts: Readonly<Record<string, string>>): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'loupe-catalog-'));
    folders.push(folder);
    for (const [path, text] of Object.entries(texts)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return folder;
  }

  function catalogOf(...roots: readonly string[]): { readonly catalog: WorkspaceCatalog; readonly trust: (isTrusted: boolean) => void } {
    let isTrusted = true;
    const catalog = new WorkspaceCatalog({
      files: () => new WorkspaceFiles(roots),
      // As VS Code finds them: places on disk.
      findNested: () => Promise.resolve(roots.map((root) => join(root, 'src/AGENTS.md')).filter(existsSync)),
      isTrusted: () => isTrusted,
      logInfo: (text) => logged.push(text),
      logError: (error) => logged.push(error.message),
    });
    return { catalog, trust: (now) => (isTrusted = now) };
  }

  it('has the files of every editor, below their folders, too, and no others', async () => {
    const folder = await folderOf({
      'AGENTS.md': 'A',
      'src/AGENTS.md': 'In src',
      'node_modules/x/AGENTS.md': 'Not found by the search',
      '.github/instructions/web/css.instructions.md': 'C',
      '.cursor/rules/deep/er/style.mdc': 'S',
      '.cursor/rules/readme.md': 'No rule',
      '.clinerules': 'L',
      '.loupe/references/api.md': 'R',
      'README.md': 'No rule',
    });
    const { catalog } = catalogOf(folder);
    const found = new Promise<void>((resolve) => {
      catalog.onFoundMore(resolve);
    });
    assert.ok(!(await catalog.read()).has('rule:src/AGENTS.md'), 'nobody waits for what may take seconds to find');
    await found;
    assert.deepEqual(
      [...(await catalog.read())].map(([key, { text }]) => [key, text]),
      [
        ['rule:.clinerules', 'L'],
        ['rule:AGENTS.md', 'A'],
        ['rule:src/AGENTS.md', 'In src'],
        ['reference:.loupe/references/api.md', 'R'],
        ['rule:.github/instructions/web/css.instructions.md', 'C'],
        ['rule:.cursor/rules/deep/er/style.mdc', 'S'],
      ],
    );
  });

  it('is that of all folders of the workspace, by their names', async () => {
    const [one, two] = [await folderOf({ 'AGENTS.md': 'One' }), await folderOf({ '.clinerules/a.md': 'Two' })];
    const { catalog } = catalogOf(one, two);
    assert.deepEqual([...(await catalog.read()).values()].map(({ text }) => text).sort(), ['One', 'Two']);
    assert.ok([...(await catalog.read()).values()].every(({ source }) => source.startsWith('loupe-catalog-')));
  });

  it('is read again after a change, and not before', async () => {
    const folder = await folderOf({ 'AGENTS.md': 'Before' });
    const { catalog } = catalogOf(folder);
    const text = async (): Promise<string | null | undefined> => (await catalog.read()).get('rule:AGENTS.md')?.text;
    assert.equal(await text(), 'Before');
    await writeFile(join(folder, 'AGENTS.md'), 'After');
    assert.equal(await text(), 'Before');
    catalog.changed(join(folder, 'AGENTS.md'));
    assert.equal(await text(), 'After');
  });

  it('has a rule that cannot be used with the reason: too large, or behind a link out of the workspace', async () => {
    const outside = await folderOf({ 'secret.md': 'Secret' });
    const folder = await folderOf({ 'AGENTS.md': 'x'.repeat(5 * 1024 * 1024), '.loupe/rules/a.md': 'A' });
    await symlink(join(outside, 'secret.md'), join(folder, '.loupe/rules/link.md'));
    const { catalog } = catalogOf(folder);
    assert.deepEqual(
      [...(await catalog.read()).values()].map(({ source, text, problem }) => [source, text, problem?.code]),
      [
        ['AGENTS.md', null, 'tooLarge'],
        ['.loupe/rules/a.md', 'A', undefined],
        ['.loupe/rules/link.md', null, 'leadsOut'],
      ],
    );
  });

  it('has the text of links to one file once, and says which path stands for it', async () => {
    const folder = await folderOf({ 'AGENTS.md': 'Heights are metres.', '.agents/skills/chart/SKILL.md': '---\nname: chart\n---\nDraw.' });
    await symlink('AGENTS.md', join(folder, 'CLAUDE.md'));
    await mkdir(join(folder, '.claude'));
    await symlink(join('..', '.agents', 'skills'), join(folder, '.claude', 'skills'));
    const { catalog } = catalogOf(folder);
    const found = await catalog.read();
    assert.deepEqual(
      [...found.values()].map(({ source, text, problem }) => [source, text, problem]),
      [
        ['AGENTS.md', 'Heights are metres.', null],
        ['CLAUDE.md', null, { code: 'shadowed', by: 'AGENTS.md' }],
        ['.agents/skills/chart/SKILL.md', 'Draw.', null],
        ['.claude/skills/chart/SKILL.md', null, { code: 'shadowed', by: '.agents/skills/chart/SKILL.md' }],
      ],
    );
    assert.deepEqual(
      alwaysItems(found).map(({ name }) => name),
      ['AGENTS.md'],
    );
    const chat = { context: new Map(), removed: new Map(), declined: new Set<string>() };
    const { absent } = select({ catalog: found, chat, scores: [], isForFile: () => false, limits: { minimum: 0.3, most: 2, certain: 1 } });
    assert.deepEqual(
      absent.filter(({ item }) => item.name === 'CLAUDE.md').map(({ reason }) => reason),
      [{ code: 'shadowed', by: 'AGENTS.md' }],
    );
  });

  it('is empty while the workspace is not trusted, and in one without rules', async () => {
    const folder = await folderOf({ 'AGENTS.md': 'A' });
    const { catalog, trust } = catalogOf(folder);
    trust(false);
    assert.deepEqual([(await catalog.read()).size, catalog.isRestricted()], [0, true]);
    trust(true);
    assert.equal((await catalog.read()).size, 1);
    assert.equal((await catalogOf(await folderOf({})).catalog.read()).size, 0);
    assert.equal((await catalogOf(join(folder, 'gone')).catalog.read()).size, 0);
  });

  it('has no more than so many, and says how many it leaves out', async () => {
    const files = Object.fromEntries(Array.from({ length: MOST_CATALOG_FILES + 3 }, (_, at) => [`.loupe/rules/r${String(at)}.md`, 'R']));
    const { catalog } = catalogOf(await folderOf(files));
    assert.equal((await catalog.read()).size, MOST_CATALOG_FILES);
    assert.deepEqual(logged, ['Rules and references: the first 1000 files are read, 3 more are left out.']);
  });
});
