import assert from 'node:assert/strict';
import { CHAT_SETTINGS, SETTING_NAMES, settingOf } from '../../../src/engine/chat/config.js';
import { until } from '../../support/host/clocks.js';
import { lastAccounting, lastUser } from '../../support/host/reading.js';
import { openPanel } from '../../support/host/panel.js';
import { useWindows } from '../../support/host/window.js';

describe('the panel', () => {
  const windows = useWindows();

  describe('its buttons', () => {
    it('edit, bring back, retry, stop, fork, rename and configure the chat they name', async () => {
      const { app, panel, webview, say } = openPanel(windows.open({}), { currentChat: undefined });
      await say({ type: 'ready' });
      const session = await app.current();
      const chatId = session.id;
      await say({ type: 'send', chatId, text: '/long 2' });
      const messageId = lastUser(session.state).id;
      await say({ type: 'retry', chatId, messageId });
      panel.resync();
      assert.deepEqual(
        webview.state.entries.map(({ kind }) => kind),
        ['user', 'accounting', 'assistant'],
      );
      await say({ type: 'bringBack', chatId, rewindId: lastAccounting(session.state).rewindId });
      await say({ type: 'renameChat', chatId, title: 'Mine' });
      await say({ type: 'changeSetting', chatId, name: 'model', value: 'practice/small' });
      await say({ type: 'changeSetting', chatId, name: 'maxPromptTokens', value: 5_000 });
      assert.deepEqual(session.state.config.model, { provider: 'practice', model: 'small' });
      assert.deepEqual([session.state.config.maxPromptTokens, session.state.config.reservedResponseTokens], [5_000, 512]);
      await say({ type: 'stop', chatId });
      await say({ type: 'fork', chatId, messageId });
      assert.equal(webview.state.chat?.title, 'Mine (fork)');
      assert.equal(webview.settingOf('model'), 'practice/small');
    });

    it('ask of VS Code what only it can do', async () => {
      const { app, asked, say } = openPanel(windows.open({}), { currentChat: undefined });
      await say({ type: 'ready' });
      const { id: chatId } = await app.current();
      await say({ type: 'copy', text: 'a' });
      await say({ type: 'insertAtCursor', text: 'b' });
      await say({ type: 'newFile', text: 'c', language: 'ts' });
      await say({ type: 'openLink', href: 'https://example.com' });
      await say({ type: 'dropFiles', chatId, uris: ['file:///a', 'file:///b'] });
      await say({ type: 'addFiles', chatId });
      await say({ type: 'openContextItem', chatId, key: 'file:a' });
      await say({ type: 'showRequest', chatId, messageId: 'm' });
      await say({ type: 'previewNextRequest', chatId });
      await say({ type: 'webviewError', message: 'oops' });
      assert.deepEqual(asked, [
        'copy a',
        'insertAtCursor b',
        'newFile ts c',
        'openLink https://example.com',
        `addUris ${chatId} file:///a file:///b`,
        `pickFiles ${chatId}`,
        'openContextItem file:a',
        `showRequest ${chatId} m`,
        `previewNextRequest ${chatId}`,
        'logWebviewError oops',
      ]);
    });
  });

  describe('with the settings of the chat on show', () => {
    it('has rows that a form can be made of', async () => {
      const { app, webview, say } = openPanel(windows.open({}), { currentChat: undefined });
      await say({ type: 'ready' });
      const { id: chatId } = await app.current();
      const rows = webview.state.chat?.settings ?? [];
      assert.deepEqual(
        rows.map(({ name, control }) => [name, control.kind]),
        SETTING_NAMES.map((name) => [name, settingOf(name).kind]),
      );
      const { model, cacheMode } = CHAT_SETTINGS;
      assert.deepEqual(rows.slice(0, 2), [
        { name: 'model', label: model.label, help: model.help, isQuick: true, value: 'practice/standard', control: { kind: 'model' } },
        {
          name: 'cacheMode',
          label: cacheMode.label,
          help: cacheMode.help,
          isQuick: true,
          value: 'cached',
          control: { kind: 'choice', options: cacheMode.options },
        },
      ]);
      await say({ type: 'changeSetting', chatId, name: 'maxPromptTokens', value: 5_000 });
      await until(() => webview.settingOf('maxPromptTokens') === 5_000, 'the change is shown');
      assert.deepEqual(webview.state.chat?.settings.find(({ name }) => name === 'reservedResponseTokens')?.control, {
        kind: 'integer',
        least: 0,
        most: 4_999,
        empty: null,
        expected: 'a whole number from 0 to 4,999',
      });
    });

    it('changes them only to what it takes, and say what that is', async () => {
      const { app, webview, say } = openPanel(windows.open({}), { currentChat: undefined });
      await say({ type: 'ready' });
      const session = await app.current();
      const before = session.state.config;
      const refusals = [
        ['maxPromptTokens', 512, 'Max prompt tokens is not valid: it wants a whole number, 513 or more.'],
        ['reservedResponseTokens', -1, 'Reserved response tokens is not valid: it wants a whole number, 0 or more.'],
        ['cacheMode', 'hot', 'Cache is not valid: it wants one of all-off, system, cached.'],
        ['apiKey', 'x', 'apiKey is not a setting of a chat.'],
        ['__proto__', 'x', '__proto__ is not a setting of a chat.'],
      ] as const;
      for (const [name, value, text] of refusals) {
        await say({ type: 'changeSetting', chatId: session.id, name, value });
        await until(() => webview.state.banners[0]?.text === text, text);
      }
      assert.deepEqual(session.state.config, before);
    });
  });
});
