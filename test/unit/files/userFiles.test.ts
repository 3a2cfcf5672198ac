import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { WorkspaceCatalog, type WorkspaceCatalogPorts } from '../../../src/host/context/catalog/workspaceCatalog.js';
import { catalogLocations } from '../../../src/host/context/files/catalogLocations.js';
import { USER_FAMILY_NAMES, UserFiles, type UserFamily } from '../../../src/host/context/files/userFiles.js';
import { WorkspaceFiles } from '../../../src/host/context/files/workspaceFiles.js';
import { column, columns } from '../../support/columns.js';
import { UTF8_EDITOR } from '../../support/utf8Editor.js';
import { TemporaryFolder } from './temporaryFolder.js';

describe('the files of a user for all workspaces', () => {
  const home = new TemporaryFolder();
  const workspace = new TemporaryFolder();
  let families: readonly UserFamily[] = [];
  let listed: string[] = [];

  beforeEach(() => {
    families = USER_FAMILY_NAMES;
    listed = [];
  });

  afterEach(() => {
    home.remove();
    workspace.remove();
  });

  const rules = (): UserFiles => new UserFiles(home.path, new Set(families), UTF8_EDITOR);

  const ports: WorkspaceCatalogPorts = {
    files: () => new WorkspaceFiles([workspace.path], UTF8_EDITOR),
    findNested: () => Promise.resolve([]),
    locations: () => catalogLocations({}),
    isTrusted: () => true,
    includes: () => new Map(),
    ruleFamilies: () => null,
    userFiles: rules,
    servers: () => [],
    logInfo: (text) => listed.push(text),
    logError: ({ message }) => listed.push(message),
  };
  const catalog = (): WorkspaceCatalog => new WorkspaceCatalog(ports);

  it('are those of the programs that the setting names, before those of the workspace, each as its program reads it', async () => {
    for (const [path, text] of [
      ['.claude/CLAUDE.md', 'Claude'],
      ['.claude/rules/sub/ts.md', '---\npaths: src/**/*.ts\n---\nTypes'],
      ['.claude/rules/notes.txt', 'No rule'],
      ['.claude/projects/a/CLAUDE.md', 'No rule'],
      ['.codex/AGENTS.md', 'Codex'],
      ['.copilot/copilot-instructions.md', 'Copilot'],
      ['.copilot/instructions/css.instructions.md', '---\napplyTo: "**/*.css"\n---\nCSS'],
      ['.agents/AGENTS.md', 'Agents'],
      ['.gemini/GEMINI.md', 'Gemini'],
    ] as const) {
      home.write(path, text);
    }
    workspace.write('AGENTS.md', 'Workspace');
    const shown = catalog();
    const items = [...(await shown.read()).values()];
    assert.deepEqual(columns(items, 'name', 'include', 'text'), [
      ['~/.agents/AGENTS.md', 'always', 'Agents'],
      ['~/.claude/CLAUDE.md', 'always', 'Claude'],
      ['~/.claude/rules/sub/ts.md', 'agent', 'Types'],
      ['~/.codex/AGENTS.md', 'always', 'Codex'],
      ['~/.copilot/copilot-instructions.md', 'always', 'Copilot'],
      ['~/.copilot/instructions/css.instructions.md', 'agent', 'CSS'],
      ['~/.gemini/GEMINI.md', 'always', 'Gemini'],
      ['AGENTS.md', 'always', 'Workspace'],
    ]);
    const types = items.find(({ text }) => text === 'Types');
    assert.deepEqual(
      ['src/a/b.ts', 'web/src/b.ts', 'src/b.css'].map((path) => types?.applies?.matches(path, null)),
      [true, false, false],
    );
    families = ['codex'];
    shown.settingsChanged();
    assert.deepEqual(column([...(await shown.read()).values()], 'name'), ['~/.codex/AGENTS.md', 'AGENTS.md']);
    families = [];
    shown.settingsChanged();
    assert.deepEqual(column([...(await shown.read()).values()], 'name'), ['AGENTS.md']);
    assert.deepEqual(listed, []);
  });

  it('are sent once with the same text in the workspace, and replaced by an override of the user', async () => {
    home.write('.codex/AGENTS.md', 'Codex');
    home.write('.codex/AGENTS.override.md', 'Override');
    home.write('.gemini/GEMINI.md', 'Workspace');
    workspace.write('AGENTS.md', 'Workspace');
    assert.deepEqual(
      [...(await catalog().read()).values()].map(({ source, problem, copies }) => [source, problem?.code ?? null, copies]),
      [
        ['~/.codex/AGENTS.md', 'overruled', []],
        ['~/.codex/AGENTS.override.md', null, []],
        ['~/.gemini/GEMINI.md', null, ['AGENTS.md']],
        ['AGENTS.md', 'shadowed', []],
      ],
    );
  });

  it('import files of their folders, and no others; a file of the workspace imports none of them', async () => {
    home.write('.claude/CLAUDE.md', '@rules-of-mine.md @~/.claude/more.md @~/.ssh/key.md @../other.md @~/.claude/.credentials.json');
    home.write('.claude/rules-of-mine.md', 'Mine');
    home.write('.claude/more.md', 'More');
    home.write('.claude/.credentials.json', 'Secret');
    home.write('.ssh/key.md', 'Secret');
    home.write('other.md', 'Secret');
    workspace.write('CLAUDE.md', '@~/.claude/more.md @./~/.claude/more.md');
    const items = [...(await catalog().read()).values()];
    const [own, theirs] = ['~/.claude/CLAUDE.md', 'CLAUDE.md'].map((name) => items.find(({ source }) => source === name));
    assert.match(own?.text ?? '', /From ~\/\.claude\/rules-of-mine\.md:\n\nMine\n\nFrom ~\/\.claude\/more\.md:\n\nMore$/);
    assert.equal(own?.remarks.length, 3, JSON.stringify(own?.remarks));
    assert.equal(theirs?.text, '@~/.claude/more.md @./~/.claude/more.md');
    assert.equal(theirs.remarks.length, 2, JSON.stringify(theirs.remarks));
    assert.ok(!items.some(({ text }) => (text ?? '').includes('Secret')));
  });

  it('may be links of the user, and are read again after a change', async () => {
    home.write('dotfiles/claude.md', 'Linked');
    symlinkSync(home.at('dotfiles/claude.md'), home.at('.claude/CLAUDE.md'));
    const shown = catalog();
    const text = async (): Promise<unknown> => (await shown.read()).get('rule:~/.claude/CLAUDE.md')?.text;
    assert.equal(await text(), 'Linked');
    const place = home.write('.claude/CLAUDE.md', 'Changed');
    assert.equal(shown.isRead(place), true);
    shown.changed({ place, isThere: true });
    assert.equal(await text(), 'Changed');
    shown.changed({ place: home.write('.gemini/GEMINI.md', 'New'), isThere: false });
    assert.ok((await shown.read()).has('rule:~/.gemini/GEMINI.md'));
    home.write('.codex/AGENTS.md', 'No event');
    assert.equal(shown.checkUserFiles(), true);
    assert.ok((await shown.read()).has('rule:~/.codex/AGENTS.md'));
    families = [];
    shown.settingsChanged();
    await shown.read();
    assert.equal(shown.checkUserFiles(), false);
  });

  it('are sent once in the home folder as a workspace, also after a change', async () => {
    const place = home.write('.claude/CLAUDE.md', 'Before');
    const shown = new WorkspaceCatalog({ ...ports, files: () => new WorkspaceFiles([home.path], UTF8_EDITOR) });
    const texts = async (): Promise<unknown> => columns([...(await shown.read()).values()], 'source', 'text');
    assert.deepEqual(await texts(), [
      ['~/.claude/CLAUDE.md', 'Before'],
      ['.claude/CLAUDE.md', null],
    ]);
    home.write('.claude/CLAUDE.md', 'Behind');
    shown.changed({ place, isThere: true });
    assert.deepEqual(await texts(), [
      ['~/.claude/CLAUDE.md', 'Behind'],
      ['.claude/CLAUDE.md', null],
    ]);
  });

  it('can be read only in the folders of the used programs', async () => {
    home.write('.claude/a.md', 'A');
    home.write('.claude/a.json', 'A');
    home.write('.codex/a.md', 'A');
    families = ['claude'];
    const read = async (path: string): Promise<unknown> => (await rules().read(path)).ok;
    assert.deepEqual(
      await Promise.all(['~/.claude/a.md', '~/.claude/a.json', '~/.codex/a.md', '~/.claude/../.codex/a.md', '~/a.md'].map(read)),
      [true, false, false, false, false],
    );
    assert.deepEqual(
      [home.at('.claude/a.md'), home.at('.codex/a.md'), '/elsewhere/.claude/a.md'].map((place) => rules().relative(place)),
      ['~/.claude/a.md', null, null],
    );
  });

  it('are also skills and agents; those of the workspace keep their names', async () => {
    const skill = (name: string): string => `---\nname: ${name}\ndescription: Tides\n---\nOf ${name}`;
    home.write('.claude/skills/pdf/SKILL.md', skill('pdf'));
    home.write('.claude/skills/pdf/node_modules/x/SKILL.md', skill('x'));
    home.write('dotfiles/moon/SKILL.md', skill('moon'));
    symlinkSync(home.at('dotfiles/moon'), home.at('.agents/skills/moon'));
    home.write('.codex/skills/.system/plan/SKILL.md', skill('plan'));
    home.write('.copilot/skills/sun/SKILL.md', skill('sun'));
    home.write('.gemini/skills/ebb/SKILL.md', skill('ebb'));
    home.write('.gemini/skills/ebb/notes.md', 'No skill');
    home.write('.claude/agents/team/reviewer.md', '---\nname: reviewer\n---\nOf the user');
    home.write('.copilot/agents/writer.agent.md', 'Writes');
    home.write('.gemini/agents/auditor.md', '---\nname: auditor\ntools: [read_file, grep_search, run_shell_command]\n---\nAudits');
    workspace.write('.claude/agents/reviewer.md', '---\nname: reviewer\n---\nOf the workspace');
    const shown = catalog();
    const items = [...(await shown.read()).values()];
    assert.deepEqual(columns(items, 'type', 'name', 'source', 'include'), [
      ['skill', 'moon', '~/.agents/skills/moon/SKILL.md', 'agent'],
      ['skill', 'pdf', '~/.claude/skills/pdf/SKILL.md', 'agent'],
      ['skill', 'plan', '~/.codex/skills/.system/plan/SKILL.md', 'agent'],
      ['skill', 'sun', '~/.copilot/skills/sun/SKILL.md', 'agent'],
      ['skill', 'ebb', '~/.gemini/skills/ebb/SKILL.md', 'agent'],
    ]);
    const agents = await shown.profiles();
    assert.deepEqual(columns([...agents.values()], 'name', 'source', 'prompt'), [
      ['reviewer', '.claude/agents/reviewer.md', 'Of the workspace'],
      ['~/.claude/agents/team/reviewer.md', '~/.claude/agents/team/reviewer.md', 'Of the user'],
      ['writer', '~/.copilot/agents/writer.agent.md', 'Writes'],
      ['auditor', '~/.gemini/agents/auditor.md', 'Audits'],
    ]);
    assert.deepEqual(
      agents.get('auditor')?.limit?.allowed?.map(({ tools }) => tools),
      [['read_file'], ['search_text'], ['run_command']],
    );
    assert.deepEqual(listed, []);
    families = [];
    shown.settingsChanged();
    assert.deepEqual([(await shown.read()).size, [...(await shown.profiles()).keys()]], [0, ['reviewer']]);
  });
});
