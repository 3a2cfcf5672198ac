import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentProfile } from '../../../../src/engine/context/agentProfile.js';
import { select } from '../../../../src/engine/context/select.js';
import type { Tool, ToolServer } from '../../../../src/engine/tools/tool.js';
import { alwaysItems } from '../../../../src/host/context/catalog/catalogChoice.js';
import type { CatalogSettings } from '../../../../src/host/context/catalog/chatCatalogs.js';
import { chosenIncludes } from '../../../../src/host/context/catalog/includeSetting.js';
import type { UsedFamilies } from '../../../../src/host/context/catalog/ruleFormats.js';
import { WorkspaceCatalog, type WorkspaceCatalogPorts } from '../../../../src/host/context/catalog/workspaceCatalog.js';
import { MOST_CATALOG_FILES } from '../../../../src/host/context/files/catalogListing.js';
import { catalogLocations } from '../../../../src/host/context/files/catalogLocations.js';
import { UserFiles } from '../../../../src/host/context/files/userFiles.js';
import { WorkspaceFiles } from '../../../../src/host/context/files/workspaceFiles.js';
import { column, columns } from '../../../support/columns.js';
import { useFolders } from '../../../support/folders.js';
import { EchoServer, toolNamed } from '../../../support/host/toolServer.js';
import { UTF8_EDITOR } from '../../../support/utf8Editor.js';

describe('the catalog of a workspace on the disk', () => {
  const folderOf = useFolders();
  let logged: string[] = [];
  let servers: readonly ToolServer[] = [];
  let includes: AgentProfile['includes'] = new Map();
  let reads: string[] = [];
  let listings = 0;
  let families: UsedFamilies = null;

  beforeEach(() => {
    logged = [];
    servers = [];
    includes = new Map();
    families = null;
  });

  class WatchedFiles extends WorkspaceFiles {
    override read(path: string): ReturnType<WorkspaceFiles['read']> {
      reads.push(path);
      return super.read(path);
    }

    override catalogPaths(...given: Parameters<WorkspaceFiles['catalogPaths']>): ReturnType<WorkspaceFiles['catalogPaths']> {
      listings += 1;
      return super.catalogPaths(...given);
    }
  }

  const ports: Omit<WorkspaceCatalogPorts, 'files' | 'findNested' | 'isTrusted'> = {
    locations: () => catalogLocations({}),
    includes: () => chosenIncludes(includes, Object.fromEntries(includes)),
    ruleFamilies: () => families,
    userFiles: () => new UserFiles('/none', new Set(), UTF8_EDITOR),
    servers: () => servers,
    logInfo: (text) => logged.push(text),
    logError: ({ message }) => logged.push(message),
  };

  const chatOf = (agent: string): CatalogSettings => ({ agent, workspaceTools: 'on' });

  function catalogOf(...roots: readonly string[]): { readonly catalog: WorkspaceCatalog; readonly trust: (isTrusted: boolean) => void } {
    let isTrusted = true;
    const catalog = new WorkspaceCatalog({
      files: () => new WatchedFiles(roots, UTF8_EDITOR),
      findNested: () => Promise.resolve(roots.map((root) => join(root, 'src/AGENTS.md')).filter(existsSync)),
      isTrusted: () => isTrusted,
      ...ports,
    });
    return { catalog, trust: (now) => (isTrusted = now) };
  }

  it('depends on the files that rules import, and on those that they would import', async () => {
    const folder = await folderOf({ 'CLAUDE.md': '@package.json @README', 'package.json': '{}' });
    const { catalog } = catalogOf(folder);
    const isRead = (path: string): boolean => catalog.isRead(join(folder, path));
    assert.equal(isRead('package.json'), false, 'before the first reading');
    await catalog.read();
    assert.deepEqual(['CLAUDE.md', 'package.json', 'README', 'other.json'].map(isRead), [true, true, true, false]);
  });

  it('has the prompts of all programs, names a file without a prompt, and has none in Restricted Mode', async () => {
    const folder = await folderOf({
      '.github/prompts/review.prompt.md': 'Review ${file}.',
      '.claude/commands/git/fix.md': 'Fix $1.',
      '.clinerules/workflows/release.md': '1. Build',
      '.cursor/commands/empty.md': '',
    });
    const { catalog, trust } = catalogOf(folder);
    assert.deepEqual(column(await catalog.prompts(), 'name').toSorted(), ['git:fix', 'release', 'review']);
    assert.deepEqual(column(await catalog.remarks(), 'text'), ['.cursor/commands/empty.md is a prompt without text.']);
    assert.equal((await catalog.read()).size, 0, 'they are neither rules nor skills');
    await writeFile(join(folder, '.claude/commands/git/fix.md'), 'Repair $1.');
    catalog.changed({ place: join(folder, '.claude/commands/git/fix.md'), isThere: true });
    assert.ok((await catalog.prompts()).some(({ text }) => text === 'Repair $1.'));
    trust(false);
    catalog.changed(null);
    assert.deepEqual([await catalog.prompts(), await catalog.remarks()], [[], []]);
  });

  it('leaves out the servers of which an agent may use no tool, so that they are not started', async () => {
    const folder = await folderOf({
      '.claude/agents/clerk.md': '---\ntools: Read, mcp__sheets__read\n---\nClerk',
      '.claude/agents/all.md': '---\ndisallowedTools: mcp__sheets\n---\nAll',
    });
    servers = [new EchoServer('sheets'), new EchoServer('mail'), new EchoServer('workspace')];
    const { catalog } = catalogOf(folder);
    const unused = await Promise.all(['clerk', 'all', ''].map(async (agent) => [...(await catalog.includesOf(agent)).keys()]));
    assert.deepEqual(unused, [['server:mail'], ['server:sheets'], []]);
  });

  it('is empty, says why and lets chats go on where the files cannot be listed', async () => {
    const catalog = new WorkspaceCatalog({
      files: () => {
        throw new RangeError('out of range');
      },
      findNested: () => Promise.resolve([]),
      isTrusted: () => true,
      ...ports,
    });
    assert.deepEqual([(await catalog.read()).size, (await catalog.ofChat(chatOf('a'))).size, (await catalog.profiles()).size], [0, 0, 0]);
    const [remark, ...others] = await catalog.remarks();
    assert.match(
      remark?.text ?? '',
      /^Loupe uses no rules, references, skills, agents and prompts, because reading their files failed\. .*out of range/,
    );
    assert.deepEqual(others, []);
    assert.equal(logged.length, 1, 'the failure is read once, not at each key');
  });

  it('has the mode of the agent over that of all chats, this over that of the file, and none in a workspace that is not trusted', async () => {
    const folder = await folderOf({
      '.loupe/rules/a.md': '---\nname: A\n---\nText.',
      '.loupe/rules/b.md': '---\nname: B\ninclude: manual\n---\nText.',
      '.loupe/rules/c.md': '---\nname: C\ninclude: manual\n---\nText.',
      '.loupe/agents/clerk.md': '---\nname: Clerk\nrules:\n  A: always\ntools:\n  sheets: manual\n---\nText.',
    });
    const tool = (name: string): Tool => ({ ...toolNamed(name), description: name });
    const { catalog, trust } = catalogOf(folder);
    const sheets = new EchoServer('sheets');
    sheets.tools = [tool('read')];
    servers = [sheets];
    includes = new Map([
      ['rule:A', 'off'],
      ['rule:B', 'always'],
      ['server:sheets', 'agent'],
      ['tool:sheets/read', 'off'],
    ]);
    const modes = async (agent: string): Promise<readonly string[]> =>
      [...(await catalog.ofChat(chatOf(agent))).values()].map((item) => `${item.name} ${item.offBy ?? item.include}`);
    assert.deepEqual(await modes(''), ['A folder', 'B always', 'C manual', 'read folder']);
    assert.deepEqual(await modes('Clerk'), ['A always', 'B always', 'C manual', 'read manual']);
    const serverModes = async (): Promise<unknown> =>
      Promise.all(['', 'Clerk'].map(async (agent) => (await catalog.includesOf(agent)).get('server:sheets')?.include));
    assert.deepEqual(await serverModes(), ['agent', 'manual']);
    const before = await catalog.ofChat(chatOf(''));
    includes = new Map(includes);
    assert.equal(await catalog.ofChat(chatOf('')), before, 'the same modes make no other catalog');
    includes = new Map([['rule:C', 'always']]);
    assert.deepEqual(await modes(''), ['A always', 'B manual', 'C always', 'read always']);
    trust(false);
    assert.deepEqual([await modes(''), await serverModes()], [[], [undefined, undefined]]);
  });

  it('says which folder of rules cannot be listed, and has the others', async () => {
    const folder = await folderOf({ 'AGENTS.md': 'A', '.loupe/references/api.md': 'R', '.cursor/rules/deep/a.mdc': 'C' });
    await symlink('rules', join(folder, '.loupe/rules'));
    await symlink('CLAUDE.md', join(folder, 'CLAUDE.md'));
    const { catalog } = catalogOf(folder);
    assert.deepEqual(
      [...(await catalog.read())].map(([key, { text, problem }]) => [key, text ?? problem?.code]),
      [
        ['rule:AGENTS.md', 'A'],
        ['rule:CLAUDE.md', 'unreadable'],
        ['reference:.loupe/references/api.md', 'R'],
        ['rule:.cursor/rules/deep/a.mdc', 'C'],
      ],
    );
    assert.deepEqual(await catalog.remarks(), [
      { text: '.loupe/rules cannot be opened: its links form a circle.', path: '.loupe/rules', line: null },
    ]);
  });

  it('has the files of every editor, below their folders, too, and no others', async () => {
    const folder = await folderOf({
      'AGENTS.md': 'A',
      'src/AGENTS.md': 'In src',
      'node_modules/x/AGENTS.md': 'Not found by the search',
      '.github/instructions/web/css.instructions.md': 'C',
      '.cursor/rules/deep/er/style.mdc': 'S',
      '.cursor/rules/readme.txt': 'No rule',
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
    assert.ok([...(await catalog.read()).values()].every(({ source }) => source.startsWith('loupe-folder-')));
  });

  it('is read again after a change, and not before', async () => {
    const folder = await folderOf({ 'AGENTS.md': 'Before' });
    const { catalog } = catalogOf(folder);
    const text = async (): Promise<string | null | undefined> => (await catalog.read()).get('rule:AGENTS.md')?.text;
    assert.equal(await text(), 'Before');
    await writeFile(join(folder, 'AGENTS.md'), 'After');
    assert.equal(await text(), 'Before');
    catalog.changed({ place: join(folder, 'AGENTS.md'), isThere: true });
    assert.equal(await text(), 'After');
  });

  it('reads only a changed file again, and keeps all other items, also with imports and copies', async () => {
    const folder = await folderOf({
      'AGENTS.md': 'A @docs/a.md',
      'CLAUDE.md': 'C @docs/a.md @someone',
      '.loupe/rules/one.md': 'Same text',
      '.windsurfrules': 'Same text',
      'docs/a.md': 'Imported',
      'docs/new.md': 'New',
    });
    const { catalog } = catalogOf(folder);
    await catalog.read();
    const change = async (): Promise<number> => {
      const [before, listed] = [await catalog.read(), listings];
      await writeFile(join(folder, 'CLAUDE.md'), 'Changed @docs/new.md');
      reads = [];
      catalog.changed({ place: join(folder, 'CLAUDE.md'), isThere: true });
      const after = await catalog.read();
      assert.match(after.get('rule:CLAUDE.md')?.text ?? '', /^Changed/);
      assert.deepEqual(
        [...after].flatMap(([key, item]) => (before.get(key) === item ? [] : [key])),
        ['rule:CLAUDE.md'],
      );
      return listings - listed;
    };
    assert.deepEqual([await change(), reads], [0, ['CLAUDE.md', 'docs/new.md']]);
    reads = [];
    await writeFile(join(folder, '.clinerules'), 'L');
    catalog.changed({ place: join(folder, '.clinerules'), isThere: false });
    assert.deepEqual([(await catalog.read()).get('rule:.clinerules')?.text, reads], ['L', ['.clinerules']]);
  });

  it('turns off the rules of programs that the setting leaves out, at once after a change of the setting', async () => {
    const folder = await folderOf({
      'AGENTS.md': 'Same',
      'CLAUDE.md': 'Same',
      '.cursor/rules/a.mdc': '---\nalwaysApply: true\n---\nC',
      '.loupe/rules/own.md': 'Own',
      '.agents/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: PDFs\n---\nS',
    });
    const { catalog } = catalogOf(folder);
    const used = async (): Promise<readonly string[]> =>
      [...(await catalog.read()).values()].filter(({ offBy, problem }) => offBy === null && problem === null).map(({ source }) => source);
    const others = ['.loupe/rules/own.md', '.agents/skills/pdf/SKILL.md'];
    assert.deepEqual((await used()).toSorted(), ['AGENTS.md', '.cursor/rules/a.mdc', ...others].toSorted());
    reads = [];
    families = new Set(['claude']);
    catalog.settingsChanged();
    assert.deepEqual((await used()).toSorted(), ['CLAUDE.md', ...others].toSorted());
    assert.deepEqual(reads, [], 'no file is read again');
    const agents = (await catalog.read()).get('rule:AGENTS.md');
    assert.deepEqual([agents?.offBy, agents?.text, await catalog.remarks()], ['formats', 'Same', []]);
    families = new Set();
    catalog.settingsChanged();
    assert.deepEqual((await used()).toSorted(), others.toSorted());
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
    assert.deepEqual(columns([...found.values()], 'source', 'text', 'problem', 'copies'), [
      ['AGENTS.md', 'Heights are metres.', null, ['CLAUDE.md']],
      ['CLAUDE.md', null, { code: 'shadowed', by: 'AGENTS.md' }, []],
      ['.agents/skills/chart/SKILL.md', 'Draw.', null, ['.claude/skills/chart/SKILL.md']],
    ]);
    assert.deepEqual(column(alwaysItems(found), 'name'), ['AGENTS.md']);
    const chat = { context: new Map(), removed: new Map(), declined: new Set<string>() };
    const { absent } = select({
      catalog: found,
      chat,
      scores: [],
      isForFile: () => false,
      limits: { minimum: 0.3, most: 2, certain: 1 },
      takesTools: true,
      loadsTools: true,
    });
    assert.deepEqual(
      column(
        absent.filter(({ item }) => item.name === 'CLAUDE.md'),
        'reason',
      ),
      [{ code: 'shadowed', by: 'AGENTS.md' }],
    );
  });

  it('refuses what is no text, blocks or leads out, each with its reason, and has the rest', async () => {
    const outside = await folderOf({ 'rules/far.md': 'Far', 'secret.md': 'Secret' });
    const folder = await folderOf({
      '.loupe/rules/good.md': 'Good',
      '.loupe/rules/a\u202Eb\u200B.md': 'Hidden \u202E in the text, too',
      'CLAUDE.md': `@../${outside.split('/').at(-1) ?? ''}/secret.md @docs/link.md @docs/good.md`,
      'docs/good.md': 'Imported',
    });
    await writeFile(join(folder, '.loupe/rules/binary.md'), Buffer.from([72, 0, 105]));
    await writeFile(join(folder, '.loupe/rules/latin.md'), Buffer.from([0xe4, 0x20, 0xf6]));
    execFileSync('mkfifo', [join(folder, 'pipe'), join(folder, '.loupe/rules/fifo.md')]);
    await symlink(join(folder, 'pipe'), join(folder, '.loupe/rules/pipe.md'));
    await symlink('/dev/zero', join(folder, '.loupe/rules/zero.md'));
    await symlink('loop.md', join(folder, '.loupe/rules/loop.md'));
    await symlink(join(outside, 'secret.md'), join(folder, 'docs/link.md'));
    await symlink(join(outside, 'rules'), join(folder, '.loupe/references'));
    const items = [...(await catalogOf(folder).catalog.read()).values()];
    assert.deepEqual(
      items.map(({ source, text, problem }) => [source, text === null, problem?.code]).filter(([source]) => source !== 'CLAUDE.md'),
      [
        ['.loupe/references/far.md', true, 'leadsOut'],
        ['.loupe/rules/a\u202Eb\u200B.md', false, undefined],
        ['.loupe/rules/binary.md', true, 'binary'],
        ['.loupe/rules/fifo.md', true, 'notAFile'],
        ['.loupe/rules/good.md', false, undefined],
        ['.loupe/rules/latin.md', true, 'notUtf8'],
        ['.loupe/rules/loop.md', true, 'unreadable'],
        ['.loupe/rules/pipe.md', true, 'notAFile'],
        ['.loupe/rules/zero.md', true, 'leadsOut'],
      ],
    );
    assert.equal(items.find(({ source }) => source.includes('\u202E'))?.text, 'Hidden \u202E in the text, too', 'character by character');
    const claude = items.find(({ source }) => source === 'CLAUDE.md');
    assert.match(claude?.text ?? '', /From docs\/good\.md:\n\nImported$/);
    const leaked = items.flatMap(({ text }) => (/Secret|Far/.test(text ?? '') ? [text] : []));
    assert.deepEqual(leaked, []);
    assert.equal(claude?.remarks.length, 2, 'both imports that lead out are named');
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

  it('reads the first thousand of too many files, those of the whole workspace among them, and says how many it leaves out', async () => {
    const rules = Array.from(
      { length: MOST_CATALOG_FILES + 2 },
      (_, at) => [`.loupe/rules/r${String(at).padStart(4, '0')}.md`, 'R'] as const,
    );
    const { catalog } = catalogOf(await folderOf(Object.fromEntries([['AGENTS.md', 'A'], ...rules])));
    assert.equal((await catalog.read()).size, MOST_CATALOG_FILES);
    assert.ok((await catalog.read()).has('rule:AGENTS.md'));
    const text =
      'Loupe reads only the first 1,000 files of rules, references, skills, agents and prompts. It skips 3 files, from .loupe/rules/r0999.md on.';
    assert.deepEqual(await catalog.remarks(), [{ text, path: '.loupe/rules/r0999.md', line: null }]);
    assert.deepEqual(logged, [text]);
  });
});
