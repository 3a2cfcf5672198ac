import assert from 'node:assert/strict';
import { readFile, symlink } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { JsonObject } from '../../src/engine/json.js';
import type { CallOutcome } from '../../src/engine/tools/offered.js';
import { editedFiles } from '../../src/host/context/editedFiles.js';
import { FileQuestions } from '../../src/host/context/fileQuestions.js';
import { OrphanReaper } from '../../src/tools/mcp/transport/orphanReaper.js';
import { SkillFiles } from '../../src/host/context/files/skillFiles.js';
import { WorkspaceFiles } from '../../src/host/context/files/workspaceFiles.js';
import { EditDocuments } from '../../src/host/tools/editDocuments.js';
import { watchFiles } from '../../src/host/tools/windowWatch.js';
import { CommandTerminals } from '../../src/host/tools/workspace/commandTerminals.js';
import { editFileTool } from '../../src/host/tools/workspace/editFile.js';
import { editorWriter } from '../../src/host/tools/workspace/editorWriter.js';
import { ownServer } from '../../src/host/tools/workspace/ownServer.js';
import { runCommandTool } from '../../src/host/tools/workspace/runCommand.js';
import { folderPaths } from '../../src/host/window/folders.js';
import { sha256 } from '../../src/host/window/systemPorts.js';
import { fileUri, until, writeFile } from '../support/host/extension.js';
import { textOf, UNSTOPPED } from '../support/host/ownTools.js';
import { editorEncodings } from '../../src/host/context/editorEncodings.js';

const files = (): WorkspaceFiles => new WorkspaceFiles(folderPaths(), editorEncodings);

async function onDisk(path: string): Promise<string | null> {
  return readFile(fileUri(path).fsPath, 'utf8').catch(() => null);
}

async function opened(path: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(fileUri(path)));
}

async function typeAtStart(editor: vscode.TextEditor, text: string): Promise<void> {
  const typed = await editor.edit((edit) => {
    edit.insert(new vscode.Position(0, 0), text);
  });
  assert.ok(typed);
}

async function undo(): Promise<void> {
  await vscode.commands.executeCommand('undo');
}

async function closeEditors(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

describe("Loupe's own tools in VS Code", () => {
  it('know files with secrets and files that can start programs, also behind links', async () => {
    const memory = { get: () => [], update: () => Promise.resolve() } as Pick<vscode.Memento, 'get' | 'update'>;
    const subscriptions: vscode.Disposable[] = [];
    const server = ownServer({
      context: { subscriptions },
      files,
      skills: new SkillFiles({ catalog: () => Promise.resolve(new Map()), user: () => assert.fail('No file of the user is read.') }),
      pages: { load: () => assert.fail('No page is loaded.') },
      writer: editorWriter(files),
      sha256,
      fileQuestions: new FileQuestions(memory),
      folders: () => ['file:///work'],
    });
    await writeFile('guarded/.env', 'TIDE=high\n');
    await symlink(fileUri('guarded/.env').fsPath, fileUri('guarded/notes.txt').fsPath);
    const args = (path: string): JsonObject => ({ path, old_text: 'a', new_text: 'b' });
    assert.equal((await server.secretRead?.('read_file', { path: 'guarded/notes.txt' }))?.by, 'name');
    assert.equal(await server.setupFile?.('edit_file', args('.git/config')), '.git/config');
    assert.equal(await server.setupFile?.('edit_file', args('guarded/a.ts')), null);
    assert.equal(await server.setupFile?.('read_file', { path: '.git/config' }), null);
    vscode.Disposable.from(...subscriptions).dispose();
  });
});

describe('edit_file in VS Code', () => {
  const writer = editorWriter(files);
  const tool = editFileTool({ files: editedFiles(files), writer, sha256 });
  const edit = (path: string, oldText: string, newText: string): Promise<CallOutcome> =>
    tool.run({ path, old_text: oldText, new_text: newText } satisfies JsonObject, UNSTOPPED);

  afterEach(closeEditors);

  it('saves the file, and the user can undo it in the editor', async () => {
    await writeFile('edited.ts', 'one\ntwo\nthree\n');
    const editor = await opened('edited.ts');
    editor.selection = new vscode.Selection(2, 1, 2, 3);
    const outcome = await edit('edited.ts', 'two', '2\n2');
    assert.equal(textOf(outcome), 'Edited edited.ts (+2 -1 lines).');
    assert.deepEqual([await onDisk('edited.ts'), editor.document.isDirty], ['one\n2\n2\nthree\n', false]);
    assert.equal(outcome.edits[0]?.after, sha256('one\n2\n2\nthree\n'));
    assert.deepEqual([editor.selection.start.line, editor.selection.start.character], [3, 1], 'the selection stays in its line');
    await undo();
    assert.equal(editor.document.getText(), 'one\ntwo\nthree\n');
  });

  it('keeps what the user has not saved, says so, and has the unsaved text as the earlier copy', async () => {
    await writeFile('kept.ts', 'one\ntwo\n');
    const editor = await opened('kept.ts');
    await typeAtStart(editor, '// mine\n');
    const outcome = await edit('kept.ts', 'two', '2');
    assert.match(textOf(outcome), /^Edited .* The user had unsaved changes in it\. They are kept, and saved with the edit\.$/);
    assert.equal(await onDisk('kept.ts'), '// mine\none\n2\n');
    assert.equal(new TextDecoder().decode(outcome.edits[0]?.earlier ?? undefined), '// mine\none\ntwo\n');
  });

  it('finds the text where the user has typed it, and not where the user has removed it', async () => {
    await writeFile('typed.ts', 'one\n');
    const editor = await opened('typed.ts');
    await typeAtStart(editor, 'zero\n');
    assert.match(textOf(await edit('typed.ts', 'zero', '0')), /^Edited/);
    await editor.edit((change) => {
      change.delete(new vscode.Range(1, 0, 2, 0));
    });
    assert.match(textOf(await edit('typed.ts', 'one', '1')), /^Nothing was changed\. typed\.ts does not have old_text/);
    assert.equal(editor.document.getText(), '0\n');
  });

  it('refuses to write over what has changed since it was read', async () => {
    await writeFile('raced.ts', 'one\n');
    const wrote = await writer.write({ path: 'raced.ts', before: 'another\n', after: 'two\n' });
    assert.deepEqual([wrote.ok, await onDisk('raced.ts')], [false, 'one\n']);
    assert.match(wrote.ok ? '' : wrote.reason, /^raced\.ts has changed since it was read/);
    const gone = await writer.write({ path: 'gone.ts', before: 'one\n', after: 'two\n' });
    assert.match(gone.ok ? '' : gone.reason, /^gone\.ts is not there any more/);
    const there = await writer.write({ path: 'raced.ts', before: null, after: 'two\n' });
    assert.match(there.ok ? '' : there.reason, /^raced\.ts is there by now/);
  });

  it('reads a file in UTF-16 with a byte order mark, and saves an edit in the same encoding', async () => {
    const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
    await vscode.workspace.fs.writeFile(fileUri('utf16.txt'), utf16('Größe: 1\n'));
    assert.deepEqual(await files().read('utf16.txt'), { ok: true, content: 'Größe: 1\n', bytes: 20 });
    assert.match(textOf(await edit('utf16.txt', 'Größe: 1', 'Größe: 2')), /^Edited utf16\.txt/);
    assert.deepEqual(await readFile(fileUri('utf16.txt').fsPath), utf16('Größe: 2\n'));
  });

  it('reads a file in the encoding of `files.encoding`, and saves an edit in the same encoding', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    // The word "test" in Japanese, in Shift-JIS.
    const shiftJis = Buffer.from('83658358836731', 'hex');
    await vscode.workspace.fs.writeFile(fileUri('japanese.txt'), shiftJis);
    const undecided = await files().read('japanese.txt');
    assert.match(undecided.ok ? '' : undecided.reason, /is not valid text in its encoding/);
    await settings.update('encoding', 'shiftjis', vscode.ConfigurationTarget.Global);
    try {
      assert.deepEqual(await files().read('japanese.txt'), { ok: true, content: 'テスト1', bytes: 7 });
      assert.match(textOf(await edit('japanese.txt', 'テスト1', 'テスト2')), /^Edited japanese\.txt/);
      assert.deepEqual(await readFile(fileUri('japanese.txt').fsPath), Buffer.from('83658358836732', 'hex'));
    } finally {
      await settings.update('encoding', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('refuses characters that the encoding of the file lacks', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    await settings.update('encoding', 'windows1252', vscode.ConfigurationTarget.Global);
    try {
      await vscode.workspace.fs.writeFile(fileUri('latin.txt'), Buffer.from('Größe\n', 'latin1'));
      const lacks = /The encoding of \w+\.txt in VS Code lacks characters of the new text\./;
      assert.match(textOf(await edit('latin.txt', 'Größe', 'Größe →')), lacks);
      assert.match(textOf(await edit('arrow.txt', '', '→')), lacks);
      assert.deepEqual([await readFile(fileUri('latin.txt').fsPath, 'latin1'), await onDisk('arrow.txt')], ['Größe\n', null]);
      assert.match(textOf(await edit('latin.txt', 'Größe', 'Höhe')), /^Edited latin\.txt/);
      assert.equal(await readFile(fileUri('latin.txt').fsPath, 'latin1'), 'Höhe\n');
    } finally {
      await settings.update('encoding', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('says that nothing was changed where the file is read-only in VS Code', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    await writeFile('locked.ts', 'one\n');
    await settings.update('readonlyInclude', { '**/locked.ts': true }, vscode.ConfigurationTarget.Global);
    try {
      const told = 'Nothing was changed. locked.ts is read-only in VS Code. The user has to make its editor writable first.';
      assert.equal(textOf(await edit('locked.ts', 'one', '1')), told);
      assert.equal(await onDisk('locked.ts'), 'one\n');
    } finally {
      await settings.update('readonlyInclude', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('says that the edit is in the editor where VS Code does not take it back', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    const { applyEdit } = vscode.workspace;
    const results: boolean[] = [];
    await writeFile('shown.ts', 'one\n');
    await settings.update('readonlyInclude', { '**/shown.ts': true }, vscode.ConfigurationTarget.Global);
    // The first edit is the model's, the second reverts it.
    vscode.workspace.applyEdit = async (change) => {
      results.push(results.length === 0 && (await applyEdit(change)));
      return results.at(-1) ?? false;
    };
    try {
      const told = textOf(await edit('shown.ts', 'one', '1'));
      assert.match(told, /^shown\.ts is read-only in VS Code\. .* VS Code shows the edit there, .* Do not make the edit again\.$/);
      assert.deepEqual(results, [true, false]);
    } finally {
      vscode.workspace.applyEdit = applyEdit;
      await settings.update('readonlyInclude', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('says that the edit is in the editor where VS Code does not save it: what the user has not saved has changed on disk', async () => {
    await writeFile('both.ts', 'one\n');
    const editor = await opened('both.ts');
    await typeAtStart(editor, '// mine\n');
    await writeFile('both.ts', 'one, and more from elsewhere\n');
    const told = textOf(await edit('both.ts', 'one', '1'));
    assert.match(told, /^both\.ts is edited in its editor, but VS Code did not save it, and shows why in a notification\./);
    assert.match(told, / Do not make the edit again\.$/);
    assert.deepEqual([editor.document.getText(), await onDisk('both.ts')], ['// mine\n1\n', 'one, and more from elsewhere\n']);
  });

  it('keeps line ends and the byte order mark', async () => {
    await writeFile('windows.ts', '\uFEFFone\r\ntwo\r\n');
    assert.equal(textOf(await edit('windows.ts', 'two\n', '2\n3\n')), 'Edited windows.ts (+2 -1 lines).');
    assert.equal(await onDisk('windows.ts'), '\uFEFFone\r\n2\r\n3\r\n');
    const editor = await opened('windows.ts');
    await typeAtStart(editor, 'zero\n');
    assert.match(textOf(await edit('windows.ts', '2', '4')), /saved with the edit\.$/);
    assert.equal(await onDisk('windows.ts'), '\uFEFFzero\r\none\r\n4\r\n3\r\n');
  });

  it('makes a file in a new folder, and deletes one that is as it was', async () => {
    assert.equal(textOf(await edit('made/by/tool.ts', '', 'new\n')), 'Made made/by/tool.ts (+1 -0 lines).');
    assert.equal(await onDisk('made/by/tool.ts'), 'new\n');
    const changed = await writer.write({ path: 'made/by/tool.ts', before: 'other\n', after: null });
    assert.deepEqual([changed.ok, await onDisk('made/by/tool.ts')], [false, 'new\n']);
    assert.deepEqual(await writer.write({ path: 'made/by/tool.ts', before: 'new\n', after: null }), { ok: true, hadUnsaved: false });
    assert.equal(await onDisk('made/by/tool.ts'), null);
  });
});

describe('the difference that an edit would make', () => {
  it('opens as any difference in VS Code, in the language of the file', async () => {
    const documents = new EditDocuments();
    try {
      await documents.show({ path: 'src/tide.ts', before: 'one\n', after: 'two\n', label: 'edit_file' });
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
      assert.equal(tab?.label, 'tide.ts (edit_file)');
      assert.ok(tab.input instanceof vscode.TabInputTextDiff);
      const sides = await Promise.all([tab.input.original, tab.input.modified].map((uri) => vscode.workspace.openTextDocument(uri)));
      assert.deepEqual(
        sides.map((document) => [document.getText(), document.languageId]),
        [
          ['one\n', 'typescript'],
          ['two\n', 'typescript'],
        ],
      );
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      documents.dispose();
    }
  });
});

describe('what changes on the disk in VS Code', () => {
  it('is told while tools run, with the earlier copy of what is open, and without what the user saves', async () => {
    await writeFile('opened.txt', 'old\n');
    await writeFile('mine.txt', 'old\n');
    await opened('opened.txt');
    const mine = await opened('mine.txt');
    const watch = watchFiles({
      files,
      sha256,
      logInfo: (text) => assert.fail(text),
      logError: (error) => assert.fail(error.message),
    });
    try {
      await watch.begin([]);
      await typeAtStart(mine, 'mine\n');
      await mine.document.save();
      const terminals = new CommandTerminals();
      const tools = runCommandTool({
        folder: (path) => files().folder(path),
        reaper: new OrphanReaper(),
        show: terminals.show.bind(terminals),
      });
      await tools.run({ command: 'echo new > opened.txt; echo made > made.txt; mkdir -p .git; echo x > .git/x' }, UNSTOPPED);
      terminals.dispose();
      const wanted = ['made.txt', 'opened.txt'];
      await until(async () => {
        const paths = (await watch.changes()).map(({ path }) => path);
        return wanted.every((path) => paths.includes(path));
      }, 'the news of both files');
      // Events of earlier writes can be late.
      const edits = (await watch.changes()).filter(({ path }) => wanted.includes(path) || path === 'mine.txt' || path.startsWith('.git'));
      assert.deepEqual(
        edits.map(({ path, before, after, noCopy, added, removed }) => [path, before, after, noCopy, added, removed]),
        [
          ['made.txt', null, sha256('made\n'), 'notKnown', null, null],
          ['opened.txt', sha256('old\n'), sha256('new\n'), null, 1, 1],
        ],
      );
    } finally {
      watch.end();
      await closeEditors();
    }
  });
});

describe('run_command in VS Code', () => {
  let terminals: CommandTerminals;
  beforeEach(() => {
    terminals = new CommandTerminals();
  });
  afterEach(async () => {
    terminals.dispose();
    await until(() => open().length === 0, 'the end of the terminals');
  });

  const run = (command: string, signal: AbortSignal): Promise<CallOutcome> =>
    runCommandTool({ folder: (path) => files().folder(path), reaper: new OrphanReaper(), show: terminals.show.bind(terminals) }).run(
      { command },
      { ...UNSTOPPED, signal },
    );
  const never = new AbortController().signal;
  const open = (): vscode.Terminal[] => vscode.window.terminals.filter(({ name }) => name === 'Loupe');

  it('runs in a terminal that the user sees, in the workspace folder, and gives the exit code', async () => {
    const outcome = await run('pwd; exit 4', never);
    assert.deepEqual([outcome.isError, textOf(outcome)], [true, `Exit code 4.\n\n${folderPaths()[0] ?? ''}\n`]);
    assert.equal(open().length, 1);
    await until(() => vscode.window.activeTerminal?.name === 'Loupe', 'the terminal');
  });

  it('takes a terminal that has nothing to do, and one more for each command beside it', async () => {
    await run('true', never);
    await run('true', never);
    assert.equal(open().length, 1);
    await Promise.all([run('sleep 0.2', never), run('sleep 0.2', never)]);
    assert.equal(open().length, 2);
  });

  it('ends when the call is stopped, and when the user closes the terminal', async () => {
    const stop = new AbortController();
    const stopped = run('echo begun > begun.txt; sleep 600', stop.signal);
    await until(async () => (await onDisk('begun.txt')) !== null, 'the begin');
    stop.abort();
    assert.match(textOf(await stopped), /^The user ended the command\./);
    const closed = run('echo begun > closed.txt; sleep 600', never);
    await until(async () => (await onDisk('closed.txt')) !== null, 'the begin');
    open()[0]?.dispose();
    assert.match(textOf(await closed), /^The user ended the command\./);
    await until(() => open().length === 0, 'the end of the terminal');
    assert.match(textOf(await run('echo again', never)), /^Exit code 0\.\n\nagain/);
  });
});
