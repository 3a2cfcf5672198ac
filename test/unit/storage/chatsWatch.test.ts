import assert from 'node:assert/strict';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ChatsWatch } from '../../../src/storage/windows/chatsWatch.js';
import { until } from '../../support/host/clocks.js';
import { CHAT, makeFolder, removeFolder } from './fixtures.js';

describe('a watch on the folders of chats', () => {
  let root: string;
  let watch: ChatsWatch;
  const heard: string[] = [];
  const reports: Error[] = [];
  beforeEach(async () => {
    root = await makeFolder();
    heard.length = 0;
    reports.length = 0;
    watch = new ChatsWatch({ root, writerId: 'me', changed: (chatIds) => heard.push(...chatIds), report: (error) => reports.push(error) });
  });
  afterEach(async () => {
    watch.dispose();
    await removeFolder(root);
  });

  const makeChat = (): Promise<string | undefined> => mkdir(join(root, 'chats', CHAT), { recursive: true });

  it('tells of a chat that is made, and of one that is marked as deleted', async () => {
    watch.start();
    await makeChat();
    await until(() => heard.length > 0, 'the new folder is told of');
    heard.length = 0;
    await writeFile(join(root, 'chats', `${CHAT}.deleted`), '{}');
    await until(() => heard.length > 0, 'the mark is told of');
    assert.deepEqual([[...new Set(heard)], reports], [[CHAT], []]);
  });

  if (process.platform === 'linux') {
    it('tells once of a chat that it begins to follow: what was written before told nothing', async () => {
      await makeChat();
      watch.start();
      watch.follow([CHAT]);
      watch.follow([CHAT]);
      await until(() => heard.length > 0, 'the chat is told of');
      assert.deepEqual(heard, [CHAT]);
    });

    it('tells of what others write, not of what this window writes itself, nor of drafts', async () => {
      await makeChat();
      const folder = join(root, 'chats', CHAT);
      watch.start();
      watch.follow([CHAT]);
      await until(() => heard.length === 1, 'the chat is followed');
      await appendFile(join(folder, 'me.jsonl'), 'x');
      await writeFile(join(folder, 'me.alive'), 'x');
      await writeFile(join(folder, 'draft.json'), 'x');
      await makeChat();
      // Events are in order, so earlier ones would be there with this one.
      await writeFile(join(root, 'chats', 'sess_1_ffffff.deleted'), '{}');
      await until(() => heard.includes('sess_1_ffffff'), 'the later change is told of');
      assert.deepEqual(heard, [CHAT, 'sess_1_ffffff']);
      await appendFile(join(folder, 'other.jsonl'), 'x');
      await until(() => heard.length === 3, 'the line of another window is told of');
    });
  }

  it('reports a folder that cannot be watched, once, and goes on', async () => {
    await writeFile(join(root, 'chats'), 'a file in its place');
    watch.start();
    assert.equal(reports.length, 1);
    assert.match(reports[0]?.message ?? '', /appear with a delay/);
  });
});
