import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/engine/json.js';
import { WorkspaceFiles } from '../../src/host/context/files/workspaceFiles.js';
import { editFileTool } from '../../src/host/tools/workspace/editFile.js';
import { listFilesTool } from '../../src/host/tools/workspace/listFiles.js';
import { readFileTool } from '../../src/host/tools/workspace/readFile.js';
import { searchTextTool } from '../../src/host/tools/workspace/searchText.js';
import type { WorkspaceTool } from '../../src/host/tools/workspace/workspaceTool.js';
import { sha256 } from '../../src/host/window/systemPorts.js';
import { textOf, UNSTOPPED } from '../support/host/ownTools.js';
import { useTemporaryFolder } from '../unit/files/temporaryFolder.js';

const SECRET = 'the tide turns at nine';

describe('29. a path by which a tool of the workspace is to leave it', () => {
  const folder = useTemporaryFolder();
  let wrote: string[];
  let tools: Readonly<Record<'read' | 'edit' | 'make' | 'list' | 'search', (path: string) => Promise<string>>>;
  beforeEach(() => {
    wrote = [];
    folder.write('outside/secret.txt', `${SECRET}\n`);
    mkdirSync(join(folder.path, 'workspace'));
    symlinkSync(folder.at('outside'), folder.at('workspace/folderLink'));
    symlinkSync(folder.at('outside/secret.txt'), folder.at('workspace/fileLink.txt'));
    symlinkSync('loop.txt', folder.at('workspace/loop.txt'));
    const files = new WorkspaceFiles([folder.at('workspace')]);
    const writer = {
      write: ({ path }: { readonly path: string }) => {
        wrote.push(path);
        return Promise.resolve({ ok: true, hadUnsaved: false } as const);
      },
    };
    const run = async (tool: WorkspaceTool, args: JsonObject): Promise<string> => {
      const outcome = await tool.run(args, UNSTOPPED);
      return `${outcome.isError ? 'Error: ' : ''}${textOf(outcome)}`;
    };
    const edit = editFileTool({ files, writer, sha256 });
    tools = {
      read: (path) => run(readFileTool(files), { path }),
      edit: (path) => run(edit, { path, old_text: SECRET, new_text: 'x' }),
      make: (path) => run(edit, { path, old_text: '', new_text: 'x' }),
      list: (path) =>
        run(
          listFilesTool(() => files),
          { folder: path },
        ),
      search: (path) => run(searchTextTool({ files: () => files, reader: files }), { query: 'tide', folder: path }),
    };
  });

  const PATHS: Readonly<Record<string, () => string>> = {
    'with ..': () => '../outside/secret.txt',
    'with .. in its middle': () => 'src/../../outside/secret.txt',
    'with .. and backslashes': () => '..\\outside\\secret.txt',
    absolute: () => folder.at('outside/secret.txt'),
    'absolute, and of the workspace itself': () => folder.at('workspace/a.txt'),
    'of a drive': () => 'C:\\workspace\\secret.txt',
    'of a drive, in the other letter case': () => 'c:/workspace/secret.txt',
    'of a drive, without a slash': () => 'c:secret.txt',
    'of another computer': () => '\\\\server\\share\\secret.txt',
    'by a link to a folder': () => 'folderLink/secret.txt',
    'by a link to a file': () => 'fileLink.txt',
    'by a link to itself': () => 'loop.txt',
    'with a NUL': () => 'a.txt\0/../../outside/secret.txt',
  };

  for (const [what, path] of Object.entries(PATHS)) {
    it(`${what}: nothing is read, written or told of what is there`, async () => {
      for (const [name, tool] of Object.entries(tools)) {
        const said = await tool(path());
        assert.match(said, /^Error: /, name);
        assert.doesNotMatch(said, /turns at nine/, name);
      }
      assert.deepEqual([wrote, readFileSync(folder.at('outside/secret.txt'), 'utf8')], [[], `${SECRET}\n`]);
    });
  }

  it('is followed by no search and no list of the whole workspace', async () => {
    folder.write('workspace/a.txt', 'no tide here\n');
    assert.doesNotMatch(await tools.search('.'), /turns at nine/);
    assert.match(await tools.search('.'), /a\.txt/);
    assert.equal(await tools.list('.'), 'a.txt');
  });
});
