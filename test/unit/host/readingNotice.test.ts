import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { ReadWatch } from '../../../src/storage/reading/logReading.js';
import { until } from '../../support/host/clocks.js';
import { EXCHANGES, LONG_CHAT, RESTORE_STEP, writeLongChat } from '../../support/host/longChat.js';
import { openPanel, panelOf, type TestPanel } from '../../support/host/panel.js';
import { messages } from '../../support/host/reading.js';
import { useWindows, type Window } from '../../support/host/window.js';
import { Gate } from '../../support/http/gate.js';
import { rejection } from '../../support/rejection.js';

describe('the reading of a long chat', () => {
  const windows = useWindows();

  /** A panel on the end of a long chat. Reading the whole chat waits at 40 %. */
  async function openHeld() {
    await writeLongChat(windows.folder);
    const window = windows.open({ restoreStep: RESTORE_STEP });
    await window.store.updateDerived(LONG_CHAT, 50);
    const opened = await panelOf(window, LONG_CHAT);
    const session = await opened.shown.current();
    assert.equal(session.state.extent, 'end');
    return { ...opened, window, session, goOn: holdReading(window) };
  }

  function holdReading({ store }: Window): () => void {
    const { opened: allowed, open: goOn } = new Gate();
    const hold = async (watch: ReadWatch): Promise<void> => {
      watch.progress(0.4);
      await Promise.race([allowed, aborted(watch)]);
    };
    const [openEnd, openWhole] = [store.openEnd.bind(store), store.openWhole.bind(store)];
    store.openEnd = (chatId, watch) => hold(watch).then(() => openEnd(chatId, watch));
    store.openWhole = (chatId, wanted, watch) => hold(watch).then(() => openWhole(chatId, wanted, watch));
    return goOn;
  }

  function aborted({ signal }: ReadWatch): Promise<void> {
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        resolve();
      });
    });
  }

  const texts = ({ webview }: TestPanel): string[] => webview.state.banners.map(({ text }) => text);

  it('is told when somebody waits for it and it takes its time, with how far it is, until it has ended', async () => {
    const held = await openHeld();
    const whole = held.session.whole();
    assert.deepEqual(texts(held), []);
    await until(() => texts(held).length > 0, 'it is told');
    assert.deepEqual(texts(held), ['Loading earlier messages (40%). After that, you can send a message.']);
    held.goOn();
    assert.equal(messages(await whole).length, 2 * EXCHANGES);
    await until(() => texts(held).length === 0, 'it has ended');
    assert.equal(held.session.reading, null);
  });

  it('is done once for all who wait for it, and never again', async () => {
    const { session, window, goOn } = await openHeld();
    let readings = 0;
    const open = window.store.openWhole.bind(window.store);
    window.store.openWhole = (...args) => {
      readings += 1;
      return open(...args);
    };
    const waiting = [session.whole(), session.whole()];
    goOn();
    const [first, second] = await Promise.all(waiting);
    assert.equal(first, second);
    assert.equal(await session.whole(), first);
    assert.equal(readings, 1);
  });

  it('has what this window and others log meanwhile', async () => {
    const { session, goOn } = await openHeld();
    const other = await windows.open({ writerId: 'other' }).chats.open(LONG_CHAT);
    const whole = session.whole();
    await session.titler.rename('Named here');
    await other.conversation.send('Said there');
    goOn();
    const state = await whole;
    await session.poll();
    assert.equal(state.title, 'Named here');
    assert.equal(messages(session.state).length, 2 * EXCHANGES + 2);
    assert.equal(session.state.extent, 'whole');
  });

  it('can be cancelled: what waits for it is not done, and it can be asked for again', async () => {
    const held = await openHeld();
    const { session, webview } = held;
    const first = messages(session.state)[0]?.id ?? '';
    const forked = rejection(held.shown.fork(session, first));
    await until(() => webview.state.banners.length > 0, 'it is told');
    assert.deepEqual(webview.state.banners[0]?.actions, [{ label: 'Cancel', action: 'stopReading', argument: '' }]);
    await held.say({ type: 'bannerAction', bannerId: 'reading', action: 'stopReading', argument: '' });
    assert.equal((await forked).kind, 'cancelled');
    await until(() => webview.state.banners.length === 0, 'nothing is read any more');
    assert.equal(session.state.extent, 'end');
    held.goOn();
    assert.equal((await session.whole()).extent, 'whole');
  });

  it('leaves the conversation where it is when a message was sought and that is cancelled, and copies no part of a chat', async () => {
    const { panel, session, webview, say, asked } = await openHeld();
    const last = webview.state.entries.at(-1)?.id;
    const revealed = rejection(panel.reveal('1-none', null));
    await until(() => session.reading !== null, 'it is read for being found');
    session.reading?.cancel();
    assert.equal((await revealed).kind, 'cancelled');
    const copied = say({ type: 'bannerAction', bannerId: 'storage', action: 'copyChat', argument: '' });
    await until(() => session.reading !== null, 'the chat is read for being copied');
    session.reading?.cancel();
    await copied;
    assert.equal(webview.state.entries.at(-1)?.id, last);
    const copies = asked.filter((what) => what.startsWith('copy'));
    assert.deepEqual(copies, []);
  });

  it('is not told of any more when another chat is on show', async () => {
    const held = await openHeld();
    const whole = held.session.whole();
    await until(() => texts(held).length > 0, 'it is told');
    await held.shown.newChat();
    await until(() => texts(held).length === 0, 'it is not told any more');
    held.goOn();
    await whole;
  });

  it('is told, too, while a chat without a restore point is opened; when that is cancelled the one on show stays', async () => {
    await writeLongChat(windows.folder);
    const window = windows.open({});
    const opened = openPanel(window, { currentChat: undefined });
    const shown = await opened.shown.newChat();
    await opened.say({ type: 'ready' });
    holdReading(window);
    const opening = rejection(opened.shown.show(LONG_CHAT));
    await until(() => texts(opened).length > 0, 'it is told');
    assert.deepEqual(texts(opened), ['Loading earlier messages (40%). After that, you can send a message.']);
    await opened.say({ type: 'bannerAction', bannerId: 'reading', action: 'stopReading', argument: '' });
    assert.equal((await opening).kind, 'cancelled');
    assert.equal(opened.panel.session, shown);
    await until(() => texts(opened).length === 0, 'nothing is read any more');
  });

  it('is not waited for any more when a new chat was asked for while the first chat was opened', async () => {
    await writeLongChat(windows.folder);
    const window = windows.open({});
    const opened = openPanel(window, { currentChat: undefined });
    const told = mock.method(opened.panel, 'opening');
    const goOn = holdReading(window);
    const ready = opened.say({ type: 'ready' });
    await until(() => told.mock.callCount() > 0, 'the chat is opened');
    const fresh = await opened.shown.newChat();
    goOn();
    await ready;
    assert.equal(opened.panel.session, fresh);
    assert.deepEqual(told.mock.calls.at(-1)?.arguments, [null]);
  });
});
