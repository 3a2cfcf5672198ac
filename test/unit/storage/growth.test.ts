import assert from 'node:assert/strict';
import { appendFile, mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readChatGrowth } from '../../../src/storage/log/chatReader.js';
import type { ChatStore } from '../../../src/storage/chatStore.js';
import type { ReadPosition } from '../../../src/storage/log/logMerge.js';
import { encodeLine } from '../../../src/storage/log/line.js';
import { chatFolder } from '../../../src/storage/files/layout.js';
import { SignsOfLife } from '../../../src/storage/windows/liveness.js';
import { columns } from '../../support/columns.js';
import { created } from '../../support/engine/events.js';
import { CHAT, makeFolder, makeStore, ManualClock, removeFolder, stamped, title, titles, writer, writeSegment } from './fixtures.js';
import { readChat, type ChatOnDisk } from '../../support/storage/readChat.js';
import type { ChatEvent } from '../../../src/engine/chat/event.js';
import type { CopyWatch } from '../../../src/storage/files/copyWatch.js';
import { readLogContents } from '../../../src/storage/reading/logContents.js';
import type { SegmentFault } from '../../../src/storage/log/segment.js';

const READER = { self: writer('me'), signs: new SignsOfLife(writer('me'), new ManualClock()) };

function line(text: string, seq: number): Buffer {
  return encodeLine(stamped(title(text), seq, 'other'));
}

describe('what other windows add to a chat', () => {
  let root: string;
  let store: ChatStore;
  let folder: string;
  let segment: string;
  let position: ReadPosition;
  beforeEach(async () => {
    root = await makeFolder();
    store = makeStore(root, READER.self);
    folder = chatFolder(root, CHAT);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'first.jsonl'), encodeLine(stamped(created(), 1, 'first')));
    segment = join(folder, 'other.jsonl');
    await writeFile(segment, Buffer.concat([line('a', 1), line('b', 2)]));
    ({ position } = await open());
  });
  afterEach(async () => {
    await store.close();
    await removeFolder(root);
  });

  function open(): Promise<ChatOnDisk> {
    return readChat(store, CHAT);
  }

  /** The new texts and the number of faults. Null when the chat must be read whole. */
  async function look(): Promise<[string[], number] | null> {
    const growth = await readChatGrowth(folder, position, READER);
    position = growth?.position ?? position;
    return growth === null ? null : [titles(growth.events), growth.faults.length];
  }

  it('is nothing while nothing was added', async () => {
    assert.deepEqual(
      [await look(), await look()],
      [
        [[], 0],
        [[], 0],
      ],
    );
  });

  it('is read once, however often it is looked for', async () => {
    await appendFile(segment, line('c', 3));
    assert.deepEqual(
      [await look(), await look()],
      [
        [['c'], 0],
        [[], 0],
      ],
    );
  });

  it('is the same and whole wherever the writer was interrupted, in the middle of a character too', async () => {
    const lines = Buffer.concat([line('Grüße 🎈', 3), line('d', 4)]);
    for (let cut = 0; cut <= lines.length; cut += 1) {
      await writeFile(segment, Buffer.concat([line('a', 1), line('b', 2)]));
      ({ position } = await open());
      await appendFile(segment, lines.subarray(0, cut));
      const first = await look();
      await appendFile(segment, lines.subarray(cut));
      const second = await look();
      assert.deepEqual([...(first?.[0] ?? []), ...(second?.[0] ?? [])], ['Grüße 🎈', 'd'], `cut at ${String(cut)}`);
      assert.deepEqual([first?.[1], second?.[1]], [0, 0]);
    }
  });

  it('is the same wherever the writer was when the chat was opened', async () => {
    const lines = Buffer.concat([line('Grüße 🎈', 3), line('d', 4)]);
    for (let cut = 0; cut <= lines.length; cut += 1) {
      await writeFile(segment, lines.subarray(0, cut));
      const read = await open();
      position = read.position;
      await appendFile(segment, lines.subarray(cut));
      const added = await look();
      assert.deepEqual([...titles(read.events), ...(added?.[0] ?? [])], ['Grüße 🎈', 'd'], `cut at ${String(cut)}`);
      assert.equal(added?.[1], 0);
    }
  });

  it('names a damaged line by its number in the file', async () => {
    await appendFile(segment, Buffer.concat([line('c', 3), Buffer.from('garbage\n'), line('d', 4)]));
    const growth = await readChatGrowth(folder, position, READER);
    assert.deepEqual(titles(growth?.events ?? []), ['c', 'd']);
    assert.deepEqual(columns(growth?.faults, 'segment', 'line'), [['other.jsonl', 4]]);
  });

  it('comes from a window that was not there before as well', async () => {
    await writeFile(join(folder, 'third.jsonl'), encodeLine(stamped(title('c'), 3, 'third')));
    assert.deepEqual(
      [await look(), await look()],
      [
        [['c'], 0],
        [[], 0],
      ],
    );
  });

  it('is never what the own window writes', async () => {
    await writeFile(join(folder, 'me.jsonl'), encodeLine(stamped(title('mine'), 3, 'me')));
    assert.deepEqual(await look(), [[], 0]);
  });

  it('cannot be told when a segment was cut', async () => {
    await truncate(segment, line('a', 1).length);
    assert.equal(await look(), null);
  });

  it('cannot be told when a segment is gone', async () => {
    await writeFile(join(folder, 'third.jsonl'), encodeLine(stamped(title('c'), 3, 'third')));
    await rm(segment);
    assert.equal(await look(), null);
  });

  it('cannot be told when a segment was replaced, by a longer one too', async () => {
    await writeFile(segment, Buffer.concat([line('x', 1), line('y', 2), line('z', 3)]));
    assert.equal(await look(), null);
  });

  it('waits for a segment that cannot be read, and is read whole when it can', async () => {
    await rm(segment);
    await mkdir(segment);
    assert.equal(await look(), null);
    ({ position } = await open());
    assert.deepEqual(await look(), [[], 0]);
    await rm(segment, { recursive: true });
    await writeFile(segment, line('a', 1));
    assert.equal(await look(), null);
  });
});

const WATCH: CopyWatch = { signal: new AbortController().signal, progress: () => undefined };

async function read(folder: string, unsaved: readonly ChatEvent[]): Promise<{ events: ChatEvent[]; faults: readonly SegmentFault[] }> {
  const events: ChatEvent[] = [];
  const take = (some: readonly ChatEvent[]): Promise<void> => {
    events.push(...some);
    return Promise.resolve();
  };
  const faults = await readLogContents(folder, unsaved, take, WATCH);
  return { events, faults };
}

describe('The whole log of a chat', () => {
  let root: string;
  let folder: string;
  beforeEach(async () => {
    root = await makeFolder();
    folder = join(root, 'chats', CHAT);
  });
  afterEach(() => removeFolder(root));

  it('is what all windows have logged, in the order of the log', async () => {
    await writeSegment(root, CHAT, 'a', [stamped(title('1'), 1, 'a'), stamped(title('4'), 4, 'a')]);
    await writeSegment(root, CHAT, 'b', [stamped(title('2'), 2, 'b'), stamped(title('3'), 3, 'b')]);
    const { events, faults } = await read(folder, []);
    assert.deepEqual([titles(events), faults], [['1', '2', '3', '4'], []]);
  });

  it('has what is unsaved where it belongs, and once when it is on the disk already', async () => {
    const [first, second, third] = [1, 2, 3].map((seq) => stamped(title(String(seq)), seq, seq === 3 ? 'b' : 'a'));
    await writeSegment(root, CHAT, 'a', [first!]);
    await writeSegment(root, CHAT, 'b', [third!]);
    assert.deepEqual(titles((await read(folder, [first!, second!])).events), ['1', '2', '3']);
  });

  it('is only what is unsaved when there is no folder', async () => {
    assert.deepEqual(await read(folder, []), { events: [], faults: [] });
    const unsaved = [stamped(title('1'), 1, 'a')];
    assert.deepEqual((await read(folder, unsaved)).events, unsaved);
  });

  it('names the lines that cannot be read, and not one that is still being written', async () => {
    await writeSegment(root, CHAT, 'a', [stamped(title('1'), 1, 'a')]);
    await appendFile(join(folder, 'a.jsonl'), '{"damaged":1}\n{"v":1,"seq":3');
    const { events, faults } = await read(folder, []);
    assert.deepEqual([titles(events), faults.map(({ line }) => line)], [['1'], [2]]);
  });
});
