import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { LoupeApi } from '../../src/protocol/api/api.js';
import { activated, failure, showNewChat } from '../support/host/extension.js';

describe('Usage in VS Code', () => {
  let api: LoupeApi;
  let folder: string;
  before(async () => {
    api = await activated();
    folder = await mkdtemp(join(tmpdir(), 'loupe-usage-'));
  });
  after(() => rm(folder, { recursive: true }));
  afterEach(() => vscode.commands.executeCommand('notifications.clearAll'));

  async function exported(name: string): Promise<string> {
    const target = vscode.Uri.file(join(folder, name));
    const file = await vscode.commands.executeCommand<vscode.Uri | null>('loupe.exportUsage', target);
    assert.equal(file?.toString(), target.toString());
    return readFile(target.fsPath, 'utf8');
  }

  it('is exported in the format that the ending of the file says: without the tab all requests, with it those that it shows', async () => {
    const chatId = await showNewChat(api);
    await api.sendMessage('/long 2', { chatId });
    const other = await showNewChat(api);
    await api.sendMessage('/long 3', { chatId: other });
    const all = JSON.parse(await exported('all.json')) as Record<string, unknown>[];
    assert.ok(all.some(({ chat_id: id }) => id === chatId) && all.some(({ chat_id: id }) => id === other));
    const csv = (await exported('all.csv')).trimEnd().split('\r\n');
    assert.equal(csv.length, all.length + 1);
    await vscode.commands.executeCommand('loupe.showUsage', chatId);
    const shown = await shownRows(chatId);
    const rows = shown.map(({ chat_id: id, chat, purpose, is_unbilled: isUnbilled }) => [id, chat, purpose, isUnbilled]);
    assert.deepEqual(rows, [[chatId, '/long 2', 'reply', true]]);
    const attempt = shown[0]?.['attempt_id'];
    await vscode.commands.executeCommand('loupe.showRequest', chatId, attempt);
    await vscode.commands.executeCommand('loupe.showRawRequest');
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /\/long 2/);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** The tab first reads all chats. */
  async function shownRows(chatId: string): Promise<Record<string, unknown>[]> {
    for (;;) {
      const rows = JSON.parse(await exported('shown.json')) as Record<string, unknown>[];
      if (rows.length > 0 && rows.every(({ chat_id: id }) => id === chatId)) {
        return rows;
      }
    }
  }

  it('fails with the reason when the file cannot be written', async () => {
    const refused = await failure(vscode.commands.executeCommand('loupe.exportUsage', vscode.Uri.file(folder)));
    assert.match(refused, /^The export to loupe-usage-\w+ failed: a folder exists where a file is expected\.$/);
  });
});
