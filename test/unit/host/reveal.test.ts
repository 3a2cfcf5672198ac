import assert from 'node:assert/strict';
import type { ToWebview } from '../../../src/protocol/panel/toWebview.js';
import type { UserEntry } from '../../../src/protocol/panel/entries.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { rejection } from '../../support/rejection.js';
import { SteppedClock, stepUntil, turn, until } from '../../support/host/clocks.js';
import { EXCHANGES, LONG_CHAT, RESTORE_STEP, writeLongChat } from '../../support/host/longChat.js';
import { openPanel, panelOf, type FakeWebview, type TestPanel } from '../../support/host/panel.js';
import { lastReply, lastUser, messages, partialText } from '../../support/host/reading.js';
import { useWindows, type WindowOptions } from '../../support/host/window.js';

const TURNS = 40;

function revealed({ received }: FakeWebview): string[] {
  return received
    .filter((message): message is Extract<ToWebview, { type: 'reveal' }> => message.type === 'reveal')
    .map(({ entryId }) => entryId);
}

describe('a message that is brought into sight', () => {
  const windows = useWindows();

  async function openLong(): Promise<TestPanel> {
    const opened = openPanel(windows.open({}), { currentChat: undefined });
    const session = await opened.shown.current();
    for (let turn = 1; turn <= TURNS; turn += 1) {
      await session.conversation.send(`/long ${String(turn)}`);
    }
    return opened;
  }

  it('is among the entries by then, with all that follow it', async () => {
    const { panel, webview, say, shown } = await openLong();
    await say({ type: 'ready' });
    const first = messages((await shown.current()).state)[0]!;
    await panel.reveal(first.id, null);
    assert.deepEqual(revealed(webview), [first.id]);
    assert.equal(webview.state.entries[0]?.id, first.id);
    assert.equal(webview.state.entries.length, 2 * TURNS);
  });

  it('is told to a webview that starts later', async () => {
    const { panel, webview, say, shown } = await openLong();
    const { id } = lastUser((await shown.current()).state);
    await panel.reveal(id, null);
    assert.deepEqual(revealed(webview), []);
    await say({ type: 'ready' });
    assert.deepEqual(revealed(webview), [id]);
    await say({ type: 'ready' });
    assert.deepEqual(revealed(webview), [id], 'once');
  });

  it('is found as a reply by its message and by its attempt', async () => {
    const { panel, webview, say, shown } = await openLong();
    await say({ type: 'ready' });
    const { id, attemptId } = lastReply((await shown.current()).state);
    await panel.reveal(id, null);
    await panel.reveal(attemptId, null);
    assert.deepEqual(revealed(webview), [attemptId, attemptId]);
  });

  it('is refused with the reason when an edit has set it aside', async () => {
    const { panel, webview, say, shown } = await openLong();
    await say({ type: 'ready' });
    const session = await shown.current();
    const { id } = lastUser(session.state);
    await session.conversation.edit(id, 'Another question');
    assert.match((await rejection(panel.reveal(id, null))).message, /to another branch/);
    assert.deepEqual(revealed(webview), []);
  });
});

describe('a message far from the end that is brought into sight', () => {
  const windows = useWindows();
  const SOUGHT = EXCHANGES;
  const LAST = 2 * EXCHANGES - 2;

  /** A panel on the end of a long chat, opened from its restore point. */
  async function openLong(options: WindowOptions): Promise<TestPanel & { readonly idOf: (question: number) => string }> {
    await writeLongChat(windows.folder);
    const window = windows.open({ ...options, restoreStep: RESTORE_STEP });
    await window.store.updateDerived(LONG_CHAT, 50);
    const whole = await windows.open({ writerId: 'reader' }).chats.open(LONG_CHAT);
    const ids = messages(await whole.whole()).map(({ id }) => id);
    const opened = await panelOf(window, LONG_CHAT);
    assert.equal((await opened.shown.current()).state.extent, 'end');
    const idOf = (question: number): string => ids[question] ?? '';
    return { ...opened, idOf };
  }

  async function openAtSought(options: WindowOptions): Promise<Awaited<ReturnType<typeof openLong>>> {
    const opened = await openLong(options);
    await opened.panel.reveal(opened.idOf(SOUGHT), null);
    return opened;
  }

  function questions({ state }: FakeWebview): string[] {
    return state.entries.filter((entry): entry is UserEntry => entry.kind === 'user').map(({ text }) => text);
  }

  const from = (first: number, last: number): string[] =>
    Array.from({ length: (last - first) / 2 + 1 }, (_, index) => `Question ${String(first + 2 * index)}`);

  function checkShows(
    { panel, webview }: TestPanel,
    [first, last]: readonly [number, number],
    [earlier, later]: readonly [number, number],
  ): void {
    assert.deepEqual(questions(webview), from(first, last));
    assert.deepEqual([webview.state.chat?.earlierMessages, webview.state.chat?.laterMessages], [earlier, later]);
    // The next request is composed after a pause, so a delta with it can come at any time.
    const withoutNext = (): PanelState => ({ ...webview.state, nextRequest: null, nextRequestRows: null, exclusionPrices: {} });
    const before = withoutNext();
    panel.channel.snapshot();
    assert.deepEqual(withoutNext(), before, 'as a webview would have it that started now');
  }

  it('is shown with what stands around it, and not with all that follows', async () => {
    const opened = await openAtSought({});
    assert.equal(revealed(opened.webview).length, 1);
    assert.equal(opened.webview.state.entries.length, 50);
    checkShows(opened, [276, 324], [275, 275]);
    assert.deepEqual(opened.webview.faults, []);
  });

  it('has what stands before it read when that was not', async () => {
    const { panel, webview, idOf } = await openLong({});
    await panel.reveal(idOf(100), null);
    assert.notEqual(webview.state.chat?.laterMessages, 0);
    await until(() => webview.state.entries.length === 50, 'a page is shown');
  });

  it('moves nothing when it is on show already', async () => {
    const opened = await openAtSought({});
    await opened.panel.reveal(opened.idOf(SOUGHT + 20), null);
    checkShows(opened, [276, 324], [275, 275]);
    assert.equal(revealed(opened.webview).length, 2);
  });

  it('gives way to another one, near the end or far from it', async () => {
    const opened = await openAtSought({});
    await opened.panel.reveal(opened.idOf(100), null);
    checkShows(opened, [76, 124], [75, 475]);
    await opened.panel.reveal(opened.idOf(LAST - 150), null);
    checkShows(opened, [LAST - 198, LAST], [400, 0]);
  });

  it('is followed by later messages on request, until the end is on show again and stays so', async () => {
    const { chats, webview, say, ...opened } = await openAtSought({});
    await say({ type: 'showEarlier', chatId: LONG_CHAT });
    await say({ type: 'showLater', chatId: LONG_CHAT });
    await until(() => webview.state.entries.length === 150, 'a page more above and below');
    checkShows({ ...opened, chats, webview, say }, [226, 374], [225, 225]);
    for (let pages = 0; pages < 5; pages += 1) {
      await say({ type: 'showLater', chatId: LONG_CHAT });
    }
    await until(() => webview.state.chat?.laterMessages === 0, 'the end is on show');
    checkShows({ ...opened, chats, webview, say }, [226, LAST], [225, 0]);
    await (await windows.open({ writerId: 'other' }).chats.open(LONG_CHAT)).conversation.send('Question 600');
    await chats.otherWindows.poll([LONG_CHAT]);
    await until(() => questions(webview).at(-1) === 'Question 600', 'what comes in is shown');
    assert.equal(webview.state.chat?.laterMessages, 0);
  });

  it('gives way to the end on request', async () => {
    const opened = await openAtSought({});
    await opened.say({ type: 'showLatest', chatId: LONG_CHAT });
    await until(() => opened.webview.state.chat?.laterMessages === 0, 'the end is on show');
    checkShows(opened, [LAST - 48, LAST], [550, 0]);
    await opened.say({ type: 'showEarlier', chatId: LONG_CHAT });
    await until(() => opened.webview.state.entries.length === 100, 'a page more');
    await opened.say({ type: 'showLatest', chatId: LONG_CHAT });
    await opened.say({ type: 'showLater', chatId: LONG_CHAT });
    opened.panel.channel.snapshot();
    checkShows(opened, [LAST - 98, LAST], [500, 0]);
  });

  it('stays while a reply streams at the end, which only counts', async () => {
    const clock = new SteppedClock();
    const opened = await openLong({ clock });
    const { panel, webview, shown } = opened;
    const session = await shown.current();
    const run = session.conversation.send('/long 400');
    await stepUntil(clock, () => partialText(session).length > 50, 'text streams');
    await panel.reveal(opened.idOf(SOUGHT), null);
    checkShows(opened, [276, 324], [275, 276]);
    await opened.say({ type: 'showRows', chips: false, nextRequest: true, contextUsed: [], manager: null });
    // Meanwhile the next request is composed from all that was read.
    await until(
      () => webview.state.nextRequestRows?.blocks.some(({ count }) => count === 2 * EXCHANGES + 1) === true,
      'the next request is shown',
    );
    // It can be composed again. That does not concern the reply.
    const deltas = (): unknown => webview.received.filter((message) => message.type === 'delta' && message.delta.nextRequest === undefined);
    const told = deltas();
    await stepUntil(clock, () => partialText(session).length > 500, 'more text streams');
    checkShows(opened, [276, 324], [275, 276]);
    assert.deepEqual(deltas(), told, 'there is nothing to tell of it');
    assert.equal(webview.state.chat?.running, true);
    await stepUntil(clock, () => !session.conversation.isRunning, 'the run ends');
    await run;
    await until(() => webview.state.chat?.laterMessages === 277 && !webview.state.chat.running, 'the reply has become a message');
    checkShows(opened, [276, 324], [275, 277]);
  });

  it('stays when another window writes at the end', async () => {
    const opened = await openAtSought({});
    await (await windows.open({ writerId: 'other' }).chats.open(LONG_CHAT)).conversation.send('/long 2');
    await opened.chats.otherWindows.poll([LONG_CHAT]);
    await until(() => opened.webview.state.chat?.laterMessages === 277, 'it is counted');
    checkShows(opened, [276, 324], [275, 277]);
  });

  it('gives way to the end when a message is sent here', async () => {
    const opened = await openAtSought({});
    await opened.say({ type: 'send', chatId: LONG_CHAT, text: 'Question 600' });
    await until(() => opened.webview.reply?.status === 'done' && opened.webview.state.chat?.running === false, 'it is answered');
    await turn();
    opened.panel.channel.snapshot();
    checkShows(opened, [552, 600], [552, 0]);
  });

  it('can be edited: the conversation then ends with it', async () => {
    const { say, webview, ...opened } = await openAtSought({});
    await say({ type: 'beginEdit', chatId: LONG_CHAT, messageId: opened.idOf(SOUGHT) });
    await until(() => webview.state.draft.editing === opened.idOf(SOUGHT), 'it is in the composer');
    assert.equal(webview.state.chat?.laterMessages, 275);
    await say({ type: 'send', chatId: LONG_CHAT, text: 'Question 300' });
    const isOnShow = (): boolean => webview.state.chat?.laterMessages === 0 && questions(webview).at(-1) === 'Question 300';
    await until(() => isOnShow() && webview.reply?.status === 'done', 'it is answered, and the end on show');
    // Messages that the reply pushed out of the end are removed with the next change.
    await until(() => questions(webview)[0] === 'Question 254', 'only the end is on show');
    assert.deepEqual(questions(webview), from(254, 300));
    assert.equal(webview.state.entries.at(-3)?.kind, 'accounting');
  });

  it('gives way to the end when an edit elsewhere sets it aside', async () => {
    const opened = await openAtSought({});
    const other = await windows.open({ writerId: 'other' }).chats.open(LONG_CHAT);
    await other.conversation.edit(opened.idOf(200), 'Question 200');
    await opened.chats.otherWindows.poll([LONG_CHAT]);
    await until(() => opened.webview.state.chat?.laterMessages === 0, 'the end is on show');
    assert.deepEqual(questions(opened.webview), from(154, 200));
  });

  it('stays when what follows it is cut off right after it: the end is then on show with it', async () => {
    const opened = await openAtSought({});
    const other = await windows.open({ writerId: 'other' }).chats.open(LONG_CHAT);
    await other.conversation.edit(opened.idOf(SOUGHT + 4), 'Question 304');
    await opened.chats.otherWindows.poll([LONG_CHAT]);
    await until(() => opened.webview.state.chat?.laterMessages === 0, 'the end is on show');
    assert.deepEqual(questions(opened.webview).slice(-3), from(300, 304));
  });

  it('is where a conversation that is brought back goes on from, at its end', async () => {
    const opened = await openLong({});
    const session = await opened.shown.current();
    await session.conversation.edit(opened.idOf(LAST), 'Another question');
    const [rewindId] = session.state.rewinds.keys();
    await opened.panel.reveal(opened.idOf(SOUGHT), null);
    await opened.say({ type: 'bringBack', chatId: LONG_CHAT, rewindId: rewindId ?? '' });
    await until(() => opened.webview.state.chat?.laterMessages === 0, 'the end is on show');
    assert.equal(questions(opened.webview).at(-1), `Question ${String(LAST)}`);
  });
});
