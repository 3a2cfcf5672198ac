import assert from 'node:assert/strict';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { COMPOSED_AT_FIRST } from '../../../src/host/chat/composeEnd.js';
import { chatFolder } from '../../../src/storage/layout.js';
import { turn, until } from '../../support/host/clocks.js';
import { LONG_CHAT } from '../../support/host/longChat.js';
import { openPanel } from '../../support/host/panel.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { countReads, DEFAULTS, holdReads, useWindows } from '../../support/host/window.js';
import { rejection } from '../../support/rejection.js';
import { writeLongLog } from '../../support/storage/longLog.js';
import { failureOf } from '../../support/failures.js';

describe('what a request has read of its chat', () => {
  const windows = useWindows();

  it('is all of it where its provider may count less than the estimate that is over the budget', async () => {
    const models = [
      { ...PRACTICE_STANDARD, capabilities: { ...PRACTICE_STANDARD.capabilities, counterIsExact: false, countsTokens: true } },
    ];
    const made = await windows.open({ models }).chats.create();
    for (let turns = 0; turns < 36; turns += 1) {
      await made.send('/long 20');
    }
    const window = windows.open({ writerId: 'other', models });
    await window.store.updateIndex(made.id);
    const session = await window.chats.open(made.id);
    assert.notEqual(session.state.earlier, null);
    const { size } = await made.preview({ text: 'Next', editing: null });
    await session.changeConfig({ maxPromptTokens: DEFAULTS.reservedResponseTokens + Math.floor(size.tokens * 0.75) });
    const composed = await session.preview({ text: 'Next', editing: null });
    assert.ok(composed.size.tokens > composed.budget);
    assert.equal(composed.isPartial, false);
  });

  it('is counted no further back than what is over its budget, though more was read; whole where it fits', async () => {
    const said = (message: number): string => `Message ${String(message)}`;
    await writeLongLog(chatFolder(windows.folder, LONG_CHAT), {
      chatId: LONG_CHAT,
      writer: 'earlier',
      exchanges: COMPOSED_AT_FIRST,
      config: DEFAULTS,
      said,
    });
    const session = await windows.open({}).chats.open(LONG_CHAT);
    await session.history.whole();
    const countedOf = async (maxPromptTokens: number | null): Promise<readonly [boolean, number]> => {
      await session.changeConfig({ maxPromptTokens });
      const { isPartial, prompt } = await session.preview({ text: '', editing: null });
      return [isPartial, prompt.messages.length];
    };
    assert.deepEqual(await countedOf(null), [false, 2 * COMPOSED_AT_FIRST]);
    assert.deepEqual(await countedOf(DEFAULTS.reservedResponseTokens + 1_000), [true, COMPOSED_AT_FIRST]);
    assert.equal(
      session.state.timeline.filter(({ kind }) => kind === 'message').length,
      2 * COMPOSED_AT_FIRST,
      'the chat itself is as it was',
    );
  });
});

describe('what a panel has read of the chat on show', () => {
  const windows = useWindows();

  /** Has the readings of a chat that show it counted, and fail when `fail` is called. */
  function holdHistory({ history }: ChatSession): { readonly asked: () => number; readonly fail: (error: Error) => void } {
    let asked = 0;
    let fail: (error: Error) => void = () => undefined;
    const held = new Promise<void>((_, reject) => {
      fail = reject;
    });
    history.until = () => {
      asked += 1;
      return held;
    };
    return {
      asked: () => asked,
      fail: (error) => {
        fail(error);
      },
    };
  }

  it('is read at once, also when another chat is still being read, and once at a time', async () => {
    const window = windows.open({});
    const { panel } = openPanel(window, { currentChat: undefined });
    const [first, second] = [await window.chats.create(), await window.chats.create()];
    const readings = [holdHistory(first), holdHistory(second)];
    panel.show(first);
    panel.show(second);
    panel.showEarlier();
    assert.deepEqual(
      readings.map(({ asked }) => asked()),
      [1, 1],
    );
  });

  it('tells of no failure to read another chat', async () => {
    const window = windows.open({});
    const { panel } = openPanel(window, { currentChat: undefined });
    const [first, second] = [await window.chats.create(), await window.chats.create()];
    const reading = holdHistory(first);
    panel.show(first);
    panel.show(second);
    reading.fail(failureOf('storage', 'The earlier messages of this chat could not be read.'));
    await turn();
    assert.deepEqual(panel.banners.list(), []);
    assert.match(window.errors.at(-1)?.message ?? '', /could not be read/);
  });

  it('brings nothing of a chat into sight that gave way to another one meanwhile', async () => {
    const window = windows.open({});
    const { panel, webview, say } = openPanel(window, { currentChat: undefined });
    const [first, second] = [await window.chats.create(), await window.chats.create()];
    await first.send('/long 2');
    panel.show(first);
    await say({ type: 'ready' });
    const revealed = panel.reveal(first.state.timeline.flatMap((item) => (item.kind === 'message' ? [item.message.id] : []))[0] ?? '');
    panel.show(second);
    await revealed;
    assert.equal(webview.of('reveal'), 0);
  });

  it('is read on unasked once the log was opened anew, also when asking twice had failed before', async () => {
    const made = await windows.open({}).chats.create();
    for (let turns = 0; turns < 60; turns += 1) {
      await made.send('/long 1');
    }
    const window = windows.open({ writerId: 'other' });
    await window.store.updateIndex(made.id);
    const { history } = await window.chats.open(made.id);
    window.store.readEarlier = () => Promise.reject(failureOf('storage', 'The disk is busy.'));
    const { reading, goOn } = holdReads(window);
    await rejection(history.extend(2));
    await reading;
    await rejection(history.extend(2));
    assert.equal(history.isStuck, true);
    goOn();
    await until(() => !history.isStuck, 'the log is opened anew');
  });

  it('is not read on unasked when that has failed, only when it is asked for again', async () => {
    const made = await windows.open({}).chats.create();
    for (let turns = 0; turns < 60; turns += 1) {
      await made.send('/long 1');
    }
    const window = windows.open({ writerId: 'other' });
    await window.store.updateIndex(made.id);
    const { panel } = openPanel(window, { currentChat: undefined });
    const session = await window.chats.open(made.id);
    assert.notEqual(session.state.earlier, null);
    const readEarlier = window.store.readEarlier.bind(window.store);
    let tries = 0;
    window.store.readEarlier = () => {
      tries += 1;
      return Promise.reject(failureOf('storage', 'The disk is gone.'));
    };
    const openings = countReads(window);
    panel.show(session);
    await until(() => tries === 2, 'that fails, also when the log was opened anew in case it is not the one that it was');
    await turn();
    panel.banners.hide('failure');
    await session.rename('Named');
    await session.rename('Named again');
    await turn();
    assert.deepEqual([tries, openings(), panel.banners.list()], [2, 1, []]);
    panel.showEarlier();
    await turn();
    assert.deepEqual([tries, openings(), panel.banners.list()[0]?.text], [3, 1, 'The disk is gone.']);
    window.store.readEarlier = readEarlier;
    panel.showEarlier();
    await until(() => session.state.earlier === null, 'all is read');
  });
});
