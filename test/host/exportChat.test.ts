import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { ChatEvent } from '../../src/engine/chat/event.js';
import { foldLog } from '../support/engine/folds.js';
import type { LoupeApi } from '../../src/protocol/api/api.js';
import { CONFIG } from '../support/engine/events.js';
import { activated, failure, fileUri, findFolders, showNewChat } from '../support/host/extension.js';
import { conversation } from '../support/host/reading.js';
import { writeLongLog } from '../support/storage/longLog.js';

const LONG_CHAT = 'sess_1700000000000_aaaaaa';

describe('Export Chat in VS Code', () => {
  let api: LoupeApi;
  let folder: string;
  before(async () => {
    api = await activated();
    folder = await mkdtemp(join(tmpdir(), 'loupe-export-'));
  });
  after(() => rm(folder, { recursive: true }));
  afterEach(() => vscode.commands.executeCommand('notifications.clearAll'));

  async function exported(chatId: string | undefined, name: string): Promise<string> {
    const target = vscode.Uri.file(join(folder, name));
    const file = await vscode.commands.executeCommand<vscode.Uri | null>('loupe.exportChat', chatId, target);
    assert.equal(file?.toString(), target.toString());
    return readFile(target.fsPath, 'utf8');
  }

  function conversationIn(jsonLines: string): string[] {
    const events = jsonLines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ChatEvent);
    return conversation(foldLog(events).state);
  }

  /** Without the line about each reply, which has the time. */
  function words(markdown: string): string {
    return markdown.replaceAll(/^\*[\w./-]+ · \d{4}-\d\d-\d\d \d\d:\d\d UTC · .+\*\n\n/gm, '');
  }

  async function chatOf(chatId: string): Promise<unknown> {
    const { messages, title } = await api.getChat(chatId);
    const replies = messages.filter(({ role }) => role === 'assistant');
    const requests = await Promise.all(replies.map(({ id }) => api.getRequest(chatId, id)));
    return { messages, title, requests, usage: await api.getUsage(chatId) };
  }

  async function chatFolder(chatId: string): Promise<string> {
    const [found, ...more] = await findFolders(chatId);
    assert.ok(found !== undefined && more.length === 0);
    return found;
  }

  it('copies it as Markdown', async () => {
    const chatId = await showNewChat(api);
    await api.sendMessage('/long 2', { chatId });
    await vscode.commands.executeCommand('loupe.copyChat', chatId);
    const copied = words(await vscode.env.clipboard.readText());
    assert.equal(copied, '# /long 2\n\n## You\n\n/long 2\n\n## Assistant\n\nPractice text.\n');
  });

  it('writes the chat on show, in the format that the ending of the file says', async () => {
    const chatId = await showNewChat(api);
    await api.sendMessage('/long 2', { chatId });
    await api.sendMessage('/long 3', { chatId });
    const markdown =
      '# /long 2\n\n## You\n\n/long 2\n\n## Assistant\n\nPractice text.\n\n## You\n\n/long 3\n\n## Assistant\n\nPractice text that.\n';
    assert.equal(words(await exported(undefined, 'shown.md')), markdown);
    assert.equal(words(await exported(undefined, 'shown.txt')), markdown);
    assert.deepEqual(conversationIn(await exported(undefined, 'shown.jsonl')), [
      'user: /long 2',
      'assistant: Practice text.',
      'user: /long 3',
      'assistant: Practice text that.',
    ]);
  });

  it('writes the chat that is named, over a file that is there already', async () => {
    const chatId = await api.newChat();
    await api.sendMessage('/long 2', { chatId });
    await showNewChat(api);
    await writeFile(join(folder, 'named.md'), 'x'.repeat(10_000));
    assert.equal(words(await exported(chatId, 'named.md')), '# /long 2\n\n## You\n\n/long 2\n\n## Assistant\n\nPractice text.\n');
  });

  it('writes all of a long chat that opens to its end', async () => {
    const chats = dirname(await chatFolder(await showNewChat(api)));
    const said = (message: number): string => `Message ${String(message)} ${'of many '.repeat(50)}`;
    const config = { ...CONFIG, model: { provider: 'practice', model: 'standard' } };
    await writeLongLog(join(chats, LONG_CHAT), { chatId: LONG_CHAT, writer: 'earlier', exchanges: 4_000, config, said });
    await vscode.commands.executeCommand('loupe.openChat', LONG_CHAT);
    const all = Array.from({ length: 8_000 }, (_, message) => said(message));
    const lines = conversationIn(await exported(LONG_CHAT, 'long.jsonl'));
    const expected = all.map((text, message) => `${message % 2 === 0 ? 'user' : 'assistant'}: ${text}`);
    assert.deepEqual(lines, expected);
    const markdown = all.map((text, message) => `## ${message % 2 === 0 ? 'You' : 'Assistant'}\n\n${text}\n`);
    const copy = words(await exported(LONG_CHAT, 'long.md'));
    assert.equal(copy.slice(copy.indexOf('\n\n') + 2), markdown.join('\n'));
    await vscode.commands.executeCommand('loupe.deleteChat', LONG_CHAT);
  });

  it('writes what is in memory as Markdown when the folder of the chat was deleted, and says why JSON Lines cannot be', async () => {
    const chatId = await showNewChat(api);
    await api.sendMessage('/long 2', { chatId });
    await rm(await chatFolder(chatId), { recursive: true });
    await api.sendMessage('/long 3', { chatId });
    assert.match(await exported(chatId, 'deleted.md'), /\/long 2[^]*Practice text\.[^]*\/long 3[^]*Practice text that\.\n$/);
    const target = vscode.Uri.file(join(folder, 'deleted.jsonl'));
    const refused = await failure(vscode.commands.executeCommand('loupe.exportChat', chatId, target));
    assert.match(refused, /cannot be exported as JSON Lines: its file was deleted.*Export it as Markdown/);
    await assert.rejects(readFile(target.fsPath), { code: 'ENOENT' });
    await vscode.commands.executeCommand('loupe.deleteChat', chatId);
  });

  for (const name of ['whole.zip', 'whole.jsonl']) {
    it(`and Import Chat bring a chat back from ${name} after it was deleted, with every message and request`, async () => {
      const chatId = await showNewChat(api);
      const file = fileUri('tides.txt');
      await vscode.workspace.fs.writeFile(file, Buffer.from('High water, low water.\n'.repeat(2_000)));
      await vscode.commands.executeCommand('loupe.addFileToContext', file);
      await api.sendMessage('/tool echo {"a": 1}', { chatId });
      await vscode.workspace.fs.delete(file);
      await vscode.commands.executeCommand('loupe.renameChat', chatId, 'Harbour');
      const before = await chatOf(chatId);
      assert.notDeepEqual(await readdir(join(await chatFolder(chatId), 'blobs')), []);
      const target = vscode.Uri.file(join(folder, name));
      await vscode.commands.executeCommand('loupe.exportChat', chatId, target);
      await vscode.commands.executeCommand('loupe.deleteChat', chatId);
      const copy = await vscode.commands.executeCommand<string>('loupe.importChat', name.endsWith('.zip') ? target : target.fsPath);
      assert.notEqual(copy, chatId);
      assert.deepEqual(await chatOf(copy), before);
      assert.equal((await api.getChat(copy)).title, 'Harbour');
      await api.sendMessage('/long 2', { chatId: copy });
      await vscode.commands.executeCommand('loupe.deleteChat', copy);
    });
  }

  it('writes spans, without texts unless the caller asks for them', async () => {
    const chatId = await showNewChat(api);
    await api.sendMessage('/long 7', { chatId });
    const target = vscode.Uri.file(join(folder, 'spans.otlp.json'));
    const spans = async (options: unknown): Promise<string> => {
      await vscode.commands.executeCommand('loupe.exportChat', chatId, target, options);
      return readFile(target.fsPath, 'utf8');
    };
    const without = await spans(undefined);
    assert.match(without, /"resourceSpans".*"gen_ai\.usage\.input_tokens"/s);
    assert.doesNotMatch(without, /\/long 7|Practice text/);
    assert.match(await spans({ texts: true }), /"gen_ai\.input\.messages".*\/long 7.*"gen_ai\.output\.messages".*Practice text/s);
  });

  it('refuses to import what is no chat, with the reason, and shows what was shown', async () => {
    const chatId = await showNewChat(api);
    const chats = await readdir(dirname(await chatFolder(chatId)));
    const other = join(folder, 'other.zip');
    await writeFile(other, 'PK\u0003\u0004 cut');
    const refused = await failure(vscode.commands.executeCommand('loupe.importChat', vscode.Uri.file(other)));
    assert.match(refused, /other\.zip cannot be read as a zip file, so nothing was imported: its end is missing\./);
    const nowhere = vscode.commands.executeCommand('loupe.importChat', vscode.Uri.parse('unheard-of:/chat.zip'));
    assert.match(await failure(nowhere), /chat\.zip is not on the disk of the machine on which VS Code works\./);
    assert.deepEqual(await readdir(dirname(await chatFolder(chatId))), chats);
  });

  it('leaves the file that was there when an export fails, and nothing else', async () => {
    const chatId = await showNewChat(api);
    await api.sendMessage('/long 2', { chatId });
    await rm(await chatFolder(chatId), { recursive: true });
    const target = join(folder, 'kept.zip');
    await writeFile(target, 'an earlier export');
    const before = await readdir(folder);
    const refused = await failure(vscode.commands.executeCommand('loupe.exportChat', chatId, vscode.Uri.file(target)));
    assert.match(refused, /cannot be exported as a zip file: its file was deleted.*Export it as Markdown/);
    assert.deepEqual([await readFile(target, 'utf8'), await readdir(folder)], ['an earlier export', before]);
    await vscode.commands.executeCommand('loupe.deleteChat', chatId);
  });

  it('fails with the reason when the file cannot be written', async () => {
    const chatId = await showNewChat(api);
    const refused = await failure(vscode.commands.executeCommand('loupe.exportChat', chatId, vscode.Uri.file(folder)));
    assert.equal(refused, `The export to ${basename(folder)} failed: a folder exists where a file is expected.`);
    const nowhere = vscode.Uri.parse('unheard-of:/chat.md');
    assert.match(
      await failure(vscode.commands.executeCommand('loupe.exportChat', chatId, nowhere)),
      /The export to chat\.md failed: .*No file system provider/,
    );
    const unknown = vscode.commands.executeCommand('loupe.exportChat', 'sess_1_000000', vscode.Uri.file(join(folder, 'unknown.md')));
    assert.equal(await failure(unknown), 'This chat was deleted.');
  });
});
