import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import type { JsonObject } from '../../../../src/engine/json.js';
import { WorkspaceFiles } from '../../../../src/host/context/files/workspaceFiles.js';
import { editFileTool } from '../../../../src/host/tools/workspace/editFile.js';
import { listFilesTool } from '../../../../src/host/tools/workspace/listFiles.js';
import { readFileTool } from '../../../../src/host/tools/workspace/readFile.js';
import { runCommandTool } from '../../../../src/host/tools/workspace/runCommand.js';
import { searchTextTool } from '../../../../src/host/tools/workspace/searchText.js';
import { sha256 } from '../../../../src/host/window/systemPorts.js';
import { NO_SECRETS, answer } from '../../../support/host/ownTools.js';
import { OrphanReaper } from '../../../../src/tools/mcp/transport/orphanReaper.js';
import { useTemporaryFolder } from '../../files/temporaryFolder.js';
import { UTF8_EDITOR } from '../../../support/utf8Editor.js';

describe('the tools of a workspace of several folders', () => {
  const outer = useTemporaryFolder();
  let files: WorkspaceFiles;
  let shown: string[];
  beforeEach(() => {
    outer.write('tides/a.ts', 'low\n');
    outer.write('maps/a.ts', 'high\n');
    outer.write('maps/src/b.ts', 'high and low\n');
    files = new WorkspaceFiles([outer.at('tides'), outer.at('maps')], UTF8_EDITOR);
    shown = [];
  });

  const run = (args: JsonObject): Promise<string> =>
    answer(
      runCommandTool({
        folder: (path) => files.folder(path),
        reaper: new OrphanReaper(),
        show: (command, folder) => {
          shown.push(`${folder} $ ${command}`);
          return { write: () => undefined, ended: () => undefined, signal: new AbortController().signal };
        },
      }),
      args,
    );

  it('give each file the name of its folder, and take that name for one of the second folder', async () => {
    const lister = (): WorkspaceFiles => files;
    assert.equal(await answer(listFilesTool(lister), {}), 'tides/a.ts\nmaps/a.ts\nmaps/src/b.ts');
    assert.equal(await answer(listFilesTool(lister), { folder: 'maps' }), 'maps/a.ts\nmaps/src/b.ts');
    assert.equal(await answer(readFileTool(files, files, NO_SECRETS), { path: 'maps/a.ts' }), '1\thigh');
    const search = searchTextTool({ files: lister, reader: files, secrets: NO_SECRETS });
    assert.equal(await answer(search, { query: 'low' }), 'tides/a.ts\n1: low\nmaps/src/b.ts\n1: high and low');
    const writer = {
      async write({ path, after }: { path: string; after: string | null }) {
        await writeFile((await files.diskPath(path)) ?? '', after ?? '');
        return { ok: true as const, hadUnsaved: false };
      },
    };
    const edit = { path: 'maps/a.ts', old_text: 'high', new_text: 'HIGH' };
    assert.equal(await answer(editFileTool({ files, writer, sha256 }), edit), 'Edited maps/a.ts (+1 -1 lines).');
    assert.deepEqual([await readFile(outer.at('maps/a.ts'), 'utf8'), await readFile(outer.at('tides/a.ts'), 'utf8')], ['HIGH\n', 'low\n']);
  });

  it('say which names there are when a path has none of them', async () => {
    const names = 'The path must begin with the name of a workspace folder: tides/, maps/';
    assert.equal(await answer(readFileTool(files, files, NO_SECRETS), { path: 'src/b.ts' }), `Error: src/b.ts does not exist. ${names}`);
    assert.equal(await run({ command: 'ls', folder: 'src' }), `Error: The command did not run: src does not exist. ${names}`);
  });

  it('run a command in the folder that is named, and in the first one without a name', async () => {
    const told = (output: string): string => `Exit code 0.\n\n${output}\n`;
    assert.equal(await run({ command: 'cat a.ts' }), told('low'));
    assert.equal(await run({ command: 'cat a.ts', folder: 'maps' }), told('high'));
    assert.equal(await run({ command: 'cat b.ts', folder: 'maps/src/' }), told('high and low'));
    assert.deepEqual(shown, [' $ cat a.ts', 'maps $ cat a.ts', 'maps/src $ cat b.ts']);
  });

  it('run no command outside of the workspace, in a file or in a folder that is not there', async () => {
    mkdirSync(outer.at('other'));
    assert.match(await run({ command: 'ls', folder: '../other' }), /^Error: The arguments do not fit the tool\. folder/);
    assert.match(await run({ command: 'ls', folder: outer.at('other') }), /^Error: The arguments do not fit the tool\. folder/);
    assert.equal(await run({ command: 'ls', folder: 'maps/a.ts' }), 'Error: The command did not run: maps/a.ts is not a folder.');
    assert.equal(await run({ command: 'ls', folder: 'maps/gone' }), 'Error: The command did not run: maps/gone does not exist.');
    assert.deepEqual(shown, []);
  });
});
