import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { OtherChats, otherStorages, workspaceStorageFolder } from '../../../src/host/transfer/otherChats.js';
import { column, columns } from '../../support/columns.js';
import { openPanel } from '../../support/host/panel.js';
import { conversation, messages, runStatuses, wholeState } from '../../support/host/reading.js';
import { HERE, useTwoWorkspaces } from '../../support/host/otherWorkspace.js';
import { rejection } from '../../support/rejection.js';
import { contents } from '../storage/fixtures.js';
import { readChat } from '../../support/storage/readChat.js';

describe('chats of other workspaces', () => {
  const workspaces = useTwoWorkspaces();
  const { windows } = workspaces;
  const chatElsewhere = workspaces.chatElsewhere.bind(workspaces);
  const here = workspaces.here.bind(workspaces);

  it('are found with title and folders, those of the folders that are open here first', async () => {
    const { window } = await chatElsewhere('/long 2\nsecond line');
    await window.chats.create();
    const named = await window.chats.create();
    await named.conversation.send('/long 1');
    await named.titler.rename('Named');
    const deleted = await window.chats.create();
    await deleted.conversation.send('/long 1');
    await window.chats.delete(deleted.id);
    const { others } = await here([HERE]);
    const { chats: found } = await others.find();
    assert.deepEqual(found.map(({ title }) => title).sort(), ['/long 2', 'Named']);
    assert.deepEqual(columns(found, 'folders', 'matches'), [
      [[HERE], true],
      [[HERE], true],
    ]);
    const { others: unrelated } = await here(['file:///somewhere']);
    assert.deepEqual(column((await unrelated.find()).chats, 'matches'), [false, false]);
  });

  it('are found by the ends of a long log', async () => {
    const { window, chatId } = await chatElsewhere('/long 2');
    const session = await window.chats.open(chatId);
    for (let count = 0; count < 30; count += 1) {
      await session.context.add({ type: 'file', name: 'f', includeMode: 'manual', addedHash: null, given: { inline: 'x'.repeat(20_000) } });
    }
    await session.titler.rename('Named at the end');
    const { others } = await here([HERE]);
    assert.deepEqual(column((await others.find()).chats, 'title'), ['Named at the end']);
  });

  it('are imported whole: same messages, same ids and times, and say where they came from; the original is untouched', async () => {
    const { window, chatId, path } = await chatElsewhere('/long 2');
    const original = await window.chats.open(chatId);
    const blob = await window.store.blobs(chatId).put(Buffer.from('an attachment'));
    await original.conversation.retry(messages(original.state)[0]?.id ?? '');
    const before = await contents(path);
    const { others, window: now, panel } = await here([HERE, 'file:///second']);
    const copy = await others.import(chatId);
    assert.notEqual(copy.id, chatId);
    assert.equal(panel.session, copy);
    const { chatId: _id, folders, importedFrom, updatedAt: _at, ...rest } = wholeState(copy.state) as Record<string, unknown>;
    const {
      chatId: _otherId,
      folders: _folders,
      importedFrom: none,
      updatedAt: _otherAt,
      ...expected
    } = wholeState(original.state) as Record<string, unknown>;
    assert.deepEqual(rest, expected);
    assert.deepEqual([importedFrom, none, folders], [{ chatId, folders: [HERE] }, null, [HERE]]);
    assert.equal(Buffer.from(await now.store.blobs(copy.id).get(blob)).toString(), 'an attachment');
    assert.deepEqual(await contents(path), before);
    assert.equal((await readChat(now.store, copy.id)).events.at(-1)?.type, 'imported');
    await copy.conversation.send('/long 1');
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

  it('that a long text comes before are found by a longer look: a file as context, or as the first message', async () => {
    const { window, chatId } = await chatElsewhere(`Read this\n${'x'.repeat(300_000)}`);
    const other = await window.chats.create();
    await other.context.add({ type: 'file', name: 'f', includeMode: 'manual', addedHash: null, given: { inline: 'x'.repeat(300_000) } });
    await other.conversation.send('What is in it?');
    await other.conversation.send(`And this?\n${'x'.repeat(300_000)}`);
    await other.conversation.send('And now?');
    const { others } = await here([HERE]);
    const { chats } = await others.find();
    const expected = [
      [chatId, 'Read this'],
      [other.id, 'What is in it?'],
    ];
    assert.deepEqual(chats.map(({ chatId: id, title }) => [id, title]).sort(), expected.sort());
  });

  it('say when they were imported already, to which chat, and whether something was added since', async () => {
    const { window, chatId } = await chatElsewhere('/long 2');
    const { others, window: now } = await here([HERE]);
    const found = async (): Promise<unknown> => (await others.find()).chats.map((chat) => chat.imported);
    assert.deepEqual(await found(), [null]);
    const copy = await others.import(chatId);
    await copy.conversation.send('/long 3');
    const imported = (await readChat(now.store, copy.id)).events.find(({ type }) => type === 'imported');
    assert.deepEqual(await found(), [{ chatId: copy.id, at: imported?.at, hasGrown: false }]);
    await (await window.chats.open(chatId)).conversation.send('/long 4');
    assert.deepEqual(await found(), [{ chatId: copy.id, at: imported?.at, hasGrown: true }]);
    const again = await others.import(chatId);
    assert.equal(conversation(again.state).length, 4);
    assert.equal(conversation(copy.state).length, 4);
    const copies = (await others.find()).chats.map((chat) => [chat.imported?.chatId, chat.imported?.hasGrown]);
    assert.deepEqual(copies, [[again.id, false]]);
    await now.chats.delete(again.id);
    await now.chats.delete(copy.id);
    assert.deepEqual(await found(), [null]);
  });

  it('that end with a torn line have not grown by it', async () => {
    const { path } = await chatElsewhere('/long 2');
    await appendFile(join(path, 'before.jsonl'), '{"v":1,"seq":99,"id":"half');
    const { others } = await here([HERE]);
    await others.import(path);
    const grown = (await others.find()).chats.map(({ imported }) => imported?.hasGrown);
    assert.deepEqual(grown, [false]);
  });

  it('are known over two imports: neither the first copy nor the original is new to the second one', async () => {
    const { path, chatId } = await chatElsewhere('/long 2');
    const first = await here(['file:///first']);
    const copy = await first.others.import(path);
    const between = first.window.folder;
    await windows.newFolder();
    const second = windows.open({ writerId: 'second' });
    const { chats: secondChats, shown, banners } = openPanel(second, { currentChat: undefined });
    const others = new OtherChats({
      chats: secondChats,
      shown,
      banners,
      root: second.folder,
      copying: (_title, work) => work(workspaces.watch()),
      storages: () => Promise.resolve([workspaces.elsewhere, between]),
      folders: () => [HERE],
      logError: (error) => second.errors.push(error),
    });
    const last = await others.import(copy.id);
    assert.deepEqual(last.state.importedFrom, { chatId: copy.id, folders: [HERE] });
    const { chats } = await others.find();
    assert.deepEqual(
      chats.map((chat) => [chat.chatId, chat.imported?.chatId]).sort(),
      [
        [chatId, last.id],
        [copy.id, last.id],
      ].sort(),
    );
  });

  it('are imported with a display of how far it is, and leave nothing behind when that is cancelled', async () => {
    const { window: before, chatId, path } = await chatElsewhere('/long 2');
    await before.store.blobs(chatId).put(Buffer.alloc(3_000_000));
    const { others, window } = await here([HERE]);
    const whole = Object.values(await contents(path)).reduce((sum, text) => sum + text.length, 0);
    const shown: number[][] = [];
    workspaces.watch = () => ({ signal: new AbortController().signal, progress: (...bytes) => shown.push(bytes) });
    await others.import(path);
    const [first = [], last = []] = [shown[0], shown.at(-1)];
    assert.deepEqual(last, [whole, whole]);
    assert.ok(
      shown.length > 3 && (first[0] ?? 0) < whole / 2 && shown.every(([copied], index) => (copied ?? 0) >= (shown[index - 1]?.[0] ?? 0)),
    );
    const kept = Object.keys(await contents(window.folder));
    for (const stop of shown.keys()) {
      const controller = new AbortController();
      let steps = 0;
      const progress = (): void => {
        if (steps === stop) {
          controller.abort();
        }
        steps += 1;
      };
      workspaces.watch = () => ({ signal: controller.signal, progress });
      assert.equal((await rejection(others.import(path))).kind, 'cancelled');
      assert.equal(steps, stop + 1);
      assert.deepEqual(Object.keys(await contents(window.folder)), kept);
    }
    assert.deepEqual(new Set(workspaces.copyings), new Set(['Importing the chat']));
  });

  it('that a killed window left half imported are removed a day later', async () => {
    const { path } = await chatElsewhere('/long 2');
    const { others, window } = await here([HERE]);
    const left = ['aaaaaaaa', 'bbbbbbbb'].map((name) => join(window.folder, 'chats', `sess_1600000000000_00ff00.${name}.tmp`));
    for (const folder of left) {
      await mkdir(join(folder, 'blobs'), { recursive: true });
    }
    const now = window.clock.now() / 1_000;
    await utimes(left[0] ?? '', now - 25 * 3_600, now - 25 * 3_600);
    await utimes(left[1] ?? '', now - 23 * 3_600, now - 23 * 3_600);
    await others.import(path);
    const names = await readdir(join(window.folder, 'chats'));
    const temporary = names.filter((name) => name.endsWith('.tmp'));
    assert.deepEqual(temporary, [basename(left[1] ?? '')]);
  });

  it('are imported by the path of their folder, for other extensions', async () => {
    const { path } = await chatElsewhere('/long 2');
    const { others } = await here([]);
    assert.equal(conversation((await others.import(path)).state).length, 2);
  });

  it('leave nothing behind when they cannot be imported', async () => {
    const { others, window } = await here([HERE]);
    const noChat = join(workspaces.elsewhere, 'chats', 'sess_1600000000000_00ff00');
    await mkdir(noChat, { recursive: true });
    await writeFile(join(noChat, 'x.jsonl'), 'this is no line of a log\n');
    const failures = [await rejection(others.import(noChat)), await rejection(others.import('sess_1_000000'))];
    assert.deepEqual(columns(failures, 'kind', 'message'), [
      ['invalidInput', 'This folder is not a chat, or the first line of the chat is damaged.'],
      ['invalidInput', 'No other workspace has the chat sess_1_000000.'],
    ]);
    assert.deepEqual(await contents(window.folder), {});
  });

  it('are looked for in all storages of this machine but the own one; that of a second window is none of its own', async () => {
    const user = await mkdtemp(join(tmpdir(), 'loupe-user-'));
    try {
      const global = join(user, 'globalStorage', 'loupe.loupe');
      const own = join(user, 'workspaceStorage', 'a', 'loupe.loupe');
      for (const name of ['a', 'a-1', 'b', 'b-1', 'b-2']) {
        await mkdir(join(user, 'workspaceStorage', name, 'loupe.loupe'), { recursive: true });
      }
      const storage = (name: string): string => join(user, 'workspaceStorage', name, 'loupe.loupe');
      assert.equal(workspaceStorageFolder(own, global), workspaceStorageFolder(undefined, global));
      const found = await otherStorages(own, global, workspaceStorageFolder(own, global));
      assert.deepEqual([...found].sort(), [storage('b'), global].sort());
      const withoutFolder = await otherStorages(global, global, workspaceStorageFolder(undefined, global));
      assert.deepEqual([...withoutFolder].sort(), [storage('a'), storage('b')].sort());
    } finally {
      await rm(user, { recursive: true });
    }
  });
});
