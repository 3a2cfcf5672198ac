import assert from 'node:assert/strict';
import { column } from '../../support/columns.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { SteppedClock, stepUntil, turn, until } from '../../support/host/clocks.js';
import { openPanel, panelOf, readyPanel, type TestPanel } from '../../support/host/panel.js';
import { damageLine } from '../../support/host/damage.js';
import { partialText } from '../../support/host/reading.js';
import { useWindows, type WindowOptions } from '../../support/host/window.js';
import { failureOf } from '../../support/failures.js';

describe('the chat panel', () => {
  const windows = useWindows();

  function open(options: WindowOptions): TestPanel {
    return openPanel(windows.open(options), { currentChat: undefined });
  }

  /** A panel with a streaming reply. `end` finishes the run. */
  async function streaming(): Promise<TestPanel & { readonly clock: SteppedClock; readonly end: () => Promise<void> }> {
    const clock = new SteppedClock();
    const test = await readyPanel(windows.open({ clock }));
    const session = await test.shown.current();
    const run = session.conversation.send('/long 400');
    await stepUntil(clock, () => partialText(session).length > 50, 'text streams');
    const end = async (): Promise<void> => {
      await stepUntil(clock, () => !session.conversation.isRunning, 'the run ends');
      await run;
      await until(() => test.webview.reply?.status === 'done', 'the end is shown');
    };
    return { ...test, clock, end };
  }

  function checkAgainstSnapshot({ snapshot, webview }: TestPanel): void {
    const before = webview.state;
    assert.deepEqual(snapshot(), before);
  }

  describe('when its webview is ready', () => {
    it('posts a snapshot, and shows a new chat where there is none', async () => {
      const { webview } = await readyPanel(windows.open({}));
      const { chat, chats, entries } = webview.state;
      assert.deepEqual([chat?.title, entries, chat?.running, chat?.readOnly], ['New chat', [], false, null]);
      assert.deepEqual(column(chats, 'id'), [chat?.id]);
      assert.deepEqual([chat?.model.label, chat?.model.hasKey], ['Practice model (offline)', false]);
      assert.equal(webview.settingOf('model'), 'practice/standard');
      assert.deepEqual(webview.faults, []);
    });

    it('tells what the chat has cost in all, those that were set aside included, when a reply has ended', async () => {
      const { webview, say } = await readyPanel(windows.open({ models: BILLED_MODELS }));
      const chatId = webview.state.chat?.id ?? '';
      assert.equal(webview.state.chat?.spent ?? 'none', 'none');
      await say({ type: 'send', chatId, text: '/long 2' });
      await until(() => webview.state.chat?.running === false && webview.state.chat.spent !== null, 'the cost is shown');
      const once = webview.state.chat?.spent?.cost ?? 0;
      assert.ok(once > 0);
      const [user] = webview.state.entries;
      await say({ type: 'retry', chatId, messageId: user?.id ?? '' });
      await until(() => (webview.state.chat?.spent?.cost ?? 0) > once * 1.9, 'the cost of both is shown');
    });

    it('tells no cost of a model that bills nobody, but its tokens', async () => {
      const { webview, say } = await readyPanel(windows.open({}));
      await say({ type: 'send', chatId: webview.state.chat?.id ?? '', text: '/long 2' });
      await until(() => webview.state.chat?.running === false && webview.state.chat.spent !== null, 'the tokens are shown');
      const { spent } = webview.state.chat ?? {};
      assert.deepEqual([spent?.cost, spent?.unknownRequests, spent?.outputTokens], [null, 0, 3]);
      assert.deepEqual([webview.reply?.usage?.isPretended, (webview.reply?.usage?.cost ?? 0) > 0], [true, true]);
      await until(() => webview.state.nextRequest?.isPretended === true, 'the next request is shown');
    });

    it('shows the chat of the last time', async () => {
      const { window, session: wanted } = await windows.openChat({}, '/long 2');
      await (await window.chats.create()).conversation.send('/long 3');
      const { webview } = await panelOf(windows.open({ writerId: 'next' }), wanted.id);
      assert.equal(webview.state.chat?.id, wanted.id);
      assert.equal(webview.state.chats?.length, 2);
      assert.equal(webview.replyText, 'Practice text.');
    });

    it('shows the latest chat where the one of the last time is gone', async () => {
      const window = windows.open({});
      await (await window.chats.create()).conversation.send('/long 2');
      const latest = await window.chats.create();
      await latest.conversation.send('/long 3');
      const { webview } = await panelOf(windows.open({ writerId: 'next' }), 'sess_1_000000');
      assert.equal(webview.state.chat?.id, latest.id);
    });

    it('shows the latest chat where the one of the last time cannot be read', async () => {
      const { window, session: readable } = await windows.openChat({});
      await readable.titler.rename('Readable');
      const damaged = await window.chats.create();
      await damageLine(windows.folder, damaged.id, 0);
      const { webview } = await panelOf(windows.open({ writerId: 'next' }), damaged.id);
      assert.equal(webview.state.chat?.id, readable.id);
      assert.deepEqual(column(webview.state.chats, 'title'), ['Readable', 'Unreadable chat']);
    });

    it('posts nothing before, and nothing while it is hidden', async () => {
      const { panel, webview, say, shown } = open({});
      const session = await shown.newChat();
      await session.conversation.send('/long 2');
      panel.channel.snapshot();
      assert.deepEqual(webview.received, []);
      await say({ type: 'ready' });
      panel.channel.hidden();
      const posted = webview.received.length;
      await session.conversation.send('/long 3');
      panel.focusComposer();
      panel.channel.snapshot();
      assert.equal(webview.received.length, posted);
      await say({ type: 'ready' });
      assert.equal(webview.replyText, 'Practice text that.');
      assert.deepEqual(webview.faults, []);
    });
  });

  describe('its deltas', () => {
    it('give at any moment what a fresh snapshot would show, also while text streams in', async () => {
      const test = await streaming();
      const { webview, panel } = test;
      let deltas = 0;
      const failures: unknown[] = [];
      webview.afterDelta = () => {
        deltas += 1;
        // Only every third, so that deltas with higher numbers occur.
        if (deltas % 3 === 0) {
          try {
            checkAgainstSnapshot(test);
          } catch (thrown) {
            failures.push(thrown);
          }
        }
      };
      const seen = webview.replyText.length;
      for (let step = 0; step < 60; step += 1) {
        test.clock.step();
        await turn();
      }
      await until(() => webview.replyText.length > seen, 'text arrives');
      await test.end();
      await test.say({ type: 'showRows', chips: false, nextRequest: true, contextUsed: [], manager: null });
      await panel.session?.fragments.set('x', 'A fragment.');
      await until(
        () => webview.state.nextRequestRows?.blocks.some(({ label }) => label === 'Instructions from x') === true,
        'the next request is shown',
      );
      assert.deepEqual(failures, []);
      assert.ok(deltas >= 3);
      assert.deepEqual(webview.faults, []);
      assert.equal(webview.replyText.split(/\s+/).length, 400);
    });

    it('carry text that grows as an appendix only', async () => {
      const { clock, webview, panel, end } = await streaming();
      await until(() => webview.replyText.length > 0, 'text is shown');
      const session = panel.session;
      assert.ok(session !== null);
      const shown = webview.replyText.length;
      const from = webview.received.length;
      await stepUntil(clock, () => partialText(session).length > shown + 50, 'more text streams');
      await until(() => webview.replyText.length > shown, 'it is shown');
      const deltas = webview.received.slice(from).flatMap((message) => (message.type === 'delta' ? [message.delta] : []));
      assert.ok(deltas.some(({ entries }) => entries?.append.length === 1));
      assert.ok(deltas.every(({ entries }) => entries === undefined || (entries.put.length === 0 && entries.order === null)));
      await end();
    });

    it('are posted at most once in a while, however much happens', async () => {
      const { webview, panel, drafts, session } = await readyPanel(windows.open({}));
      const before = webview.received.length;
      for (let change = 0; change < 50; change += 1) {
        void session.fragments.set(String(change), 'text');
        drafts.typed(session.id, String(change), { panel: 'view', number: change });
        panel.channel.changed('chat');
      }
      await until(() => webview.state.draft.text === '49', 'the draft is shown');
      assert.equal(webview.received.length, before + 1);
    });

    it('are not posted when nothing on show has changed', async () => {
      const { panel, webview, banners } = await readyPanel(windows.open({}));
      await until(() => webview.state.nextRequest !== null, 'the next request is shown');
      const before = webview.received.length;
      panel.channel.changed('chat');
      banners.show({ id: 'x', severity: 'info', text: 'x', actions: [] });
      banners.hide('x');
      const session = panel.session;
      await session?.fragments.set('x', null);
      await until(() => {
        banners.show({ id: 'end', severity: 'info', text: 'end', actions: [] });
        return webview.state.banners.length === 1;
      }, 'the panel posts');
      assert.equal(webview.received.length, before + 1);
    });
  });

  describe('a new epoch', () => {
    it('begins in mid-stream when the webview is restarted, hidden or lost something; no token is lost or doubled', async () => {
      const { clock, panel, webview, say, end } = await streaming();
      const restarts: (() => Promise<void>)[] = [
        () => say({ type: 'ready' }),
        () => say({ type: 'resync', reason: 'Delta 3 came after 1.' }),
        async () => {
          panel.channel.hidden();
          clock.step();
          await turn();
          await say({ type: 'ready' });
        },
      ];
      for (const restart of restarts) {
        const { epoch } = webview;
        await restart();
        assert.ok(webview.epoch > epoch);
        assert.equal(webview.replyText, partialText(panel.session!));
        const shown = webview.replyText.length;
        await stepUntil(clock, () => partialText(panel.session!).length > shown + 20, 'more text streams');
        await until(() => webview.replyText.length > shown, 'it is shown');
        assert.ok(partialText(panel.session!).startsWith(webview.replyText));
      }
      await end();
      assert.equal(webview.replyText, partialText(panel.session!));
      assert.equal(webview.replyText.split(/\s+/).length, 400);
      assert.deepEqual(webview.faults, []);
    });

    it('begins when another chat is shown; the one that streams goes on unseen and is whole afterwards', async () => {
      const { panel, webview, say, end, shown } = await streaming();
      const streamed = panel.session!;
      const { epoch } = webview;
      await say({ type: 'newChat' });
      assert.ok(webview.epoch > epoch);
      assert.notEqual(webview.state.chat?.id, streamed.id);
      assert.deepEqual(webview.state.entries, []);
      assert.equal(webview.state.chats?.find(({ id }) => id === streamed.id)?.running, true);
      await shown.show(streamed.id);
      assert.equal(webview.replyText, partialText(streamed));
      await end();
      assert.equal(webview.replyText.split(/\s+/).length, 400);
      assert.deepEqual(webview.faults, []);
    });
  });

  describe('a long conversation', () => {
    it('is shown by its last 50 entries, and earlier ones on request', async () => {
      const { webview, say, session } = await readyPanel(windows.open({}));
      for (let turnNumber = 1; turnNumber <= 60; turnNumber += 1) {
        await session.conversation.send(`/long ${String(turnNumber)}`);
      }
      const { id } = session;
      await say({ type: 'ready' });
      assert.equal(webview.state.entries.length, 50);
      assert.equal(webview.state.chat?.earlierMessages, 70);
      assert.equal(webview.replyText.split(/\s+/).length, 60);
      await say({ type: 'showEarlier', chatId: id });
      await until(() => webview.state.entries.length === 100, 'earlier entries are shown');
      assert.equal(webview.state.chat.earlierMessages, 20);
      await say({ type: 'showEarlier', chatId: id });
      await until(() => webview.state.entries.length === 120, 'all entries are shown');
      assert.equal(webview.state.chat.earlierMessages, 0);
      const [first] = webview.state.entries;
      assert.equal(first?.kind === 'user' ? first.text : '', '/long 1');
      await say({ type: 'newChat' });
      await say({ type: 'openChat', chatId: id });
      assert.equal(webview.state.entries.length, 50);
    });
  });

  describe('what fails', () => {
    it('becomes a banner that can be dismissed', async () => {
      const window = windows.open({});
      const { webview, say } = await readyPanel(window);
      await say({ type: 'openChat', chatId: 'sess_1_000000' });
      await until(() => webview.state.banners.length === 1, 'the banner is shown');
      const [banner] = webview.state.banners;
      assert.deepEqual([banner?.severity, banner?.text], ['error', 'This chat was deleted.']);
      assert.deepEqual(column(banner?.actions, 'label'), ['Dismiss']);
      assert.deepEqual(column(window.errors, 'message'), ['This chat was deleted.']);
      await say({ type: 'bannerAction', bannerId: 'failure', action: 'dismiss', argument: '' });
      await until(() => webview.state.banners.length === 0, 'the banner is gone');
    });

    it('unexpectedly offers the log', async () => {
      const { banners, webview, say, asked } = await readyPanel(windows.open({}));
      banners.fail(failureOf('internal', 'Broken.'), null);
      await until(() => webview.state.banners.length === 1, 'the banner is shown');
      assert.deepEqual(column(webview.state.banners[0]?.actions, 'action'), ['showLog', 'dismiss']);
      await say({ type: 'bannerAction', bannerId: 'failure', action: 'showLog', argument: '' });
      assert.deepEqual(asked, ['showLog']);
    });

    it('in a run becomes a note with the next action', async () => {
      const { snapshot, say, session } = await readyPanel(windows.open({}));
      await say({ type: 'send', chatId: session.id, text: '/error 429' });
      const [user, ...after] = snapshot().entries;
      const note = after.at(-1);
      assert.ok(user?.kind === 'user' && note?.kind === 'runNote');
      assert.deepEqual(
        [user.status, note.status, note.actions, note.userMessageId],
        ['unsent', 'failed', ['retry', 'selectModel'], user.id],
      );
      assert.match(note.text, /too many requests \(429\)/);
      assert.match(note.detail ?? '', /\/error 429/);
    });

    it('to be read shows in a badge that names the line', async () => {
      const session = await windows.open({}).chats.create();
      await session.titler.rename('A');
      await damageLine(windows.folder, session.id, 1);
      const { webview, shown } = await readyPanel(windows.open({ writerId: 'other' }));
      await shown.show(session.id);
      assert.equal(webview.state.chat?.damage?.label, 'Damaged log: line 2');
      assert.deepEqual(column(webview.state.chat.damage.files, 'file'), ['window.jsonl']);
      assert.deepEqual(webview.state.banners, []);
    });

    it('three at a time are shown, the most urgent first', async () => {
      const { snapshot, banners } = await readyPanel(windows.open({}));
      for (const [id, severity] of [
        ['a', 'info'],
        ['b', 'warning'],
        ['c', 'info'],
        ['d', 'error'],
        ['a', 'info'],
      ] as const) {
        banners.show({ id, severity, text: id, actions: [] });
      }
      assert.deepEqual(column(snapshot().banners, 'id'), ['d', 'b', 'a']);
    });
  });

  describe('a chat that was deleted', () => {
    it('gives way to the latest, and comes back by Undo', async () => {
      const { webview, say, shown, session: first } = await readyPanel(windows.open({}));
      await first.conversation.send('/long 2');
      await say({ type: 'newChat' });
      const second = await shown.current();
      await second.conversation.send('/long 3');
      await say({ type: 'deleteChat', chatId: second.id });
      await until(() => webview.state.banners.length === 1, 'the banner is shown');
      assert.equal(webview.state.chat?.id, first.id);
      const [banner] = webview.state.banners;
      assert.ok(banner !== undefined);
      assert.equal(banner.text, 'The chat "/long 3" was deleted.');
      const undo = banner.actions.find(({ action }) => action === 'undoDelete');
      assert.ok(undo !== undefined);
      await say({ type: 'bannerAction', bannerId: banner.id, action: 'undoDelete', argument: undo.argument });
      assert.equal(webview.state.chat.id, second.id);
      assert.equal(webview.replyText, 'Practice text that.');
      assert.deepEqual(webview.state.banners, []);
    });
  });
});
