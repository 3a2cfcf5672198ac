import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { openImage } from '../../src/host/documents/imageDocuments.js';
import { sha256InBackground } from '../../src/storage/files/sha256.js';
import { activated, failure, findFolders, showNewChat, until } from '../support/host/extension.js';

const BYTES = Buffer.from('picture');

describe('an image of a chat in VS Code', () => {
  it('opens in an editor as a file that can be read and not written', async () => {
    const api = await activated();
    const chatId = await showNewChat(api);
    await api.sendMessage('/long 1', { chatId });
    const [folder = ''] = await findFolders(chatId);
    const blob = await sha256InBackground(BYTES);
    await mkdir(join(folder, 'blobs'), { recursive: true });
    await writeFile(join(folder, 'blobs', blob), BYTES);
    const chats = { open: () => Promise.resolve({ records: { blob: () => Promise.resolve(BYTES) } }) };
    // Its editor comes from a missing extension: the test does not wait for VS Code's replacement.
    void openImage(chats, { chatId, blob, mimeType: 'image/png' });
    await until(() => vscode.window.tabGroups.activeTabGroup.activeTab?.label === 'Image.png', 'the tab');
    const uri = vscode.Uri.from({ scheme: 'loupe-image', path: `/${chatId}/${blob}/Image.png` });
    assert.deepEqual(Buffer.from(await vscode.workspace.fs.readFile(uri)), BYTES);
    assert.equal((await vscode.workspace.fs.stat(uri)).size, BYTES.length);
    await failure(vscode.workspace.fs.writeFile(uri, BYTES));
    const gone = vscode.Uri.from({ scheme: 'loupe-image', path: `/${chatId}/${'a'.repeat(64)}/Image.png` });
    assert.match(await failure(vscode.workspace.fs.readFile(gone)), /could not be read/);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});
