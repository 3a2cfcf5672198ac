import assert from 'node:assert/strict';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { until } from '../../support/host/clocks.js';
import { panelOf, type TestPanel } from '../../support/host/panel.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';

const NAMES = ['README.md', ...['a', 'b', 'c', 'd', 'e'].map((name) => `src/${name}.ts`), 'docs/x.md'];

describe('Removing files of a chat', () => {
  const windows = useWindows();
  let test: TestPanel;
  let session: ChatSession;

  beforeEach(async () => {
    const files = new MemoryFiles();
    test = await panelOf(windows.open({ files }), undefined);
    session = await test.shown.current();
    for (const name of NAMES) {
      files.texts.set(name, `Content of ${name}`);
      await add(name);
    }
    await until(() => test.webview.state.contextTotal.items === NAMES.length, 'the chips are there');
  });

  function add(name: string): Promise<void> {
    return session.addContext({ type: 'file', name, includeMode: 'manual', addedHash: null, given: null });
  }

  const inChat = (): string[] => [...session.state.context.values()].map(({ name }) => name);
  const banners = (): string[] => test.webview.state.banners.map(({ text }) => text);
  const remove = (key: string): Promise<void> => test.say({ type: 'removeContext', chatId: session.id, key });
  const removeAll = (): Promise<void> => test.say({ type: 'removeAllContext', chatId: session.id });
  const undo = (): Promise<void> =>
    test.say({ type: 'bannerAction', bannerId: 'contextRemoved', action: 'undoRemove', argument: session.id });

  it('takes all of them at once, and Undo brings them back in their order', async () => {
    await removeAll();
    assert.deepEqual(inChat(), []);
    await until(() => banners().includes('7 files were removed from this chat.'), 'the banner is there');
    await undo();
    assert.deepEqual(inChat(), NAMES);
    await until(() => banners().length === 0, 'the banner is gone');
  });

  it('takes those of a folder by its chip; Undo puts them where they were, and keeps what came and went since', async () => {
    await remove('folder:src');
    assert.deepEqual(inChat(), ['README.md', 'docs/x.md']);
    await add('new.md');
    await remove('file:docs/x.md');
    await undo();
    assert.deepEqual(inChat(), [...NAMES.filter((name) => name !== 'docs/x.md'), 'new.md']);
  });

  it('asks for no Undo for one file, which is added again as easily', async () => {
    await remove('file:README.md');
    assert.deepEqual(inChat(), NAMES.slice(1));
    test.panel.channel.snapshot();
    assert.deepEqual(banners(), []);
  });

  it('offers Undo for one file whose box was unchecked, because its row is gone with it', async () => {
    await test.say({ type: 'removeItems', chatId: session.id, keys: ['file:README.md'] });
    assert.deepEqual(inChat(), NAMES.slice(1));
    await until(() => banners().includes('README.md was removed from this chat.'), 'the banner is there');
    await undo();
    assert.deepEqual(inChat(), NAMES);
  });

  it('is undone once, in its own chat', async () => {
    await removeAll();
    const other = await test.chats.create();
    await test.say({ type: 'bannerAction', bannerId: 'contextRemoved', action: 'undoRemove', argument: other.id });
    assert.deepEqual([...other.state.context], []);
    await removeAll();
    await add('new.md');
    await undo();
    await undo();
    assert.deepEqual(inChat(), [...NAMES, 'new.md']);
  });
});
