import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { catalogLocations } from '../../../src/host/context/files/catalogLocations.js';
import { WorkspaceFiles } from '../../../src/host/context/files/workspaceFiles.js';
import { columns } from '../../support/columns.js';
import { UTF8_EDITOR } from '../../support/utf8Editor.js';
import { useTemporaryFolder } from './temporaryFolder.js';

describe("the folders in VS Code's settings for prompts, agents and instructions", () => {
  const folder = useTemporaryFolder();

  it('are read in each workspace folder, at any depth, and the usual ones unless they are turned off', async () => {
    for (const path of [
      ...['docs/prompts/review.prompt.md', 'docs/prompts/sub/plan.prompt.md', 'docs/prompts/README.md', '.github/prompts/a.prompt.md'],
      ...[
        'team/agents/writer.agent.md',
        'team/agents/notes.md',
        '.github/agents/reviewer.md',
        'team/modes/ask.chatmode.md',
        'team/rules/ts.instructions.md',
      ],
    ]) {
      folder.write(path, path);
    }
    const locations = catalogLocations({
      'chat.promptFilesLocations': { './docs/prompts/': true, '.github/prompts': false, 'docs/off': false },
      'chat.agentFilesLocations': { 'team/agents': true, '.github/agents': true },
      'chat.modeFilesLocations': { 'team/modes': true },
      'chat.instructionsFilesLocations': { 'team/rules': true, '.cursor/rules': true },
    });
    const { paths, remarks } = await new WorkspaceFiles([folder.path], UTF8_EDITOR).catalogPaths([], locations);
    assert.deepEqual(columns(paths, 'source', 'path'), [
      ['.github/agents/reviewer.md', '.github/agents/reviewer.md'],
      ['docs/prompts/review.prompt.md', '.github/prompts/review.prompt.md'],
      ['team/agents/writer.agent.md', '.github/agents/writer.agent.md'],
      ['team/modes/ask.chatmode.md', '.github/chatmodes/ask.chatmode.md'],
      ['team/rules/ts.instructions.md', '.github/instructions/ts.instructions.md'],
      ['docs/prompts/sub/plan.prompt.md', '.github/prompts/sub/plan.prompt.md'],
    ]);
    assert.deepEqual([remarks, locations.problems], [[], []]);
  });

  it('are named if they are outside the workspace or have a pattern; other values count for nothing, as in VS Code', () => {
    const { folders, off, problems } = catalogLocations({
      'chat.promptFilesLocations': { '~/prompts': true, '/etc': true, '../up': true, 'a/**/prompts': true, 'C:\\x': true, good: true },
      'chat.agentFilesLocations': { a: 'true', '': true, b: null },
      'chat.modeFilesLocations': ['a'],
      'chat.instructionsFilesLocations': null,
    });
    assert.deepEqual([folders, off.size], [[{ folder: 'good', as: '.github/prompts' }], 0]);
    assert.deepEqual(
      problems.map((text) => /^Loupe does not read (.+) of the setting chat\.promptFilesLocations\./.exec(text)?.[1]),
      ['~/prompts', '/etc', '../up', 'a/**/prompts', 'C:\\x'],
    );
  });

  it('lead nowhere outside of the workspace through a link', async () => {
    const outside = folder.write('outside/a.prompt.md', 'Outside');
    folder.write('workspace/a.txt', 'a');
    symlinkSync(folder.at('outside'), folder.at('workspace/prompts'));
    const files = new WorkspaceFiles([folder.at('workspace')], UTF8_EDITOR);
    const { paths } = await files.catalogPaths([], catalogLocations({ 'chat.promptFilesLocations': { prompts: true } }));
    const reads = await Promise.all(paths.map(({ source }) => files.read(source)));
    assert.ok(outside !== '' && reads.every((read) => !read.ok));
  });
});
