import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile as writeOutside } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { addUris } from '../../src/host/context/addUris.js';
import { DraftImages } from '../../src/host/context/images/draftImages.js';
import { openImage } from '../../src/host/documents/imageDocuments.js';
import { systemClock } from '../../src/host/window/systemPorts.js';
import { sha256InBackground } from '../../src/storage/files/sha256.js';
import { activated, failure, findFolders, showNewChat, until, writeFile } from '../support/host/extension.js';
import { png } from '../support/images.js';

const BYTES = Buffer.from('picture');

/** A file that exists and that cannot be read. */
function lockedFiles(): vscode.FileSystemProvider {
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const nothing = (): vscode.Disposable => new vscode.Disposable(() => undefined);
  return {
    onDidChangeFile: nothing,
    watch: nothing,
    stat: () => ({ type: vscode.FileType.File, ctime: 0, mtime: 0, size: 10 }),
    readFile: refuse,
    readDirectory: refuse,
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
}

describe('images that the user adds in VS Code', () => {
  const names = async (
    uris: readonly vscode.Uri[],
  ): Promise<{ readonly added: string[]; readonly notes: string[]; readonly failed: string }> => {
    const added: string[] = [];
    const notes: string[] = [];
    const draftImages = new DraftImages(
      { get: () => ({ images: [] }), addImage: (_chat, { name }) => void added.push(name ?? ''), awaitImages: () => undefined },
      { clock: systemClock, showBusy: () => undefined, offerCancel: () => undefined },
    );
    const banners = { show: ({ text }: { readonly text: string }) => void notes.push(text), hide: () => undefined };
    const chat = { id: 'chat', records: { keepBlob: () => Promise.resolve('blob') } };
    const adding = addUris(chat as never, uris, { draftImages, banners, logInfo: () => undefined } as never);
    const failed = await adding.then(
      () => '',
      (thrown: unknown) => (thrown instanceof Error ? thrown.message : ''),
    );
    return { added, notes, failed };
  };

  it('are added although a file of the same drop cannot be added', async () => {
    const chart = await writeFile('chart.png', png(3, 2, 0));
    const { added, failed } = await names([vscode.Uri.parse('untitled:Untitled-1'), chart]);
    assert.deepEqual(added, ['chart.png']);
    assert.match(failed, /Untitled-1/);
  });

  if (process.platform !== 'win32') {
    it('are refused with the reason when they are pipes, devices or folders, without waiting for a writer', async () => {
      const chart = await writeFile('odd/chart.png', png(3, 2, 0));
      const odd = (name: string): vscode.Uri => vscode.Uri.joinPath(chart, '..', name);
      await promisify(execFile)('mkfifo', [odd('pipe.png').fsPath]);
      await symlink('/dev/zero', odd('device.png').fsPath);
      await mkdir(odd('folder.png').fsPath);
      try {
        const { added, notes } = await names([...['pipe.png', 'device.png', 'folder.png'].map(odd), chart]);
        assert.deepEqual(added, ['chart.png']);
        const device = 'is not a file, but a pipe, a device or a broken link.';
        assert.deepEqual(notes, [`pipe.png ${device} device.png ${device} folder.png is not a file, but a folder.`]);
      } finally {
        await vscode.workspace.fs.delete(odd('.'), { recursive: true });
      }
    });
  }

  it('are named if they cannot be read, and the others are added', async () => {
    const locked = vscode.workspace.registerFileSystemProvider('loupe-test-locked', lockedFiles());
    try {
      const chart = await writeFile('chart.png', png(3, 2, 0));
      const { added, notes } = await names([vscode.Uri.parse('loupe-test-locked:/locked.png'), chart]);
      assert.deepEqual(added, ['chart.png']);
      assert.match(notes.join(), /^locked\.png cannot be read: (?!.*Loupe)/);
    } finally {
      locked.dispose();
    }
  });
});

describe('an image of a chat in VS Code', () => {
  it('opens in an editor as a file that can be read and not written', async () => {
    const api = await activated();
    const chatId = await showNewChat(api);
    await api.sendMessage('/long 1', { chatId });
    const [folder = ''] = await findFolders(chatId);
    const blob = await sha256InBackground(BYTES);
    await mkdir(join(folder, 'blobs'), { recursive: true });
    await writeOutside(join(folder, 'blobs', blob), BYTES);
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
