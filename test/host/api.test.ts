import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { LoupeApi, ApiSearchResult } from '../../src/protocol/api/api.js';
import type { ApiAttemptUsage } from '../../src/protocol/api/apiMessage.js';
import {
  activated,
  failure,
  fileUri,
  findFolders,
  lastReply,
  showNewChat,
  writeFile,
  itemsBesideTools,
  until,
} from '../support/host/extension.js';
import { column } from '../support/columns.js';
import { LOG_VERSION } from '../../src/engine/chat/order/stamp.js';

function inputOf(usage: ApiAttemptUsage | undefined): number {
  return (usage?.promptTokens ?? 0) + (usage?.cacheReadInputTokens ?? 0) + (usage?.cacheCreationInputTokens ?? 0);
}

/** Tokens that the practice model's wire format adds to each message. */
const FRAMING_PER_MESSAGE = 4;

describe('the API in VS Code', () => {
  let api: LoupeApi;
  before(async () => {
    api = await activated();
  });

  it('takes a message all the way to a reply, and all numbers agree', async () => {
    const chatId = await showNewChat(api);
    await vscode.commands.executeCommand('loupe.addFileToContext', fileUri('src/gauge.ts'));
    const empty = await api.previewNextRequest(chatId);
    assert.ok(empty.blocks.some(({ key }) => key === 'file:src/gauge.ts'));
    await api.sendMessage('What is in this file?', { chatId });
    const chat = await api.getChat(chatId);
    assert.deepEqual(column(chat.messages, 'role'), ['user', 'assistant']);
    assert.deepEqual(chat.files, ['src/gauge.ts']);
    assert.equal(chat.title, 'What is in this file?');
    const reply = await lastReply(api, chatId);
    assert.match(reply.text, /src\/gauge\.ts/);
    assert.deepEqual(itemsBesideTools(reply), [
      { type: 'rule', name: 'AGENTS.md', includeMode: 'always' },
      { type: 'file', name: 'src/gauge.ts', includeMode: 'manual' },
    ]);
    const request = await api.getRequest(chatId, reply.id);
    assert.deepEqual([request.exact, request.note], [true, null]);
    const gauge = await readFile(fileUri('src/gauge.ts').fsPath, 'utf8');
    assert.ok(request.body.includes(JSON.stringify(gauge.trimEnd()).slice(1, -1)));
    assert.equal(inputOf(reply.usage), request.totalTokens);
    const diagnosis = await api.diagnose(chatId, reply.id);
    assert.deepEqual(JSON.parse(JSON.stringify(diagnosis)), diagnosis);
    assert.deepEqual([diagnosis.cause, diagnosis.comparedWith, diagnosis.againTokens], ['first', null, 0]);
    assert.match(diagnosis.verdict.cost, /^Would cost .* with a paid model$/);
    assert.equal(diagnosis.forecast?.read, reply.usage?.cacheReadInputTokens);
    const usage = await api.getUsage(chatId);
    assert.equal(usage.attempts, 1);
    assert.equal(usage.contextWindow, request.totalTokens + (reply.usage?.completionTokens ?? 0));
    assert.deepEqual([usage.cost, usage.unknownAttempts, reply.usage?.cost], [null, 0, null], 'nobody bills the practice model');
    const status = await api.getHistoryStatus(chatId);
    const next = await api.previewNextRequest(chatId);
    const history = next.blocks.filter(({ key }) => key.startsWith('message:')).reduce((sum, { tokens }) => sum + tokens, 0);
    assert.equal(status.historyTokens, history + 2 * FRAMING_PER_MESSAGE);
    assert.equal(status.remaining, next.budget - next.totalTokens);
    assert.deepEqual([status.needsSummary, status.maxHistoryTokens], [false, (status.maxInputTokens ?? NaN) / 16]);
    const [listed] = await api.listChats({ limit: 1 });
    assert.deepEqual([listed?.id, listed?.title, listed?.messageCount], [chatId, chat.title, 2]);
    assert.ok((await api.getUsage()).attempts >= usage.attempts);
    assert.deepEqual(JSON.parse(JSON.stringify(chat)), chat);
  });

  it('shows a fragment in the next request until it is removed', async () => {
    const chatId = await api.newChat();
    await api.setFragment(chatId, 'style', 'Write in rhymes.');
    assert.ok((await api.previewNextRequest(chatId)).body.includes('Write in rhymes.'));
    await api.setFragment(chatId, 'style');
    assert.ok(!(await api.previewNextRequest(chatId)).body.includes('Write in rhymes.'));
  });

  it('fails with messages for the user', async () => {
    assert.equal(await failure(api.getChat('sess_1_000000')), 'This chat was deleted.');
    assert.equal(await failure(api.sendMessage(' ', { chatId: await api.newChat() })), 'The message is empty.');
  });

  it('ends a run that failed without failing itself; the message is there, unsent', async () => {
    const chatId = await api.newChat();
    await api.sendMessage('/error 401', { chatId });
    const { messages, running } = await api.getChat(chatId);
    assert.deepEqual([messages.map(({ role, unsent }) => [role, unsent]), running], [[['user', true]], false]);
  });

  it('sends what an editor shows, saved or not', async () => {
    const uri = await writeFile('unsaved.ts', 'let saved;\n');
    const chatId = await showNewChat(api);
    await vscode.commands.executeCommand('loupe.addFileToContext', uri);
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    await editor.edit((builder) => {
      builder.insert(new vscode.Position(0, 0), 'let unsaved;\n');
    });
    assert.equal(editor.document.isDirty, true);
    assert.ok((await api.previewNextRequest(chatId)).body.includes('let unsaved;\\nlet saved;'));
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    // VS Code reports the change to extensions after the command.
    await until(() => !editor.document.isDirty, 'the reverted editor');
    assert.ok(!(await api.previewNextRequest(chatId)).body.includes('let unsaved;'));
  });

  it('keeps each chat in a folder of its own below the storage of the workspace', async function keepsChats() {
    const chatId = await api.newChat();
    await api.sendMessage('/long 3', { chatId });
    const folders = await findFolders(chatId);
    assert.equal(folders.length, 1);
    const [folder = ''] = folders;
    assert.equal(basename(dirname(folder)), 'chats');
    assert.equal(basename(dirname(dirname(folder))), 'loupe.loupe');
    assert.equal(basename(dirname(dirname(dirname(dirname(folder))))), 'workspaceStorage');
    const segments = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
    assert.equal(segments.length, 1);
    const lines = (await readFile(join(folder, segments[0] ?? ''), 'utf8')).trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line) as { readonly v: number; readonly type: string; readonly chatId?: string });
    assert.deepEqual([events[0]?.type, events[0]?.chatId, events.at(-1)?.type], ['chat-created', chatId, 'run-committed']);
    assert.ok(events.every(({ v }) => v === LOG_VERSION));
    const started = lines.find((line) => line.includes('"type":"attempt-started"')) ?? '';
    const { body } = await api.getRequest(chatId, (await lastReply(api, chatId)).id);
    assert.ok(started.includes(createHash('sha256').update(body, 'utf8').digest('hex')));
  });
});

const search = (...args: unknown[]): Thenable<readonly ApiSearchResult[]> => vscode.commands.executeCommand('loupe.searchHistory', ...args);

describe('search in VS Code', () => {
  let api: LoupeApi;
  before(async () => {
    api = await activated();
  });

  it('finds messages by the command as by the API, whatever their case', async () => {
    const chatId = await api.newChat();
    await api.sendMessage('/long 3 The Hygrograph', { chatId });
    const found = await api.searchHistory('hygrograph', { role: 'user', limit: 5 });
    const hits = found.map((result) => [result.chatId, result.role]);
    assert.deepEqual(hits, [[chatId, 'user']]);
    assert.deepEqual(await search('HYGROGRAPH', { role: 'user' }), found);
    assert.deepEqual(await search(''), []);
  });

  it('refuses what it cannot search for, in words for the user', async () => {
    assert.equal(await failure(search(7)), 'The search query must be text.');
    assert.equal(await failure(search('x', { limit: 0 })), 'The option "limit" of the search must be a whole number above 0.');
  });
});
