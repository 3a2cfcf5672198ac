import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { editorEncodings } from '../../src/host/context/editorEncodings.js';
import { WorkspaceFiles } from '../../src/host/context/files/workspaceFiles.js';
import { editorWriter } from '../../src/host/tools/workspace/editorWriter.js';
import { saveDocument } from '../../src/host/tools/workspace/saveDocument.js';
import { folderPaths } from '../../src/host/window/folders.js';
import { until, writeFile } from '../support/host/extension.js';
import { Gate } from '../support/http/gate.js';

/** An automatic save of a document, which waits in its save participants until `finish`. */
interface AutomaticSave {
  readonly begun: Promise<void>;
  readonly finish: () => void;
  readonly listener: vscode.Disposable;
}

function nextAutomaticSave({ fsPath }: vscode.Uri): AutomaticSave {
  const start = new Gate();
  const end = new Gate();
  const listener = vscode.workspace.onWillSaveTextDocument((save) => {
    if (save.document.uri.fsPath === fsPath && save.reason === vscode.TextDocumentSaveReason.AfterDelay) {
      save.waitUntil(end.opened);
      start.open();
    }
  });
  return { begun: start.opened, finish: end.open, listener };
}

describe('a save that begins during an automatic save of the same document', () => {
  const settings = vscode.workspace.getConfiguration('files');
  const { applyEdit } = vscode.workspace;
  let automatic: AutomaticSave;

  const watched = async (path: string): Promise<vscode.Uri> => {
    const uri = await writeFile(path, 'one\n');
    automatic = nextAutomaticSave(uri);
    return uri;
  };

  before(async () => {
    await settings.update('autoSave', 'afterDelay', vscode.ConfigurationTarget.Global);
    await settings.update('autoSaveDelay', 1, vscode.ConfigurationTarget.Global);
  });
  afterEach(async () => {
    vscode.workspace.applyEdit = applyEdit;
    automatic.listener.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    await settings.update('autoSave', undefined, vscode.ConfigurationTarget.Global);
    await settings.update('autoSaveDelay', undefined, vscode.ConfigurationTarget.Global);
  });

  it('waits for the automatic save, so that an edit on disk is no failed edit', async () => {
    const { fsPath } = await watched('late.ts');
    // After a reload, the extension host is busy, and VS Code begins the automatic save before the writer continues.
    vscode.workspace.applyEdit = async (edit) => {
      const isApplied = await applyEdit(edit);
      await automatic.begun;
      // VS Code handles messages in their order: first the writer's save, then the end of the automatic save.
      void setImmediate().then(automatic.finish);
      return isApplied;
    };
    const files = new WorkspaceFiles(folderPaths(), editorEncodings);
    const result = await editorWriter(() => files).write({ path: 'late.ts', before: 'one\n', after: 'two\n' });
    assert.deepEqual(result, { ok: true, hadUnsaved: false });
    assert.equal(await readFile(fsPath, 'utf8'), 'two\n');
  });

  it('gives up after the longest wait', async () => {
    const document = await vscode.workspace.openTextDocument(await watched('stuck.ts'));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'zero\n');
    await vscode.workspace.applyEdit(edit);
    await automatic.begun;
    assert.equal(await saveDocument(document, 1), false);
    automatic.finish();
    await until(() => !document.isDirty, 'the automatic save');
    assert.equal(await saveDocument(document, 1), true);
  });
});
