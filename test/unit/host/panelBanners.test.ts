import assert from 'node:assert/strict';
import { NOT_ADDED } from '../../../src/host/context/notAdded.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { failure } from '../../../src/engine/errors.js';
import { DISMISS } from '../../../src/host/window/banners.js';
import type { BannerAction } from '../../../src/protocol/panel/view.js';
import { column } from '../../support/columns.js';
import { SteppedClock, stepUntil, until } from '../../support/host/clocks.js';
import { openPanel, panelOf, readyPanel, type TestPanel } from '../../support/host/panel.js';
import { lastUser, partialText } from '../../support/host/reading.js';
import { useWindows } from '../../support/host/window.js';
import { openStreaming } from '../../support/host/streaming.js';

describe('a refusal because a chat is being answered', () => {
  const windows = useWindows();
  const texts = ({ webview }: TestPanel): string[] => webview.state.banners.map(({ text }) => text);

  async function refused(): Promise<
    TestPanel & { readonly clock: SteppedClock; readonly session: ChatSession; readonly run: Promise<void> }
  > {
    const clock = new SteppedClock();
    const opened = await readyPanel(windows.open({ clock }));
    const session = await opened.shown.current();
    const run = session.conversation.send('/long 60');
    await stepUntil(clock, () => partialText(session) !== '', 'text streams');
    await opened.say({ type: 'retry', chatId: session.id, messageId: lastUser(session.state).id });
    return { ...opened, clock, session, run };
  }

  it('goes when the reply has ended here', async () => {
    const { clock, session, run, ...opened } = await refused();
    await until(() => texts(opened).length > 0, 'it is refused');
    assert.deepEqual(texts(opened), ['The model is writing a reply. Stop the reply, or wait for its end.']);
    await stepUntil(clock, () => !session.conversation.isRunning, 'the run ends');
    await run;
    await until(() => texts(opened).length === 0, 'the refusal is gone');
  });

  it('goes when the reply has ended in the other window, and other failures stay', async () => {
    const { session, clock, finish } = await openStreaming(windows, { writerId: 'first', pid: process.ppid }, '/long 60', 20);
    const otherClock = new SteppedClock();
    otherClock.time = clock.time;
    const opened = await panelOf(windows.open({ clock: otherClock, writerId: 'second' }), session.id);
    await opened.say({ type: 'retry', chatId: session.id, messageId: lastUser(session.state).id });
    await opened.say({ type: 'renameChat', chatId: session.id, title: '' });
    await until(() => texts(opened).length === 2, 'both are refused');
    assert.deepEqual(texts(opened), [
      'The title is empty.',
      'The model is writing a reply in another window. Wait for the end of the reply.',
    ]);
    await opened.chats.otherWindows.poll([session.id]);
    opened.panel.channel.snapshot();
    assert.equal(texts(opened).length, 2, 'the other window is still at it');
    await finish();
    await opened.chats.otherWindows.poll([session.id]);
    await until(() => texts(opened).length === 1, 'the refusal is gone');
    assert.deepEqual(texts(opened), ['The title is empty.']);
  });

  it('does not go along to another chat', async () => {
    const { session, run, ...opened } = await refused();
    await opened.say({ type: 'newChat' });
    assert.deepEqual(texts(opened), []);
    await session.conversation.stop();
    await run;
  });
});

describe('what was not added to a chat', () => {
  const windows = useWindows();

  it('is told until a message is sent', async () => {
    const { say, shown, banners } = await readyPanel(windows.open({}));
    const { id: chatId } = await shown.current();
    banners.show({ id: NOT_ADDED, severity: 'warning', text: 'Added the first 200 files.', actions: [] });
    await say({ type: 'send', chatId, text: '/long 2' });
    assert.deepEqual(banners.list(), []);
  });
});

describe('a failure', () => {
  const windows = useWindows();

  it('that is harmless is a notice that goes by itself, and neither a banner nor a line of the log', async () => {
    const window = windows.open({});
    const { banners, notices } = openPanel(window, { currentChat: undefined });
    for (const code of ['chat.noFiles', 'chat.noMessage', 'chat.noReply', 'chat.noRequest', 'editor.none', 'editor.noSelection'] as const) {
      banners.fail(failure(code), 'retry');
    }
    banners.fail(failure('setup.takesNoKey', { label: 'Practice' }), 'setApiKey');
    banners.fail(failure('file.gone', { path: 'src/a.ts' }), 'openContextItem');
    assert.deepEqual([banners.list(), window.errors], [[], []]);
    assert.deepEqual(notices.slice(-2), ['Practice needs no key.', 'The file src/a.ts no longer exists.']);
    assert.equal(notices.length, 8);
  });

  it('that is real goes when the same thing succeeds, and stays when another does', async () => {
    const { say, shown, banners, notices } = await readyPanel(windows.open({}));
    const { id: chatId } = await shown.current();
    const shownTexts = (): string[] => banners.list().map(({ text }) => text);
    await say({ type: 'renameChat', chatId, title: ' ' });
    await say({ type: 'draft', chatId, text: 'a', edit: 1 });
    assert.deepEqual([shownTexts(), notices], [['The title is empty.'], []]);
    await say({ type: 'renameChat', chatId, title: 'Mine' });
    assert.deepEqual(shownTexts(), []);
  });
});

describe('notices', () => {
  const windows = useWindows();
  const notice = (id: string, ...actions: BannerAction[]) => ({ id, severity: 'info', text: id, actions: [...actions, DISMISS] }) as const;

  it('about earlier actions go when the user goes on, and do not pile up', async () => {
    const { say, banners, session } = await readyPanel(windows.open({}));
    banners.show(notice('deleted', { label: 'Undo', action: 'undoDelete', argument: 'x' }));
    banners.show(notice('notAdded'));
    banners.fail(failure('chat.emptyTitle'), 'renameChat');
    await say({ type: 'draft', chatId: session.id, text: 'a', edit: 1 });
    await say({ type: 'focusChanged', isFocused: true });
    assert.equal(banners.list().length, 3, 'typing is no action');
    await say({ type: 'send', chatId: session.id, text: '/long 3' });
    assert.deepEqual(banners.list(), []);
  });

  it('that offer something or show a running operation stay', async () => {
    const { say, banners, session } = await readyPanel(windows.open({}));
    banners.show(notice('import', { label: 'Import', action: 'importChats', argument: '' }));
    banners.show({ ...notice('page'), actions: [{ label: 'Cancel', action: 'cancelPage', argument: '1' }] });
    await say({ type: 'send', chatId: session.id, text: '/long 3' });
    assert.deepEqual(column(banners.list(), 'id'), ['page', 'import']);
  });

  it('of an action that fails again are there again', async () => {
    const { say, banners, session } = await readyPanel(windows.open({}));
    for (const _ of [1, 2, 3]) {
      await say({ type: 'continue', chatId: session.id });
      assert.deepEqual(column(banners.list(), 'text'), ['There is no unfinished reply to continue.']);
    }
  });

  it('go when the user dismisses them', async () => {
    const { say, banners } = await readyPanel(windows.open({}));
    banners.show(notice('server'));
    await say({ type: 'bannerAction', bannerId: 'server', action: 'dismiss', argument: '' });
    assert.deepEqual(banners.list(), []);
  });
});

describe('a chat that is copied because it cannot be saved', () => {
  const windows = useWindows();

  it('is the one that was on show when that was asked for', async () => {
    const window = windows.open({});
    const opened = await readyPanel(window);
    const session = await opened.shown.current();
    await session.conversation.send('/long 3');
    await session.titler.rename('The first');
    let goOn = (): void => undefined;
    const whole = session.whole.bind(session);
    session.whole = async () => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return whole();
    };
    const copying = opened.say({ type: 'bannerAction', bannerId: 'storage', action: 'copyChat', argument: '' });
    await opened.say({ type: 'newChat' });
    goOn();
    await copying;
    const lines = opened.asked.map((asked) => asked.split('\n')[0]);
    assert.deepEqual(lines, ['copy # The first']);
    await until(() => opened.webview.state.banners.length > 0, 'it says so');
    assert.deepEqual(column(opened.webview.state.banners, 'text'), [
      'Loupe copied the chat to the clipboard. Paste the chat into a file to keep it.',
    ]);
  });
});
