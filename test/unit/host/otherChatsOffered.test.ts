import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findChats } from '../../../src/storage/transfer/foundChats.js';
import { column } from '../../support/columns.js';
import { turn, until } from '../../support/host/clocks.js';
import { HERE, patient, useTwoWorkspaces } from '../../support/host/otherWorkspace.js';
import { messages } from '../../support/host/reading.js';
import { rejection } from '../../support/rejection.js';

describe('chats of other workspaces that belong to the folders here', () => {
  const workspaces = useTwoWorkspaces();
  const { windows } = workspaces;
  const chatElsewhere = workspaces.chatElsewhere.bind(workspaces);
  const here = workspaces.here.bind(workspaces);

  it('are offered where nothing was said yet, and imported when the user wants that, the latest on show', async () => {
    const { window } = await chatElsewhere('/long 2');
    const { others, panel, window: now, shown, banners } = await here([HERE]);
    await (await window.chats.create()).conversation.send('/long 3');
    shown.onListed(() => others.offer());
    await shown.current();
    await until(() => banners.list().length > 0, 'the offer shows');
    const [banner] = banners.list();
    assert.equal(banner?.text, 'Loupe found 2 chats of this folder in another workspace.');
    assert.deepEqual(column(banner.actions, 'label'), ['Import', 'Dismiss']);
    await others.importOffered();
    assert.deepEqual(column(now.chats.list(), 'title').sort(), ['/long 2', '/long 3', 'New chat']);
    assert.equal(panel.session?.state.timeline.length, 3);
    assert.deepEqual(banners.list(), []);
  });

  it('stay offered when they could not be imported, and the others are imported', async () => {
    const { window, path } = await chatElsewhere('/long 2');
    await (await window.chats.create()).conversation.send('/long 3');
    const { others, panel, window: now, banners } = await here([HERE]);
    await others.offer();
    const [segment = ''] = await readdir(path);
    const bytes = await readFile(join(path, segment));
    await writeFile(join(path, segment), 'damaged\n');
    assert.equal((await rejection(others.importOffered())).message, 'This folder is not a chat, or the first line of the chat is damaged.');
    assert.equal(panel.session?.state.timeline.length, 3);
    assert.deepEqual(column(banners.list(), 'text'), ['Loupe found 1 chat of this folder in another workspace.']);
    await writeFile(join(path, segment), bytes);
    const controller = new AbortController();
    controller.abort();
    workspaces.watch = () => ({ signal: controller.signal, progress: () => undefined });
    await others.importOffered();
    assert.equal(banners.list().length, 1);
    workspaces.watch = patient;
    await others.importOffered();
    assert.deepEqual(banners.list(), []);
    assert.deepEqual(column(now.chats.list(), 'title').sort(), ['/long 2', '/long 3', 'New chat']);
    assert.deepEqual(new Set(workspaces.copyings), new Set(['Importing 2 chats', 'Importing 1 chat']));
  });

  it('are not offered when they were imported already', async () => {
    const { path } = await chatElsewhere('/long 2');
    const { others, banners } = await here([HERE]);
    const copy = await others.import(path);
    // As after a kill during an edit of the first message: the copy is empty.
    await copy.record([{ type: 'rewound', rewindId: 'killed', to: null, reason: 'edited' }]);
    assert.deepEqual(messages(copy.state), []);
    await others.offer();
    assert.deepEqual(banners.list(), []);
  });

  it('are looked for when the first chat is on show', async () => {
    await chatElsewhere('/long 2');
    const { others, panel, shown, banners } = await here([HERE]);
    let atLook: unknown = null;
    const find = others.find.bind(others);
    others.find = () => {
      atLook = panel.session;
      return find();
    };
    shown.onListed(() => others.offer());
    await shown.current();
    await until(() => banners.list().length > 0, 'the offer shows');
    assert.equal(atLook, panel.session);
  });

  describe('when the folders of the workspace come only after it has opened', () => {
    let folders: string[];

    beforeEach(() => {
      folders = [];
      workspaces.chatFolders = () => [...folders];
    });

    it('are offered then, and a chat that nothing was done with belongs to the folders', async () => {
      await chatElsewhere('/long 2');
      const { others, panel, window, shown, banners } = await here(folders);
      shown.onListed(() => others.offer());
      const first = await shown.current();
      folders.push('file:///another', HERE);
      const changed = shown.foldersChanged();
      folders.shift();
      await Promise.all([changed, shown.foldersChanged()]);
      assert.equal(banners.list()[0]?.text, 'Loupe found 1 chat of this folder in another workspace.');
      assert.deepEqual([panel.session, first.state.folders, window.chats.list().length], [first, [HERE], 1]);
      await first.conversation.send('/long 1');
      const reopened = await windows.open({ writerId: 'later' }).chats.open(first.id);
      assert.deepEqual(reopened.state.folders, [HERE]);
      const [found] = (await findChats([window.folder], () => undefined)).chats;
      assert.deepEqual(found?.folders, [HERE]);
    });

    it('are not hidden by a look that began before', async () => {
      await chatElsewhere('/long 2');
      const { others, shown, banners } = await here(folders);
      await shown.current();
      const find = others.find.bind(others);
      others.find = async () => {
        others.find = find;
        const found = await find();
        await until(() => banners.list().length > 0, 'the later look has offered them');
        return found;
      };
      const early = others.offer();
      await turn();
      folders.push(HERE);
      await Promise.all([others.offer(), early]);
      assert.equal(banners.list().length, 1);
    });

    it('leave alone a chat that something was said in', async () => {
      const { shown } = await here(folders);
      const said = await shown.newChat();
      await said.conversation.send('/long 1');
      folders.push(HERE);
      await shown.foldersChanged();
      assert.deepEqual(said.state.folders, []);
    });

    it('ask for no chat where none was wanted yet', async () => {
      const { window, shown } = await here([HERE]);
      await shown.foldersChanged();
      assert.deepEqual(window.chats.list(), []);
    });
  });

  it('are not offered where there is a history, nor when they belong to other folders', async () => {
    await chatElsewhere('/long 2');
    const { others: unrelated, banners: first } = await here(['file:///somewhere']);
    await unrelated.offer();
    const { others, banners, window } = await here([HERE]);
    await (await window.chats.create()).conversation.send('/long 1');
    await others.offer();
    assert.deepEqual([first.list(), banners.list()], [[], []]);
  });
});
