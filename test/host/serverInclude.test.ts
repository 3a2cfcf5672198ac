import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AgentProfile } from '../../src/engine/context/agentProfile.js';
import { changeInclude } from '../../src/host/context/catalog/changeInclude.js';
import { WorkspaceFiles } from '../../src/host/context/files/workspaceFiles.js';
import { editorWriter } from '../../src/host/tools/workspace/editorWriter.js';
import { folderPaths } from '../../src/host/window/folders.js';
import { failure, until, writeFile } from '../support/host/extension.js';
import { EMPTY_CATALOG } from '../../src/engine/context/catalogItem.js';
import { editorEncodings } from '../../src/host/context/editorEncodings.js';

describe('The include mode of a server in the profile of an agent', () => {
  const PATH = 'tides-agent.md';
  const BEFORE = '---\nname: Tides\n---\nYou know the tides.';
  let document: vscode.TextDocument;

  beforeEach(async () => {
    document = await vscode.workspace.openTextDocument(await writeFile(PATH, BEFORE));
  });
  afterEach(async () => {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.workspace.fs.delete(document.uri);
  });

  function change(limit: AgentProfile['limit']): Promise<unknown> {
    const files = new WorkspaceFiles(folderPaths(), editorEncodings);
    const profile = {
      name: 'Tides',
      source: PATH,
      description: '',
      prompt: '',
      includes: new Map(),
      limit,
      models: [],
      defaults: {},
      problem: null,
      remarks: [],
      copies: [],
    };
    const catalog = {
      read: () => Promise.resolve(EMPTY_CATALOG),
      profiles: () => Promise.resolve(new Map([['Tides', profile]])),
      isRestricted: () => false,
    };
    return changeInclude('Tides', { key: 'server:sheets', include: 'off' }, { files, writer: editorWriter(() => files), catalog });
  }

  const onDisk = async (): Promise<string> => Buffer.from(await vscode.workspace.fs.readFile(document.uri)).toString();

  it('is saved, also where the profile has changes that are not saved', async () => {
    await change(null);
    assert.match(await onDisk(), /^---\nname: Tides\n.*sheets: off/s);
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => {
      edit.insert(document.positionAt(document.getText().length), ' And more.');
    });
    await change(null);
    assert.match(await onDisk(), /sheets: off.* And more\.$/s);
  });

  it('stays as it is where the profile lists its tools, which has no place for a mode', async () => {
    await assert.rejects(change({ allowed: [], denied: [] }), { message: `${PATH} lists the tools of the agent. Change the list there.` });
    assert.equal(await onDisk(), BEFORE);
  });

  it('stays as it is where the profile is read-only in VS Code', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    await settings.update('readonlyInclude', { [`**/${PATH}`]: true }, vscode.ConfigurationTarget.Global);
    try {
      let said = '';
      // A written setting applies a moment later. Until then the profile is changed and restored.
      await until(async () => {
        said = await change(null).then(() => '', String);
        if (said === '') {
          await writeFile(PATH, BEFORE);
          await until(() => document.getText() === BEFORE, 'the profile is as before');
        }
        return said !== '';
      }, 'the profile is read-only');
      assert.match(said, /Nothing was changed: VS Code could not edit tides-agent\.md\./);
      assert.deepEqual([document.getText(), await onDisk()], [BEFORE, BEFORE]);
    } finally {
      await settings.update('readonlyInclude', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('says that it is in the editor where VS Code does not save the profile: what the user has not saved has changed on disk', async () => {
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => {
      edit.insert(document.positionAt(BEFORE.length), ' And more.');
    });
    await writeFile(PATH, `${BEFORE} And more from elsewhere.`);
    assert.match(await failure(change(null)), /^VS Code did not save tides-agent\.md\. The change is only in the editor of the file\./);
    assert.match(document.getText(), /sheets: off.* And more\.$/s);
  });
});
