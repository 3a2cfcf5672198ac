import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { catalogLocations } from '../../../../src/host/context/files/catalogLocations.js';
import { listCatalog, type CatalogListing } from '../../../../src/host/context/files/catalogListing.js';
import { column } from '../../../support/columns.js';
import { textsOf } from '../../../support/host/catalogReading.js';

describe('the files of rules in a workspace folder', () => {
  let folder = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loupe-listing-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function write(...paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), path);
    }
  }

  async function link(target: string, path: string): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await symlink(target, join(folder, path));
  }

  async function listed(): Promise<{ readonly paths: readonly string[]; readonly remarks: readonly string[] }> {
    const { paths, remarks }: CatalogListing = await listCatalog([{ folder, prefix: '' }], [], catalogLocations({}));
    return { paths: column(paths, 'path'), remarks: textsOf(remarks).toSorted() };
  }

  it('are found in links to folders, without a remark', async () => {
    await write('shared/pdf/SKILL.md', 'shared/rules/a.mdc');
    await link('../../shared/pdf', '.claude/skills/pdf');
    await link('../../shared/pdf', '.github/skills/pdf');
    await link('../../shared/rules', '.cursor/rules/shared');
    assert.deepEqual(await listed(), {
      paths: ['.claude/skills/pdf/SKILL.md', '.cursor/rules/shared/a.mdc', '.github/skills/pdf/SKILL.md'],
      remarks: [],
    });
  });

  it('are found beside links to the same folder, to nothing and out of the workspace, which are named', async () => {
    await write('.loupe/rules/a.md');
    await link('.', '.loupe/rules/again');
    await link('missing', '.loupe/rules/gone');
    await link(tmpdir(), '.loupe/rules/out');
    assert.deepEqual(await listed(), {
      paths: ['.loupe/rules/a.md'],
      remarks: [
        '.loupe/rules/again is a link to a folder that contains it.',
        '.loupe/rules/gone does not exist.',
        '.loupe/rules/out links to a place outside the workspace.',
      ],
    });
  });

  it('are not those of installed packages', async () => {
    await write('.claude/skills/a/SKILL.md', '.claude/skills/a/node_modules/b/SKILL.md');
    assert.deepEqual((await listed()).paths, ['.claude/skills/a/SKILL.md']);
  });

  it('with another name are named, once for each folder', async () => {
    await write(
      ...['.github/instructions/css.md', '.github/instructions/html.md', '.github/instructions/a.instructions.md'],
      ...['.cursor/rules/notes.txt', '.cursor/rules/logo.png', '.roo/commands/a.md', '.clinerules/workflows/a.md'],
      ...['.claude/skills/a/SKILL.md', '.claude/skills/a/notes.md', '.loupe/agents/sub/a.md'],
    );
    assert.deepEqual((await listed()).remarks, [
      'Loupe does not read .cursor/rules/notes.txt. Loupe reads files with names such as *.mdc or *.md.',
      'Loupe does not read .github/instructions/css.md and 1 more in .github/instructions. Loupe reads files with names such as *.instructions.md.',
    ]);
  });
});
