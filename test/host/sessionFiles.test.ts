import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LoupeApi } from '../../src/protocol/api/api.js';
import { activated, failure, showNewChat, until } from '../support/host/extension.js';

const call = (tool: string, args: object): string => `/tool ${tool} ${JSON.stringify(args)}`;

describe('session files in VS Code', () => {
  let api: LoupeApi;
  let chatId: string;

  before(async () => {
    api = await activated();
  });

  beforeEach(async () => {
    chatId = await showNewChat(api);
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const at = (name: string): vscode.Uri => vscode.Uri.from({ scheme: 'loupe-session', path: `/${chatId}/${name}` });

  const nextBody = async (): Promise<string> => (await api.previewNextRequest(chatId)).body;

  it('that a model has written opens in an editor, and what the user saves there is in the next request', async () => {
    await api.sendMessage(call('put_session_file', { name: 'notes/plan.md', content: '# First plan\n' }), { chatId });
    assert.ok((await nextBody()).includes('notes/plan.md,text/markdown,First plan'));
    const document = await vscode.workspace.openTextDocument(at('notes/plan.md'));
    const editor = await vscode.window.showTextDocument(document);
    assert.equal(document.getText(), '# First plan\n');
    await editor.edit((edit) => {
      edit.replace(new vscode.Range(0, 2, 0, 7), 'Second');
    });
    assert.ok(await document.save());
    const body = await nextBody();
    assert.equal(body.split('notes/plan.md,text/markdown,Second plan').length, 2, 'once');
    await api.sendMessage(call('get_session_file', { name: 'notes/plan.md' }), { chatId });
    const { messages } = await api.getChat(chatId);
    assert.ok(JSON.stringify(messages).includes('# Second plan'));
  });

  it('show in their editor at once what the model changes', async () => {
    await api.sendMessage(call('put_session_file', { name: 'plan.txt', content: 'One' }), { chatId });
    const document = await vscode.workspace.openTextDocument(at('plan.txt'));
    await vscode.window.showTextDocument(document);
    await api.sendMessage(call('put_session_file', { name: 'plan.txt', content: 'Two' }), { chatId });
    await until(() => document.getText() === 'Two', 'the change in the editor');
  });

  it('are created, listed, renamed and deleted like files', async () => {
    const { fs } = vscode.workspace;
    await fs.writeFile(at('a/one.md'), Buffer.from('One'));
    await fs.writeFile(at('two.bin'), new Uint8Array([0, 1, 2]));
    assert.deepEqual(await fs.readDirectory(at('')), [
      ['a', vscode.FileType.Directory],
      ['two.bin', vscode.FileType.File],
    ]);
    assert.equal((await fs.stat(at('two.bin'))).size, 3);
    await fs.rename(at('a/one.md'), at('b/one.md'));
    assert.equal(Buffer.from(await fs.readFile(at('b/one.md'))).toString(), 'One');
    assert.match(await failure(fs.readFile(at('a/one.md'))), /a\/one\.md/);
    await fs.delete(at('b'), { recursive: true });
    assert.deepEqual(await fs.readDirectory(at('')), [['two.bin', vscode.FileType.File]]);
    assert.match(
      await failure(fs.writeFile(at('big.bin'), new Uint8Array(50 * 1024 * 1024))),
      /"big\.bin" is too large: 50 MB \(limit 5 MB\)/,
    );
    await vscode.commands.executeCommand('loupe.deleteChat', chatId);
    assert.match(await failure(fs.writeFile(at('late.md'), Buffer.from('Late'))), /This chat was deleted/);
  });
});
