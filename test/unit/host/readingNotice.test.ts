import assert from 'node:assert/strict';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { until } from '../../support/host/clocks.js';
import { EXCHANGES, LONG_CHAT, writeLongChat } from '../../support/host/longChat.js';
import { openPanel, type TestPanel } from '../../support/host/panel.js';
import { messages } from '../../support/host/reading.js';
import { useWindows, type Window } from '../../support/host/window.js';
import { rejection } from '../../support/rejection.js';

describe('reading earlier messages of the chat on show', () => {
  const windows = useWindows();

  interface Held extends TestPanel {
    readonly session: ChatSession;
    /** Lets one more part be read. */
    readonly goOn: () => void;
  }

  /** A panel on the end of a long chat, of which nothing more is read until it may. */
  async function openHeld(): Promise<Held> {
    await writeLongChat(windows.folder);
    const window = windows.open({});
    await window.store.updateIndex(LONG_CHAT);
    const opened = openPanel(window, { currentChat: LONG_CHAT });
    await opened.say({ type: 'ready' });
    const session = await opened.app.current();
    assert.notEqual(session.state.earlier, null);
    return { ...opened, session, goOn: holdEarlier(window) };
  }

  function holdEarlier({ store }: Window): () => void {
    const read = store.readEarlier.bind(store);
    const waiting: (() => void)[] = [];
    let allowed = 0;
    store.readEarlier = async (...args) => {
      if (allowed > 0) {
        allowed -= 1;
      } else {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      return read(...args);
    };
    return () => {
      const next = waiting.shift();
      allowed += next === undefined ? 1 : 0;
      next?.();
    };
  }

  const texts = ({ webview }: TestPanel): string[] => webview.state.banners.map(({ text }) => text);

  it('is told when somebody waits for it and it takes its time, with how far it is, until it has ended', async () => {
    const held = await openHeld();
    const before = held.session.state.earlier?.messages ?? 0;
    const done = held.session.history.whole();
    assert.deepEqual(texts(held), []);
    await until(() => texts(held).length > 0, 'it is told');
    assert.deepEqual(texts(held), [`Reading earlier messages of this chat: 0 so far, ${String(before)} before them.`]);
    held.goOn();
    await until(() => /: [1-9]\d* so far/.test(texts(held)[0] ?? ''), 'it is told how far it is');
    const { done: read, before: left } = held.session.history.reading ?? { done: 0, before: 0 };
    assert.ok(read > 0);
    assert.equal(read + left, before);
    for (let parts = 0; parts < EXCHANGES; parts += 1) {
      held.goOn();
    }
    await done;
    await until(() => texts(held).length === 0, 'it has ended');
    assert.equal(held.session.history.reading, null);
  });

  it('can be cancelled: what waits for it is not done, what was read stays, and it can be asked for again', async () => {
    const held = await openHeld();
    const { session, webview } = held;
    const cleared = rejection(session.clear());
    await until(() => webview.state.banners.length > 0, 'it is told');
    assert.deepEqual(webview.state.banners[0]?.actions, [{ label: 'Cancel', action: 'stopReading', argument: '' }]);
    await held.say({ type: 'bannerAction', bannerId: 'reading', action: 'stopReading', argument: '' });
    held.goOn();
    assert.equal((await cleared).kind, 'cancelled');
    await until(() => webview.state.banners.length === 0, 'nothing is read any more');
    assert.equal(session.state.rewinds.size, 0);
    assert.notEqual(messages(session.state).length, 0);
    for (let parts = 0; parts < EXCHANGES; parts += 1) {
      held.goOn();
    }
    await session.clear();
    assert.equal(session.state.rewinds.size, 1);
  });

  it('leaves the conversation where it is when a message was sought and that is cancelled, and copies no part of a chat', async () => {
    const held = await openHeld();
    const { panel, session, webview, say, asked } = held;
    const last = webview.state.entries.at(-1)?.id;
    const revealed = rejection(panel.reveal('1-none'));
    await until(() => webview.state.banners.length > 0, 'it is told');
    session.history.cancel();
    held.goOn();
    assert.equal((await revealed).kind, 'cancelled');
    await until(() => webview.state.banners.length === 0, 'there is nothing to tell');
    const copied = say({ type: 'bannerAction', bannerId: 'storage', action: 'copyChat', argument: '' });
    await until(() => webview.state.banners.length > 0, 'the chat is read for being copied');
    session.history.cancel();
    held.goOn();
    await copied;
    await until(() => webview.state.banners.length === 0, 'there is nothing to tell again');
    assert.equal(webview.state.entries.at(-1)?.id, last);
    assert.deepEqual(
      asked.filter((what) => what.startsWith('copy')),
      [],
    );
  });

  it('is not told of any more when another chat is on show', async () => {
    const held = await openHeld();
    const done = held.session.history.whole();
    await until(() => texts(held).length > 0, 'it is told');
    await held.app.newChat();
    await until(() => texts(held).length === 0, 'it is not told any more');
    for (let parts = 0; parts < EXCHANGES; parts += 1) {
      held.goOn();
    }
    await done;
  });
});
