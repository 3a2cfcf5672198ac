import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ChatEvent } from '../../src/engine/chat/event.js';
import type { Journal } from '../../src/storage/log/journal.js';
import { readSegment } from '../../src/storage/log/segment.js';
import { depth } from '../support/depth.mjs';
import { makeFolder, makeJournal, readSegmentFile, removeFolder, SmallDisk, title } from '../unit/storage/fixtures.js';

/** What can happen to a journal and its disk. `wait`: the next step follows its end. */
type Step =
  | { readonly type: 'append'; readonly lines: number; readonly durable: boolean; readonly wait: boolean }
  | { readonly type: 'retry'; readonly wait: boolean }
  | { readonly type: 'room'; readonly bytes: number }
  | { readonly type: 'disk'; readonly syncFails: boolean; readonly truncateFails: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('append' as const),
      lines: fc.integer({ min: 1, max: 3 }),
      durable: fc.boolean(),
      wait: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('retry' as const), wait: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('room' as const), bytes: fc.nat(600) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('disk' as const), syncFails: fc.boolean(), truncateFails: fc.boolean() }) },
);

async function take(journal: Journal, disk: SmallDisk, next: Step): Promise<readonly ChatEvent[]> {
  switch (next.type) {
    case 'append': {
      const drafts = Array.from({ length: next.lines }, (_, index) => title('x'.repeat(index * 40)));
      const { events, written } = journal.append(drafts, next.durable ? 'durable' : 'written');
      await settled(written, next.wait);
      return events;
    }
    case 'retry':
      await settled(journal.retry(), next.wait);
      return [];
    case 'room':
      disk.room = next.bytes;
      return [];
    case 'disk':
      disk.syncFails = next.syncFails;
      disk.truncateFails = next.truncateFails;
      return [];
  }
}

async function settled(work: Promise<void>, wait: boolean): Promise<void> {
  const end = Promise.allSettled([work]);
  if (wait) {
    await end;
  }
}

describe('a journal on a failing disk, for any sequence of appends and failures', () => {
  it('has every line in the file, once and in order, when the disk is well again', async () => {
    const root = await makeFolder();
    let count = 0;
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 20 }), fc.integer({ min: 30, max: 400 }), async (steps, bytes) => {
          count += 1;
          const folder = join(root, String(count), 'chats', 'chat');
          const disk = new SmallDisk(Infinity);
          disk.largestWrite = bytes;
          const { journal } = makeJournal({ folder, files: disk, writerId: 'w1' });
          const appended: ChatEvent[] = [];
          for (const next of steps) {
            appended.push(...(await take(journal, disk, next)));
          }
          Object.assign(disk, { room: Infinity, syncFails: false, truncateFails: false });
          await journal.close();
          assert.equal(journal.pendingEvents.length, 0);
          const bytesOnDisk = appended.length === 0 ? Buffer.alloc(0) : await readSegmentFile(folder, 'w1');
          const { events, faults, unfinished } = readSegment(bytesOnDisk, 'w1');
          assert.deepEqual([events, faults, unfinished], [appended, [], null]);
        }),
        { numRuns: depth({ short: 40, deep: 750 }) },
      );
    } finally {
      await removeFolder(root);
    }
  });
});
