import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatEvent } from '../../../src/engine/chat/event.js';
import type { CopyWatch } from '../../../src/storage/files/copyWatch.js';
import { readLogContents } from '../../../src/storage/reading/logContents.js';
import type { SegmentFault } from '../../../src/storage/log/segment.js';
import { CHAT, makeFolder, removeFolder, stamped, title, titles, writeSegment } from './fixtures.js';

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
