import assert from 'node:assert/strict';
import { watch } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastRun } from '../../../../src/engine/chat/branch.js';
import { WorkspaceFiles } from '../../../../src/host/context/files/workspaceFiles.js';
import { FileRestores } from '../../../../src/host/chat/files/fileRestores.js';
import { FileTexts } from '../../../../src/host/chat/files/fileTexts.js';
import { ChangedFiles } from '../../../../src/host/tools/changedFiles.js';
import { editFileTool } from '../../../../src/host/tools/workspace/editFile.js';
import type { FileWriter } from '../../../../src/host/context/files/fileWriter.js';
import { listFilesTool } from '../../../../src/host/tools/workspace/listFiles.js';
import { readFileTool } from '../../../../src/host/tools/workspace/readFile.js';
import { runCommandTool } from '../../../../src/host/tools/workspace/runCommand.js';
import { searchTextTool } from '../../../../src/host/tools/workspace/searchText.js';
import { WorkspaceServer } from '../../../../src/host/tools/workspace/workspaceServer.js';
import { sha256, systemClock } from '../../../../src/host/window/systemPorts.js';
import { columns } from '../../../support/columns.js';
import { messages } from '../../../support/host/reading.js';
import { editLine } from '../../../support/host/editFile.js';
import { toolboxWith } from '../../../support/host/toolServer.js';
import { useWindows } from '../../../support/host/window.js';
import { OrphanReaper } from '../../../../src/tools/mcp/transport/orphanReaper.js';
import { useTemporaryFolder } from '../../files/temporaryFolder.js';
import { UTF8_EDITOR } from '../../../support/utf8Editor.js';
import { NO_SECRETS } from '../../../support/host/ownTools.js';

describe('a chat with the tools of the workspace', () => {
  const windows = useWindows();
  const folder = useTemporaryFolder();

  const writer: FileWriter = {
    async write({ path, after }) {
      const place = folder.at(path);
      await (after === null ? rm(place) : writeFile(place, after));
      return { ok: true, hadUnsaved: false };
    },
  };

  it('does a task of ten calls, records what they wrote, and has it put back before an edit of the message', async () => {
    folder.write('src/tide.ts', 'export const tide = 1;\n');
    folder.write('out.txt', 'old\n');
    const files = new WorkspaceFiles([folder.path], UTF8_EDITOR);
    const tools = [
      listFilesTool(() => files),
      readFileTool(files, files, NO_SECRETS),
      searchTextTool({ files: () => files, reader: files, secrets: NO_SECRETS }),
      editFileTool({ files, writer, sha256 }),
      runCommandTool({
        folder: (path) => files.folder(path),
        reaper: new OrphanReaper(),
        show: () => ({ write: () => undefined, ended: () => undefined, signal: new AbortController().signal }),
      }),
    ];
    const own = new WorkspaceServer(tools, [], () => ['file:///work']);
    const allowed = {
      before: () => Promise.resolve({ isStillValid: true, tool: { description: '', inputSchema: {}, identity: '' } }),
      allow: () => Promise.resolve(),
      revoke: () => Promise.resolve(),
      list: () => Promise.resolve({ approvals: [], unreadable: [] }),
    };
    const watchFiles = () =>
      new ChangedFiles({
        files: () => files,
        open: () => [join(folder.path, 'out.txt')],
        watch: ({ changed }) => {
          const watcher = watch(folder.path, { recursive: true }, (_, name) => {
            changed(join(folder.path, name ?? ''));
          });
          return { dispose: watcher.close.bind(watcher) };
        },
        sha256,
        logInfo: (text) => assert.fail(text),
        logError: (error) => assert.fail(error.message),
      });
    const toolbox = { ...toolboxWith([own], folder.path), always: allowed };
    const { chats } = windows.open({ toolbox, watchFiles, clock: systemClock });
    const session = await chats.create();
    const task = [
      '/tool list_files {}',
      '/tool search_text {"query":"tide"}',
      '/tool read_file {"path":"src/tide.ts"}',
      editLine('src/tide.ts', '1', '2'),
      editLine('src/tide.ts', 'gone', '3'),
      '/tool read_file {"path":"src/tide.ts"}',
      editLine('src/tide.ts', '= 2', '= 3'),
      editLine('src/ebb.ts', '', 'export const ebb = 0;\n'),
      '/tool run_command {"command":"cat src/*.ts > out.txt; echo built"}',
      '/tool list_files {"folder":"src"}',
    ];
    await session.conversation.send(task.join('\n'));

    const results = messages(session.state).flatMap((message) => (message.role === 'tool-results' ? message.parts : []));
    const texts = results.map(({ content }) => content.map((item) => (item.type === 'text' ? item.text : '')).join(''));
    assert.deepEqual(
      [texts.length, texts[2], texts[3], texts[7], texts[8], texts[9]],
      [
        10,
        '1\texport const tide = 1;',
        'Edited src/tide.ts (+1 -1 lines).',
        'Made src/ebb.ts (+1 -0 lines).',
        'Exit code 0.\n\nbuilt\n',
        'src/ebb.ts\nsrc/tide.ts',
      ],
    );
    assert.match(texts[4] ?? '', /it has changed since it was read/);
    const run = lastRun(session.state);
    const written = run?.roundEdits.flatMap(({ edits }) => edits.map(({ path, noCopy, added }) => [path, noCopy, added]));
    assert.deepEqual(written, [['out.txt', null, 2]]);

    const restores = new FileRestores({
      open: chats.open.bind(chats),
      texts: new FileTexts({
        blobs: (chatId) => chats.exported.blobs(chatId),
        files,
        sha256,
        logError: (error) => assert.fail(error.message),
      }),
      writer,
      showDifference: () => Promise.resolve(),
    });
    const asked = messages(session.state).find(({ role }) => role === 'user')?.id ?? '';
    const offered = await restores.restorable(session.id, asked);
    assert.deepEqual(columns(offered, 'path', 'action', 'isChangedSince'), [
      ['src/tide.ts', 'write', false],
      ['src/ebb.ts', 'delete', false],
      ['out.txt', 'write', false],
    ]);
    const restore = await restores.restorer(
      session.id,
      asked,
      offered.map(({ path }) => path),
    );
    await session.conversation.edit(asked, '/long 2');
    assert.deepEqual(await restore(), []);
    assert.deepEqual(
      [await readFile(folder.at('src/tide.ts'), 'utf8'), await readFile(folder.at('out.txt'), 'utf8'), await files.existing('src/ebb.ts')],
      ['export const tide = 1;\n', 'old\n', null],
    );
  });
});
