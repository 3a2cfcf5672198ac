import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { WorkspaceFiles } from '../../../../src/host/context/files/workspaceFiles.js';
import { withSetupCheck } from '../../../../src/host/tools/workspace/setupFiles.js';
import { succeededCall, type WorkspaceTool } from '../../../../src/host/tools/workspace/workspaceTool.js';
import { toolNamed } from '../../../support/host/toolServer.js';
import { UTF8_EDITOR } from '../../../support/utf8Editor.js';
import { useTemporaryFolder } from '../../files/temporaryFolder.js';

describe('An edit of a file that can start programs', () => {
  const folder = useTemporaryFolder();
  const found = async (path: unknown, root: string): Promise<string | null> => {
    const files = new WorkspaceFiles([root], UTF8_EDITOR);
    const tool: WorkspaceTool = { ...toolNamed('edit_file'), run: () => Promise.resolve(succeededCall('')) };
    return (await withSetupCheck(tool, { resolved: (each) => files.resolved(each) }).setupFile?.({ path } as never)) ?? null;
  };

  it('is found by its path, in any case and with missing files', async () => {
    for (const path of [
      '.git/config',
      'sub/.git/hooks/post-commit',
      '.vscode/tasks.json',
      '.GIT/config',
      '.mcp.json',
      'a/b.code-workspace',
    ]) {
      assert.equal(await found(path, folder.path), path);
    }
    assert.equal(await found('./.vscode//settings.json', folder.path), '.vscode/settings.json');
    for (const path of ['src/a.ts', '.github/workflows/a.yml', 'src/.gitignore', 'git/config', '../.git/config', '/.git/config', 7]) {
      assert.equal(await found(path, folder.path), null, String(path));
    }
  });

  it('is found behind links, but not by the place of the workspace folder', async () => {
    folder.write('.git/config', '[core]');
    symlinkSync(folder.at('.git'), folder.at('docs'));
    symlinkSync(folder.at('.git/config'), folder.at('notes.txt'));
    assert.equal(await found('docs/hooks/pre-commit', folder.path), 'docs/hooks/pre-commit');
    assert.equal(await found('notes.txt', folder.path), 'notes.txt');
    mkdirSync(folder.at('.vscode/extensions/mine'), { recursive: true });
    assert.equal(await found('a.ts', folder.at('.vscode/extensions/mine')), null);
  });
});
