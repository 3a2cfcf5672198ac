import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LoupeApi } from '../../src/protocol/api/api.js';
import { activated, failure, fileUri, lastReply, showNewChat, until } from '../support/host/extension.js';

const run = <T>(id: string, ...args: unknown[]): Thenable<T> => vscode.commands.executeCommand<T>(`loupe.${id}`, ...args);

/** The JSON of a document with a request, without comment lines. */
function requestIn(document: vscode.TextDocument): unknown {
  const lines = document.getText().split('\n');
  return JSON.parse(lines.filter((line) => !line.startsWith('//')).join('\n'));
}

function activeDocument(): vscode.TextDocument {
  const document = vscode.window.activeTextEditor?.document;
  assert.ok(document);
  return document;
}

describe('the commands in VS Code', () => {
  let api: LoupeApi;
  before(async () => {
    api = await activated();
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const texts = async (chatId: string): Promise<string[]> =>
    (await api.getChat(chatId)).messages.filter(({ role }) => role === 'user' || role === 'assistant').map(({ text }) => text);

  it('send a message and resolve when its run has ended', async () => {
    const chatId = await api.newChat();
    await run('sendMessage', '/long 3', { chatId });
    assert.deepEqual(await texts(chatId), ['/long 3', 'Practice text that.']);
  });

  it('send to the chat on show when none is named', async () => {
    const chatId = await showNewChat(api);
    await run('sendMessage', '/long 2');
    assert.deepEqual(await texts(chatId), ['/long 2', 'Practice text.']);
  });

  it('create a chat, give its id, and keep an empty one that is on show', async () => {
    await run('sendMessage', '/long 2');
    const chatId = await run<string>('newChat');
    assert.deepEqual(await texts(chatId), []);
    assert.equal(await run<string>('newChat'), chatId);
  });

  it('edit, retry, clear, rename, fork and delete', async () => {
    const chatId = await showNewChat(api);
    await run('sendMessage', '/long 2', { chatId });
    await run('editMessage', undefined, '/long 3', { chatId });
    assert.deepEqual(await texts(chatId), ['/long 3', 'Practice text that.']);
    await run('retry', undefined, { chatId });
    assert.deepEqual(await texts(chatId), ['/long 3', 'Practice text that.']);
    assert.equal((await api.getUsage(chatId)).attempts, 3);
    const fork = await run<string>('forkChat', chatId);
    assert.deepEqual(await texts(fork), await texts(chatId));
    await run('renameChat', chatId, 'Mine');
    assert.equal((await api.getChat(chatId)).title, 'Mine');
    const cleared = await run('clearChat', chatId);
    assert.ok(typeof cleared === 'string' && cleared !== chatId);
    assert.deepEqual([await texts(cleared), (await texts(chatId)).length], [[], 2]);
    await run('deleteChat', chatId);
    assert.ok((await api.listChats({ limit: 100 })).every(({ id }) => id !== chatId));
    assert.deepEqual(await texts(fork), ['/long 3', 'Practice text that.']);
  });

  it('write a title, by themselves after the first exchange, and anew', async () => {
    const settings = vscode.workspace.getConfiguration('loupe');
    await settings.update('defaults.titles', 'on', vscode.ConfigurationTarget.Global);
    try {
      const chatId = await api.newChat();
      await run('sendMessage', 'how are tides predicted here?', { chatId });
      await until(async () => (await api.getChat(chatId)).title === 'How are tides predicted here?', 'the title is written');
      const roles = (await api.getChat(chatId)).messages.map(({ role }) => role);
      assert.deepEqual(roles, ['user', 'assistant', 'system-title', 'title']);
      assert.equal((await api.getUsage(chatId)).attempts, 2);
      await run('renameChat', chatId, 'Mine');
      await run('generateTitle', chatId);
      assert.equal((await api.getChat(chatId)).title, 'How are tides predicted here?');
    } finally {
      await settings.update('defaults.titles', 'off', vscode.ConfigurationTarget.Global);
    }
  });

  it('open a chat in an editor tab once, which has its title', async () => {
    const chatTabs = (): string[] =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .flatMap(({ input, label }) =>
          input instanceof vscode.TabInputWebview && input.viewType.endsWith('loupe.chatEditor') ? [label] : [],
        );
    const [first, second] = [await api.newChat(), await api.newChat()];
    await run('renameChat', first, 'First');
    await run('openInEditor', first);
    await run('openInEditor', second);
    await run('openInEditor', first);
    await until(() => chatTabs().length === 2, 'two tabs');
    await run('renameChat', first, 'Tides');
    await until(() => chatTabs().includes('Tides'), 'the new title');
    assert.deepEqual(chatTabs(), ['Tides', 'New chat']);
    await run('sendMessage', '/long 2');
    assert.deepEqual(await texts(first), ['/long 2', 'Practice text.'], 'the chat of the tab in front');
    await run('deleteChat', second);
    await until(() => chatTabs().length === 1, 'the tab of the deleted chat is gone');
    assert.equal(await failure(run('openInEditor', 'sess_1_2')), await failure(run('openChat', 'sess_1_2')));
  });

  it('stop a reply, and keep what had arrived', async () => {
    const chatId = await api.newChat();
    const sent = run('sendMessage', '/slow', { chatId });
    await until(async () => (await api.getChat(chatId)).running, 'the reply streams');
    await run('stop', chatId);
    await sent;
    const { running, messages } = await api.getChat(chatId);
    assert.equal(running, false);
    assert.ok(messages.every(({ role, stopped }) => role !== 'assistant' || stopped === true));
  });

  it('select a model', async () => {
    const chatId = await api.newChat();
    await run('selectModel', 'practice/small', { chatId });
    assert.equal((await api.getChat(chatId)).config['model'], 'practice/small');
    assert.equal((await api.getHistoryStatus(chatId)).maxInputTokens, 8_192);
  });

  it('show the exact request behind a reply, and the next one', async () => {
    const chatId = await showNewChat(api);
    await run('addFileToContext', fileUri('src/alert.ts'));
    await run('sendMessage', '/long 1', { chatId });
    await run('sendMessage', '/long 2', { chatId });
    await run('showRequest', chatId, (await lastReply(api, chatId)).id);
    await raw();
    const request = await api.getRequest(chatId, (await lastReply(api, chatId)).id);
    assert.deepEqual(requestIn(activeDocument()), JSON.parse(request.body));
    assert.equal(activeDocument().languageId, 'jsonc');
    assert.match(
      activeDocument().getText(),
      /^\/\/ Request · [^]*This is exactly what Loupe sent \(SHA-256 [0-9a-f]{64}\)[^]*src\/alert\.ts/,
    );
    await run('previewNextRequest', chatId);
    await raw();
    const preview = await api.previewNextRequest(chatId);
    assert.ok(
      activeDocument()
        .getText()
        .includes(`${preview.totalTokens.toLocaleString('en-US')} tokens`),
    );
    assert.deepEqual(requestIn(activeDocument()), JSON.parse(preview.body));
  });

  it('keep an open next request up to date', async () => {
    const chatId = await showNewChat(api);
    await run('previewNextRequest', chatId);
    await raw();
    const shown = activeDocument();
    await run('addFileToContext', fileUri('src/alert.ts'));
    await untilIn(shown, chatId);
    assert.match(shown.getText(), /src\/alert\.ts/);
    await run('removeFromContext', 'file:src/alert.ts', { chatId });
    await untilIn(shown, chatId);
    assert.doesNotMatch(shown.getText(), /alert\.ts/);
  });

  /** Shows the inspector's request as JSON, once its tab is in front. */
  async function raw(): Promise<void> {
    await until(() => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputWebview && input.viewType.endsWith('loupe.inspector');
    }, 'the Request Inspector');
    await run('showRawRequest');
  }

  /** Waits until a document contains the size of a chat's next request. */
  async function untilIn(document: vscode.TextDocument, chatId: string): Promise<void> {
    const { totalTokens } = await api.previewNextRequest(chatId);
    await until(() => document.getText().includes(`${totalTokens.toLocaleString('en-US')} tokens`), `${document.uri.path}: ${totalTokens}`);
  }

  it('with nothing to act on are no failures for a user, who names nothing, and are for a caller that does', async () => {
    const chatId = await showNewChat(api);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const id of ['removeFromContext', 'addSelectionToContext', 'retry', 'forkChat', 'showRequest', 'sendAgain', 'editMessage']) {
      assert.equal(await run(id), undefined, id);
    }
    assert.match(await failure(run('retry', undefined, { chatId })), /This chat has no messages yet\.$/);
  });

  it('fail with messages for the user', async () => {
    const chatId = await showNewChat(api);
    const failures: [Thenable<unknown>, string][] = [
      [run('openChat', 'sess_1_000000'), 'This chat was deleted.'],
      [run('sendMessage', '', { chatId }), 'The message is empty.'],
      [run('editMessage', undefined, 'x', { chatId }), 'This chat has no messages yet.'],
      [run('editMessage', 'unknown', 'x', { chatId }), 'This message no longer exists in the chat.'],
      [run('retry', undefined, { chatId }), 'This chat has no messages yet.'],
      [run('forkChat', chatId), 'This chat has no reply yet. Fork the chat after the first reply.'],
      [run('renameChat', chatId, ' '), 'The title is empty.'],
      [run('removeFromContext', 'file:x', { chatId }), 'file:x is not in this chat.'],
      [run('selectModel', 'cloud/big', { chatId }), 'The model cloud/big is not available.'],
      [run('importChat', 'sess_1_000000'), 'No other workspace has the chat sess_1_000000.'],
      [run('showRequest', chatId), 'Loupe has not sent a request in this chat yet.'],
    ];
    for (const [failed, message] of failures) {
      assert.ok((await failure(failed)).endsWith(message), message);
    }
  });
});

describe('settings in VS Code', () => {
  const settings = vscode.Uri.joinPath(fileUri('.vscode'), 'settings.json');

  async function write(values: Record<string, unknown>): Promise<void> {
    await vscode.workspace.fs.writeFile(settings, Buffer.from(JSON.stringify(values)));
    const [[key, value]] = Object.entries(values) as [[string, unknown]];
    await until(() => JSON.stringify(vscode.workspace.getConfiguration().get(key)) === JSON.stringify(value), 'the settings are read');
  }

  afterEach(async () => {
    await vscode.workspace.fs.delete(settings.with({ path: settings.path.replace(/\/settings\.json$/, '') }), { recursive: true });
    await until(() => vscode.workspace.getConfiguration().get('loupe.defaults.cacheMode') === 'cached', 'the defaults are back');
  });

  it('are the defaults of new chats only', async () => {
    const api = await activated();
    const before = await api.newChat();
    await write({ 'loupe.defaults.cacheMode': 'system', 'loupe.defaults.maxPromptTokens': 20_000 });
    const after = await api.newChat();
    assert.deepEqual(
      [(await api.getChat(before)).config['cacheMode'], (await api.getChat(after)).config['cacheMode']],
      ['cached', 'system'],
    );
    assert.equal((await api.previewNextRequest(after)).budget, 20_000 - 512);
  });

  it('of the wrong type, or unknown, stop nothing: the default stands in', async () => {
    const api = await activated();
    await write({
      'loupe.defaults.cacheMode': 7,
      'loupe.defaults.model': {},
      'loupe.defaults.maxPromptTokens': 'many',
      'loupe.nonsense': true,
    });
    const chatId = await api.newChat();
    const { config } = await api.getChat(chatId);
    assert.deepEqual([config['cacheMode'], config['model'], config['maxPromptTokens']], ['cached', 'practice/standard', null]);
    await api.sendMessage('/long 2', { chatId });
    assert.equal((await lastReply(api, chatId)).text, 'Practice text.');
  });
});
