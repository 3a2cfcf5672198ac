import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { WorkspaceCatalog } from '../../../src/host/context/catalog/workspaceCatalog.js';
import { SecretFiles } from '../../../src/host/context/secretFiles.js';
import { SkillFiles } from '../../../src/host/context/files/skillFiles.js';
import { catalogLocations } from '../../../src/host/context/files/catalogLocations.js';
import { UserFiles, type UserFamily } from '../../../src/host/context/files/userFiles.js';
import { WorkspaceFiles } from '../../../src/host/context/files/workspaceFiles.js';
import { readFileTool } from '../../../src/host/tools/workspace/readFile.js';
import { answer } from '../../support/host/ownTools.js';
import { UTF8_EDITOR } from '../../support/utf8Editor.js';
import { useTemporaryFolder } from './temporaryFolder.js';

describe('read_file with a skill of the user', () => {
  const home = useTemporaryFolder();
  const workspace = useTemporaryFolder();
  let families: readonly UserFamily[] = [];
  let isTrusted = true;
  const allowed = new Set<string>();

  const files = (): WorkspaceFiles => new WorkspaceFiles([workspace.path], UTF8_EDITOR);
  const user = (): UserFiles => new UserFiles(home.path, new Set(families), UTF8_EDITOR);
  const tool = (): ReturnType<typeof readFileTool> => {
    const catalog = new WorkspaceCatalog({
      files,
      findNested: () => Promise.resolve([]),
      locations: () => catalogLocations({}),
      isTrusted: () => isTrusted,
      includes: () => new Map(),
      ruleFamilies: () => null,
      userFiles: user,
      servers: () => [],
      logInfo: (text) => assert.fail(text),
      logError: (error) => assert.fail(error),
    });
    const skills = new SkillFiles({ catalog: () => catalog.read(), user });
    const questions = {
      isAllowed: (name: string) => allowed.has(name),
      allow: (names: readonly string[]) => {
        names.forEach((name) => allowed.add(name));
        return Promise.resolve();
      },
    };
    const resolved = async (path: string): Promise<string> => (await skills.resolved(path)) ?? files().resolved(path);
    const reader = skills.reader(files());
    return readFileTool(reader, reader, new SecretFiles({ questions, resolved }));
  };
  const read = (path: string): Promise<string> => answer(tool(), { path });

  beforeEach(() => {
    families = ['claude'];
    isTrusted = true;
    allowed.clear();
    home.write('.claude/skills/pdf/SKILL.md', '---\nname: pdf\ndescription: Forms\n---\nSee forms.md.');
    home.write('.claude/skills/pdf/forms.md', 'Fill in the form.');
    home.write('.claude/skills/pdf/scripts/fill.py', 'print()');
    home.write('.claude/.credentials.json', 'Key');
    home.write('.claude/CLAUDE.md', 'Mine');
    home.write('.ssh/id', 'Key');
    workspace.write('a.txt', 'Tides');
  });

  it('reads the files in the folder of the skill, at any depth, and those of the workspace', async () => {
    assert.equal(await read('~/.claude/skills/pdf/forms.md'), '1\tFill in the form.');
    assert.equal(await read('~/.claude/skills/pdf/scripts/fill.py'), '1\tprint()');
    assert.equal(await read('a.txt'), '1\tTides');
  });

  it('reads nothing else of the home folder', async () => {
    for (const path of [
      ...['~/.claude/.credentials.json', '~/.claude/CLAUDE.md', '~/.ssh/id', '~/.claude/skills/pdf', '~/.claude/skills/pdf/none.md'],
      ...['~/.claude/skills/pdf/../../.credentials.json', '~/.claude/skills/pdf/../../../.ssh/id', home.at('.ssh/id')],
      '~/.claude/skills/pdfs/forms.md',
    ]) {
      assert.match(await read(path), /^Error: /, path);
    }
  });

  it('follows no link out of the folder of the skill, but a link to this folder', async () => {
    symlinkSync(home.at('.ssh/id'), home.at('.claude/skills/pdf/notes.md'));
    symlinkSync(home.at('.ssh'), home.at('.claude/skills/pdf/more'));
    const refused = /^Error: .* links to a place outside ~\/\.claude\/skills\/pdf\.$/;
    assert.match(await read('~/.claude/skills/pdf/notes.md'), refused);
    assert.match(await read('~/.claude/skills/pdf/more/id'), refused);
    assert.match(await read('~/.claude/skills/pdf/more/none'), refused, 'it does not tell which files exist');
    home.write('dotfiles/moon/SKILL.md', '---\nname: moon\ndescription: Moon\n---\nSee phases.md.');
    home.write('dotfiles/moon/phases.md', 'Full');
    home.write('dotfiles/other.md', 'Other');
    symlinkSync(home.at('dotfiles/moon'), home.at('.claude/skills/moon'));
    symlinkSync(home.at('dotfiles/other.md'), home.at('dotfiles/moon/other.md'));
    assert.equal(await read('~/.claude/skills/moon/phases.md'), '1\tFull');
    assert.match(await read('~/.claude/skills/moon/other.md'), /outside/);
  });

  it('reads no skill of a program that the setting does not name, and none in Restricted Mode', async () => {
    families = ['codex'];
    assert.match(await read('~/.claude/skills/pdf/forms.md'), /^Error: /);
    families = ['claude'];
    isTrusted = false;
    assert.match(await read('~/.claude/skills/pdf/forms.md'), /^Error: /);
  });

  it('asks before it reads a file with secrets, also behind a link with another name, for this file alone', async () => {
    home.write('.claude/skills/pdf/.env', 'TIDE_TOKEN=high');
    home.write('.claude/skills/pdf/sub/.env', 'TIDE_TOKEN=low');
    symlinkSync(home.at('.claude/skills/pdf/.env'), home.at('.claude/skills/pdf/settings.txt'));
    const secret = await tool().secretRead?.({ path: '~/.claude/skills/pdf/settings.txt' });
    assert.equal(secret?.by, 'name');
    await secret.allow();
    assert.deepEqual([...allowed], ['~/.claude/skills/pdf/.env']);
    assert.equal(await read('~/.claude/skills/pdf/.env'), '1\tTIDE_TOKEN=high');
    assert.equal((await tool().secretRead?.({ path: '~/.claude/skills/pdf/sub/.env' }))?.by, 'name');
  });
});
