import assert from 'node:assert/strict';
import { CHAT_SETTINGS } from '../../../src/engine/chat/settings/config.js';
import { column } from '../../support/columns.js';
import { until } from '../../support/host/clocks.js';
import { lastAccounting, lastUser } from '../../support/host/reading.js';
import { openPanel, readyPanel } from '../../support/host/panel.js';
import { useWindows } from '../../support/host/window.js';
import type { SettingRow } from '../../../src/protocol/panel/view.js';

describe('the panel', () => {
  const windows = useWindows();

  describe('its buttons', () => {
    it('edit, bring back, retry, stop, fork, rename and configure the chat they name', async () => {
      const { snapshot, webview, say, session } = await readyPanel(windows.open({}));
      const chatId = session.id;
      await say({ type: 'send', chatId, text: '/long 2' });
      const messageId = lastUser(session.state).id;
      await say({ type: 'retry', chatId, messageId });
      assert.deepEqual(column(snapshot().entries, 'kind'), ['user', 'accounting', 'assistant']);
      await say({ type: 'bringBack', chatId, rewindId: lastAccounting(session.state).rewindId });
      await say({ type: 'renameChat', chatId, title: 'Mine' });
      await say({ type: 'changeSetting', chatId, name: 'model', value: 'practice/small' });
      await say({ type: 'changeSetting', chatId, name: 'maxPromptTokens', value: 5_000 });
      assert.deepEqual(session.state.config.model, { provider: 'practice', model: 'small' });
      assert.deepEqual([session.state.config.maxPromptTokens, session.state.config.reservedResponseTokens], [5_000, 512]);
      await say({ type: 'stop', chatId });
      const focused = webview.of('focusComposer');
      await say({ type: 'fork', chatId, messageId });
      assert.equal(webview.state.chat?.title, 'Mine (fork)');
      assert.equal(webview.of('focusComposer'), focused + 1);
      assert.equal(webview.settingOf('model'), 'practice/small');
      await say({ type: 'openMessage', chatId, messageId, found: null });
      assert.equal(webview.state.chat.title, 'Mine', 'the line of the fork leads to where it left the other chat');
      const revealed = webview.received.findLast(({ type }) => type === 'reveal');
      assert.deepEqual(revealed, { type: 'reveal', entryId: messageId, text: null });
    });

    it('ask of VS Code what only it can do', async () => {
      const window = windows.open({});
      const { asked, say, shown } = await readyPanel(window);
      const { id: chatId } = await shown.current();
      await say({ type: 'copy', text: 'a' });
      await say({ type: 'insertAtCursor', text: 'b' });
      await say({ type: 'applyCode', path: 'src/a.ts', text: 'd' });
      await say({ type: 'newFile', text: 'c', language: 'ts' });
      await say({ type: 'openLink', href: 'https://example.com' });
      await say({ type: 'openFile', path: 'src/a.ts', line: 12 });
      await say({ type: 'dropFiles', chatId, uris: ['file:///a', 'file:///b'] });
      await say({ type: 'addFiles', chatId });
      await say({ type: 'openContextItem', chatId, key: 'file:a' });
      await say({ type: 'showRequest', chatId, messageId: 'm' });
      await say({ type: 'previewNextRequest', chatId });
      await say({ type: 'webviewError', message: 'oops' });
      assert.deepEqual(asked, [
        'copy a',
        'insertAtCursor b',
        'applyCode src/a.ts d',
        'newFile c ts',
        'openLink https://example.com',
        'openFile src/a.ts 12',
        `addDropped ${chatId} file:///a file:///b`,
        `pickFiles ${chatId} null`,
        'openItem file:a',
        `showRequest ${chatId} m`,
        `showNext ${chatId}`,
      ]);
      assert.match(window.errors.splice(0).join(), /The panel reported: oops/);
    });
  });

  it('opens the search in the chat once the webview is there', async () => {
    const { panel, webview, say } = openPanel(windows.open({}), { currentChat: undefined });
    panel.typeIn('find');
    assert.equal(webview.of('find'), 0);
    await say({ type: 'ready' });
    assert.equal(webview.of('find'), 1);
    panel.channel.snapshot();
    panel.typeIn('find');
    panel.hidden();
    await say({ type: 'ready' });
    assert.equal(webview.of('find'), 2);
  });

  it('has the focus in the message box once the webview is there, where a command led there before', async () => {
    const { panel, webview, say } = openPanel(windows.open({}), { currentChat: undefined });
    panel.focusComposer();
    await say({ type: 'ready' });
    assert.equal(webview.of('focusComposer'), 1);
    panel.hidden();
    await say({ type: 'ready' });
    assert.equal(webview.of('focusComposer'), 1, 'once is enough');
  });

  describe('with the settings of the chat on show', () => {
    it('has rows for those that have an effect', async () => {
      const { webview, say, shown } = await readyPanel(windows.open({}));
      const { id: chatId } = await shown.current();
      const long = (): readonly string[] => {
        const names = (webview.state.chat?.settings ?? []).map(({ name }) => name);
        return names.slice(names.indexOf('compaction'), names.indexOf('editorDate'));
      };
      await say({ type: 'changeSetting', chatId, name: 'compactionPolicy', value: 'rolling-window' });
      await until(() => webview.settingOf('compactionPolicy') === 'rolling-window', 'the change is shown');
      assert.deepEqual(long(), [
        'compaction',
        'compactionPolicy',
        'summaryAsk',
        'recentMessages',
        'leastRecentMessages',
        'summaryStyle',
        'titles',
        'titleModel',
      ]);
      await say({ type: 'changeSetting', chatId, name: 'compaction', value: 'off' });
      await until(() => webview.settingOf('compaction') === 'off', 'the change is shown');
      assert.deepEqual(long(), ['compaction', 'summaryStyle', 'titles', 'titleModel']);
    });

    it('has rows that a form can be made of', async () => {
      const { webview, say, shown } = await readyPanel(windows.open({}));
      const { id: chatId } = await shown.current();
      const rows = webview.state.chat?.settings ?? [];
      assert.deepEqual(
        rows.map(({ name, control }) => [name, control.kind]),
        [
          ['model', 'model'],
          ['cacheMode', 'choice'],
          ['cacheLifetime', 'choice'],
          ['layout', 'choice'],
          ['fileChanges', 'choice'],
          ['agent', 'agent'],
          ['systemPrompt', 'text'],
          ['pickMinimum', 'integer'],
          ['pickMost', 'integer'],
          ['pickCertain', 'integer'],
          ['pickCandidates', 'integer'],
          ['workspaceTools', 'choice'],
          ['toolMemory', 'switch'],
          ['maxPromptTokens', 'integer'],
          ['reservedResponseTokens', 'integer'],
          ['compaction', 'choice'],
          ['compactionPolicy', 'choice'],
          ['compactionTrigger', 'choice'],
          ['summaryAsk', 'choice'],
          ['verbatimTokens', 'integer'],
          ['leastExchanges', 'integer'],
          ['topicModel', 'choice'],
          ['summaryStyle', 'choice'],
          ['titles', 'choice'],
          ['titleModel', 'choice'],
          ['editorDate', 'choice'],
          ['editorFile', 'choice'],
          ['editorSelection', 'choice'],
          ['editorVisible', 'choice'],
          ['editorGit', 'choice'],
          ['editorTabs', 'choice'],
          ['editorProblems', 'choice'],
          ['editorTerminal', 'choice'],
          ['editorMostTokens', 'integer'],
          ['repositoryMap', 'choice'],
          ['repeatedContent', 'choice'],
          ['whileAway', 'choice'],
        ],
      );
      const { model, cacheMode } = CHAT_SETTINGS;
      assert.deepEqual(rows.slice(0, 2), [
        {
          name: 'model',
          group: null,
          label: model.label,
          help: model.help,
          value: 'practice/standard',
          isChanged: false,
          control: { kind: 'model' },
        },
        {
          name: 'cacheMode',
          group: null,
          label: cacheMode.label,
          help: cacheMode.help,
          value: 'cached',
          isChanged: false,
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
        expected: 'a whole number from 0 to 4,999 (Context limit: 5,000)',
      });
    });

    it('closes those below headings that few change, and tells which differ from those of a new chat', async () => {
      const { webview, say, shown } = await readyPanel(windows.open({ config: { pickMost: 5 } }));
      const { id: chatId } = await shown.current();
      const rows = (): readonly SettingRow[] => webview.state.chat?.settings ?? [];
      const changed = (): readonly string[] =>
        rows()
          .filter(({ isChanged }) => isChanged)
          .map(({ name }) => name);
      assert.deepEqual(
        column(
          rows().filter(({ group }) => group === null),
          'name',
        ),
        ['model', 'cacheMode', 'agent', 'systemPrompt', 'maxPromptTokens', 'reservedResponseTokens'],
      );
      assert.deepEqual(
        [...new Set(column(rows(), 'group'))],
        [null, 'Prompt layout and cache', 'Picked rules and skills', 'Tools', 'Summaries', 'Titles', 'Editor state', 'Repository map'],
      );
      assert.deepEqual(changed(), []);
      await say({ type: 'changeSetting', chatId, name: 'pickMost', value: 3 });
      await say({ type: 'changeSetting', chatId, name: 'model', value: 'practice/small' });
      await until(() => webview.settingOf('model') === 'practice/small', 'the changes are shown');
      assert.deepEqual(changed(), ['model', 'pickMost']);
    });

    it('changes them only to what it takes, and say what that is', async () => {
      const { webview, say, session } = await readyPanel(windows.open({}));
      const before = session.state.config;
      const refusals = [
        ['maxPromptTokens', 512, 'Context limit is invalid; expected a whole number, 513 or more.'],
        ['reservedResponseTokens', -1, 'Kept free for the reply is invalid; expected a whole number, 0 or more.'],
        ['cacheMode', 'hot', 'Cache is invalid; expected one of all-off, system, cached.'],
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
