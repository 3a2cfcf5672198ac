import assert from 'node:assert/strict';
import { openPanels, type TestPanels } from '../../support/host/panel.js';
import { until } from '../../support/host/clocks.js';
import { messages } from '../../support/host/reading.js';
import { useWindows } from '../../support/host/window.js';

describe('several chat panels', () => {
  const windows = useWindows();

  async function open(): Promise<TestPanels & { readonly tab: Awaited<ReturnType<TestPanels['openTab']>> }> {
    const test = openPanels(windows.open({}), { currentChat: undefined });
    const { view } = test;
    await view.say({ type: 'ready' });
    await (await view.shown.current()).conversation.send('/long 2');
    const tab = await test.openTab((await view.chats.create()).id);
    return { ...test, tab };
  }

  const focused = { type: 'focusChanged', isFocused: true } as const;
  const left = { type: 'focusChanged', isFocused: false } as const;

  it('show a chat each', async () => {
    const { view, tab } = await open();
    assert.notEqual(tab.shown.session?.id, view.shown.session?.id);
    // The latest change is posted a moment later.
    view.panel.channel.delta();
    assert.deepEqual([view.webview.state.chat?.title, tab.webview.state.chat?.title], ['/long 2', 'New chat']);
  });

  describe('the current one', () => {
    it('is the one that was used last, and the view when that is closed', async () => {
      const { panels, view, tab } = await open();
      assert.equal(panels.current.panel, tab.panel, 'a tab that was just opened');
      await view.say(focused);
      assert.equal(panels.current.panel, view.panel);
      await view.say(left);
      assert.equal(panels.current.panel, view.panel, 'also while an editor has the focus');
      await tab.say(focused);
      assert.equal(panels.current.panel, tab.panel);
      panels.close(tab.chatPanel);
      assert.equal(panels.current.panel, view.panel);
      assert.deepEqual(panels.all(), [panels.view]);
    });

    it('is not another one when some other tab is closed', async () => {
      const { panels, view, tab } = await open();
      await view.say(focused);
      panels.close(tab.chatPanel);
      assert.equal(view.keys.get('loupe.hasFocus'), true);
    });

    it('has the context keys, whichever comes first of the focus that goes and the one that comes', async () => {
      const { view, tab } = await open();
      assert.equal(view.keys.get('loupe.hasNoMessage'), true, 'those of the tab');
      for (const [to, from, hasNoMessage] of [
        [view, tab, false],
        [tab, view, true],
      ] as const) {
        await to.say(focused);
        await from.say(left);
        assert.deepEqual([view.keys.get('loupe.hasFocus'), view.keys.get('loupe.hasNoMessage')], [true, hasNoMessage]);
      }
      await tab.say(left);
      assert.equal(view.keys.get('loupe.hasFocus'), false);
      await view.say(focused);
      await tab.shown.session?.conversation.send('/long 1');
      await view.shown.newChat();
      assert.equal(view.keys.get('loupe.hasNoMessage'), true, 'what happens in the others does not count');
    });

    it('loses the focus with its webview', async () => {
      const { view, tab } = await open();
      await tab.say(focused);
      tab.panel.hidden();
      assert.equal(view.keys.get('loupe.hasFocus'), false);
    });

    it('has the chat that the API sends to', async () => {
      const { view, tab } = await open();
      await tab.api.sendMessage('/long 1');
      assert.equal(messages((await tab.shown.current()).state).length, 2);
      await view.say(focused);
      await view.api.sendMessage('/long 1');
      assert.equal(messages((await view.shown.current()).state).length, 4);
    });
  });

  it('begin a new chat each, rather than take the one that another shows', async () => {
    const { view, tab } = await open();
    await view.say({ type: 'newChat' });
    assert.notEqual(view.shown.session?.id, tab.shown.session?.id);
    const ofView = view.shown.session?.id;
    await view.say({ type: 'newChat' });
    assert.equal(view.shown.session?.id, ofView, 'its own is as new as one could be');
  });

  it('show the same chat live, when both show it', async () => {
    const { view, tab } = await open();
    const session = await view.shown.current();
    await tab.say({ type: 'openChat', chatId: session.id });
    await tab.say({ type: 'send', chatId: session.id, text: '/long 3' });
    const replied = (): boolean => [view, tab].every(({ webview }) => webview.replyText === 'Practice text that.');
    await until(replied, 'the reply in both');
    assert.deepEqual([...view.webview.faults, ...tab.webview.faults], []);
  });

  it('share the draft of a chat, and number the edits each for itself', async () => {
    const { view, tab } = await open();
    const chatId = view.shown.session?.id ?? '';
    await tab.say({ type: 'openChat', chatId });
    const drafts = (): unknown[] => [view, tab].map(({ webview }) => [webview.state.draft.text, webview.state.draft.edit]);
    const show = (): void => {
      view.panel.channel.delta();
      tab.panel.channel.delta();
    };
    await tab.say({ type: 'draft', chatId, text: 'from the tab', edit: 7 });
    show();
    assert.deepEqual(drafts(), [
      ['from the tab', 0],
      ['from the tab', 7],
    ]);
    await view.say({ type: 'draft', chatId, text: 'from the view', edit: 1 });
    show();
    assert.deepEqual(drafts(), [
      ['from the view', 1],
      ['from the view', 7],
    ]);
    await tab.say({ type: 'ready' });
    assert.deepEqual(drafts(), [
      ['from the view', 1],
      ['from the view', 0],
    ]);
  });

  it('tell a failure where it happened', async () => {
    const { view, tab } = await open();
    await tab.say({ type: 'send', chatId: tab.shown.session?.id ?? '', text: ' ' });
    const counts = [view, tab].map(({ banners }) => banners.list().length);
    assert.deepEqual(counts, [0, 1]);
  });

  it('let the user see a chat in the view, which has them all, or in its own tab', async () => {
    const { panels, view, tab } = await open();
    const [inView, inTab] = [view.shown.session?.id ?? '', tab.shown.session?.id ?? ''];
    const visible = (): readonly boolean[] => [inView, inTab].map((id) => panels.isVisible(id));
    assert.deepEqual(visible(), [true, true]);
    view.panel.hidden();
    assert.deepEqual(visible(), [false, true]);
    tab.panel.hidden();
    assert.deepEqual(visible(), [false, false]);
  });

  it('report at once when a page is hidden, shown again or closed', async () => {
    const { panels, view, tab, onVisibilityChange } = await open();
    const inTab = tab.shown.session?.id ?? '';
    const reported: boolean[] = [];
    onVisibilityChange(() => reported.push(panels.isVisible(inTab)));
    view.panel.hidden();
    tab.panel.hidden();
    assert.deepEqual(reported, [true, false]);
    await tab.say({ type: 'ready' });
    assert.equal(reported.at(-1), true);
    panels.close(tab.chatPanel);
    assert.equal(reported.at(-1), false);
  });

  it('present a chat in the one that shows it, else in the current one', async () => {
    const { panels, view, tab } = await open();
    const [inView, inTab] = [view.shown.session?.id ?? '', tab.shown.session?.id ?? ''];
    await panels.present(inView);
    assert.deepEqual([view.shown.session?.id, tab.shown.session?.id], [inView, inTab]);
    const other = await view.chats.create();
    await panels.present(other.id);
    assert.deepEqual([view.shown.session?.id, tab.shown.session?.id], [inView, other.id]);
  });

  it('go on when another is closed, which listens to nothing any more', async () => {
    const { panels, view, tab } = await open();
    const session = await view.shown.current();
    await tab.say({ type: 'openChat', chatId: session.id });
    panels.close(tab.chatPanel);
    const received = tab.webview.received.length;
    await session.conversation.send('/long 3');
    await tab.shown.show((await view.chats.create()).id);
    await until(() => view.webview.replyText === 'Practice text that.', 'the reply in the view');
    assert.deepEqual([tab.webview.received.length, tab.shown.session?.id], [received, session.id]);
  });

  describe('at the end of a chat that a tab shows', () => {
    it('the tab is closed when the chat was deleted in another panel', async () => {
      const { view, tab } = await open();
      const chatId = tab.shown.session?.id ?? '';
      const before = view.shown.session?.id;
      await view.say({ type: 'deleteChat', chatId });
      assert.ok(tab.isClosed());
      assert.equal(view.shown.session?.id, before);
      await view.say({ type: 'bannerAction', bannerId: `deleted-${chatId}`, action: 'undoDelete', argument: chatId });
      assert.equal(view.shown.session?.id, before, 'undo opens no chat that the view did not show');
      assert.ok(view.chats.list().some(({ id }) => id === chatId));
    });

    it('the tab shows the latest when the chat was deleted there, and undo brings it back there', async () => {
      const { view, tab } = await open();
      const chatId = tab.shown.session?.id ?? '';
      await tab.say({ type: 'deleteChat', chatId });
      assert.ok(!tab.isClosed());
      assert.equal(tab.shown.session?.id, view.shown.session?.id);
      await tab.say({ type: 'bannerAction', bannerId: `deleted-${chatId}`, action: 'undoDelete', argument: chatId });
      assert.equal(tab.shown.session?.id, chatId);
    });

    it('the view shows the latest when its chat was deleted in a tab', async () => {
      const { view, tab } = await open();
      const chatId = view.shown.session?.id ?? '';
      await tab.say({ type: 'deleteChat', chatId });
      assert.equal(view.shown.session?.id, tab.shown.session?.id);
    });
  });
});
