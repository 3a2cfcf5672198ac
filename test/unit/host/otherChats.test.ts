import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OtherChats, otherStorages, workspaceStorageFolder } from '../../../src/host/otherChats.js';
import { until } from '../../support/host/clocks.js';
import { openPanel, type TestPanel } from '../../support/host/panel.js';
import { conversation, messages, runStatuses, wholeState } from '../../support/host/reading.js';
import { useWindows, type Window } from '../../support/host/window.js';
import { rejection } from '../../support/rejection.js';
import { contents } from '../storage/fixtures.js';

const HERE = 'file:///workspace';

describe('chats of other workspaces', () => {
  const windows = useWindows();
  let elsewhere: string;

  beforeEach(() => {
    elsewhere = windows.folder;
  });

  /** The window of another workspace, whose storage `elsewhere` is. */
  async function chatElsewhere(text: string): Promise<{ readonly window: Window; readonly chatId: string; readonly path: string }> {
    const window = windows.open({ writerId: 'before' });
    const session = await window.chats.create();
    await session.send(text);
    return { window, chatId: session.id, path: join(elsewhere, 'chats', session.id) };
  }

  /** This workspace, with a storage of its own. */
  async function here(folders: readonly string[]): Promise<TestPanel & { readonly window: Window; readonly others: OtherChats }> {
    await windows.newFolder();
    const window = windows.open({ writerId: 'now' });
    const opened = openPanel(window, { currentChat: undefined });
    const others = new OtherChats({
      app: opened.app,
      storages: () => Promise.resolve([elsewhere, join(elsewhere, 'gone')]),
      folders: () => folders,
      logError: (error) => window.errors.push(error),
    });
    return { ...opened, window, others };
  }

  it('are found with title and folders, those of the folders that are open here first', async () => {
    const { window } = await chatElsewhere('/long 2\nsecond line');
    await window.chats.create();
    const named = await window.chats.create();
    await named.send('/long 1');
    await named.rename('Named');
    const deleted = await window.chats.create();
    await deleted.send('/long 1');
    await window.chats.delete(deleted.id);
    const { others } = await here([HERE]);
    const found = await others.find();
    assert.deepEqual(found.map(({ title }) => title).sort(), ['/long 2', 'Named']);
    assert.deepEqual(found.map(({ folders, matches }) => [folders, matches]), [[[HERE], true], [[HERE], true]]);
    const { others: unrelated } = await here(['file:///somewhere']);
    assert.deepEqual((await unrelated.find()).map(({ matches }) => matches), [false, false]);
  });

  it('are found by the ends of a long log', async () => {
    const { window, chatId } = await chatElsewhere('/long 2');
    const session = await window.chats.open(chatId);
    for (let count = 0; count < 30; count += 1) {
      await session.addContext({ type: 'file', name: 'f', includeMode: 'manual', addedHash: null, givenContent: 'x'.repeat(20_000) });
    }
    await session.rename('Named at the end');
    const { others } = await here([HERE]);
    assert.deepEqual((await others.find()).map(({ title }) => title), ['Named at the end']);
  });

  it('are imported whole: same messages, same ids and times, and say where they came from; the original is untouched', async () => {
    const { window, chatId, path } = await chatElsewhere('/long 2');
    const original = await window.chats.open(chatId);
    const blob = await window.store.blobs(chatId).put(Buffer.from('an attachment'));
    await original.retry(messages(original.state)[0]?.id ?? '');
    const before = await contents(path);
    const { others, window: now, app } = await here([HERE, 'file:///second']);
    const copy = await others.import(chatId);
    assert.notEqual(copy.id, chatId);
    assert.equal(app.panel.session, copy);
    const { chatId: _id, folders, importedFrom, updatedAt: _at, ...rest } = wholeState(copy.state) as Record<string, unknown>;
    const { chatId: _otherId, folders: _folders, importedFrom: none, updatedAt: _otherAt, ...expected } = wholeState(original.state) as Record<string, unknown>;
    assert.deepEqual(rest, expected);
    assert.deepEqual([importedFrom, none, folders], [{ chatId, folders: [HERE] }, null, [HERE]]);
    assert.equal(Buffer.from(await now.store.blobs(copy.id).get(blob)).toString(), 'an attachment');
    assert.deepEqual(await contents(path), before);
    assert.equal((await now.store.readChat(copy.id)).events.at(-1)?.type, 'imported');
    await copy.send('/long 1');
    const reopened = await windows.open({ writerId: 'later' }).chats.open(copy.id);
    assert.deepEqual(conversation(reopened.state), conversation(copy.state));
    assert.deepEqual(runStatuses(reopened.state), ['committed', 'committed', 'committed']);
    assert.deepEqual(await contents(path), before);
  });

  it('are imported without the line that is just being written there', async () => {
    const { path } = await chatElsewhere('/long 2');
    await appendFile(join(path, 'before.jsonl'), '{"v":1,"seq":99,"id":"half');
    const { others } = await here([HERE]);
    assert.deepEqual((await others.import(path)).faults, []);
  });

  it('are imported by the path of their folder, for other extensions', async () => {
    const { path } = await chatElsewhere('/long 2');
    const { others } = await here([]);
    assert.equal(conversation((await others.import(path)).state).length, 2);
  });

  it('leave nothing behind when they cannot be imported', async () => {
    const { others, window } = await here([HERE]);
    const noChat = join(elsewhere, 'chats', 'sess_1600000000000_00ff00');
    await mkdir(noChat, { recursive: true });
    await writeFile(join(noChat, 'x.jsonl'), 'this is no line of a log\n');
    const failures = [await rejection(others.import(noChat)), await rejection(others.import('sess_1_000000'))];
    assert.deepEqual(failures.map(({ kind, message }) => [kind, message]), [
      ['invalidInput', 'This is no chat, or the line that created it is damaged.'],
      ['invalidInput', 'No other workspace has the chat sess_1_000000.'],
    ]);
    assert.deepEqual(await contents(window.folder), {});
  });

  it('are offered where nothing was said yet, and imported when the user wants that, the latest on show', async () => {
    const { window } = await chatElsewhere('/long 2');
    const { others, app, panel, window: now } = await here([HERE]);
    await (await window.chats.create()).send('/long 3');
    app.onListed(() => others.offer());
    await app.current();
    await until(() => panel.banners.list().length > 0, 'the offer shows');
    const [banner] = panel.banners.list();
    assert.equal(banner?.text, "2 chats of this folder were found in another workspace's storage.");
    assert.deepEqual(banner.actions.map(({ label }) => label), ['Import', 'Dismiss']);
    await others.importOffered();
    assert.deepEqual(now.chats.list().map(({ title }) => title).sort(), ['/long 2', '/long 3', 'New chat']);
    assert.equal(panel.session?.state.timeline.length, 3);
    assert.deepEqual(panel.banners.list(), []);
  });

  it('are not offered where there is a history, nor when they belong to other folders', async () => {
    await chatElsewhere('/long 2');
    const { others: unrelated, panel: first } = await here(['file:///somewhere']);
    await unrelated.offer();
    const { others, panel, window } = await here([HERE]);
    await (await window.chats.create()).send('/long 1');
    await others.offer();
    assert.deepEqual([first.banners.list(), panel.banners.list()], [[], []]);
  });

  it('are looked for in all storages of this machine but the own one', async () => {
    const user = await mkdtemp(join(tmpdir(), 'loupe-user-'));
    try {
      const global = join(user, 'globalStorage', 'loupe.loupe');
      const own = join(user, 'workspaceStorage', 'a', 'loupe.loupe');
      for (const name of ['a', 'b', 'b-1']) {
        await mkdir(join(user, 'workspaceStorage', name, 'loupe.loupe'), { recursive: true });
      }
      const storage = (name: string): string => join(user, 'workspaceStorage', name, 'loupe.loupe');
      assert.equal(workspaceStorageFolder(own, global), workspaceStorageFolder(undefined, global));
      const found = await otherStorages(own, global, workspaceStorageFolder(own, global));
      assert.deepEqual([...found].sort(), [storage('b'), storage('b-1'), global].sort());
      const withoutFolder = await otherStorages(global, global, workspaceStorageFolder(undefined, global));
      assert.deepEqual([...withoutFolder].sort(), [storage('a'), storage('b'), storage('b-1')].sort());
    } finally {
      await rm(user, { recursive: true });
    }
  });
});
