import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import type { ChatEvent } from '../../src/engine/chat/event.js';
import type { EventDraft } from '../../src/engine/chat/slices/table.js';
import { foldLog } from '../../src/engine/chat/fold.js';
import { logOrder } from '../../src/engine/chat/order.js';
import { readChatGrowth } from '../../src/storage/chatReader.js';
import type { IndexLimits } from '../../src/storage/index/limits.js';
import { encodeLine } from '../../src/storage/line.js';
import { created, plainState, stamp } from '../support/engine/events.js';
import { loggedDrafts, storyOf } from '../support/engine/randomLog.js';
import { assertWhole, exchange, IndexedChat, READER, told } from '../support/storage/indexedChat.js';

const alone = storyOf('s', true).map((story) => stamp(loggedDrafts(story), 'a'));

/** Two windows whose clocks run side by side, with gaps. */
const twoWindows = fc
  .tuple(storyOf('s', true), storyOf('t', false), fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 5, maxLength: 20 }))
  .map(([mine, others, gaps]) => [...spread(loggedDrafts(mine), 'a', gaps), ...spread(loggedDrafts(others), 'b', gaps.toReversed())]);

/** Two windows that answer to the end whatever they are asked, so that places are everywhere and either may be late. */
const settled = fc
  .tuple(fc.integer({ min: 3, max: 6 }), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
  .map(([mine, others, gap]) => {
    const exchanges = (count: number, from: number): EventDraft[] =>
      Array.from({ length: count }, (_, index) => exchange(from + index, 'x')).flat();
    return [...spread([created(), ...exchanges(mine, 0)], 'a', [gap, 1]), ...spread(exchanges(others, 100), 'b', [1, 2])];
  });

function spread(drafts: readonly EventDraft[], writer: string, gaps: readonly number[]): ChatEvent[] {
  let seq = 0;
  return stamp(drafts, writer).map((event, index) => {
    seq += gaps[index % gaps.length]!;
    return { ...event, seq };
  });
}

/** In how large steps each window writes, and after which of them the index is brought up to date. */
const steps = fc.array(fc.record({ a: fc.nat(30), b: fc.constantFrom(0, 0, 5, 30), updates: fc.boolean() }), {
  minLength: 1,
  maxLength: 12,
});

type Steps = typeof steps extends fc.Arbitrary<infer T> ? T : never;

/** Writes a log step by step, with some updates of the index between. */
async function write(chat: IndexedChat, events: readonly ChatEvent[], by: Steps): Promise<void> {
  const waiting = { a: events.filter(({ writer }) => writer === 'a'), b: events.filter(({ writer }) => writer === 'b') };
  for (const { a, b, updates } of by) {
    await chat.log([...waiting.a.splice(0, a), ...waiting.b.splice(0, b)]);
    if (updates) {
      await chat.update();
    }
  }
  await chat.log([...waiting.a, ...waiting.b]);
}

const wanted = fc.constantFrom(0, 1, 3, 8, Infinity);
const logs = fc.oneof(alone, twoWindows, settled);
const limits = fc.record({
  placeMessages: fc.constantFrom(0, 2, 4),
  placesTail: fc.constantFrom(1, 2_000, 64_000),
  readAtOnce: fc.constantFrom(0, 1e9),
  carriedMessages: fc.constantFrom(1, 4),
});

describe('a chat opened by its index', () => {
  const chats: IndexedChat[] = [];
  const make = async (of: Partial<IndexLimits>): Promise<IndexedChat> => {
    const chat = await IndexedChat.make(of);
    chats.push(chat);
    return chat;
  };
  afterEach(async () => {
    await Promise.all(chats.splice(0).map((chat) => chat.remove()));
  });

  it('is what the fold of its whole log is, whoever wrote it and whenever the index was made', async () => {
    const seen = { opened: 0, fromPlace: 0, carried: 0, late: 0 };
    await fc.assert(
      fc.asyncProperty(logs, steps, wanted, limits, async (events, by, count, of) => {
        const chat = await make(of);
        await write(chat, events, by);
        const newest = await chat.newest();
        seen.late += newest !== null && (await chat.isLate(newest)) ? 1 : 0;
        const opened = await assertWhole(chat, events, count);
        await chat.update();
        const again = await assertWhole(chat, events, count);
        seen.opened += 2;
        seen.fromPlace += [opened, again].filter(({ start }) => start !== null).length;
        seen.carried += [opened, again].filter(({ start }) => start !== null && start.snapshot.carried.timeline.length > 0).length;
        assert.deepEqual([opened.faults, again.faults, chat.reports], [[], [], []]);
        await chat.remove();
      }),
      { numRuns: 300 },
    );
    // Otherwise this says nothing about places.
    assert.ok(seen.fromPlace > seen.opened / 6 && seen.carried > seen.fromPlace / 6 && seen.late > 0, JSON.stringify(seen));
  }).timeout(120_000);

  it('has what is not saved yet, which may be on the disk all the same', async () => {
    await fc.assert(
      fc.asyncProperty(alone, steps, fc.tuple(wanted, fc.nat(10), fc.nat(10)), async (events, by, [count, unsaved, lost]) => {
        const chat = await make({});
        await write(chat, events.slice(0, Math.max(1, events.length - Math.min(unsaved, lost))), by);
        await chat.update();
        const opened = await chat.index.open(count, () => events.slice(Math.max(1, events.length - unsaved)), {});
        await chat.readBack(opened, count);
        assert.deepEqual(plainState(opened.fold.state), plainState(foldLog(logOrder(events)).state));
        await chat.remove();
      }),
    );
  }).timeout(60_000);

  it('knows how far it was read, so that what is logged later is all that is read then', async () => {
    await fc.assert(
      fc.asyncProperty(twoWindows, steps, wanted, fc.nat(), async (events, by, count, at) => {
        const chat = await make({});
        const early = 1 + (at % events.length);
        await write(chat, events.slice(0, early), by);
        await chat.update();
        const { position } = await chat.open(count);
        await chat.log(events.slice(early));
        const growth = await readChatGrowth(chat.folder, position, READER);
        assert.deepEqual(growth?.events, events.slice(early));
        await chat.remove();
      }),
    );
  }).timeout(60_000);

  it('has its row, which the whole log gives, as long as nothing more is logged', async () => {
    await fc.assert(
      fc.asyncProperty(logs, steps, async (events, by) => {
        const chat = await make({});
        await write(chat, events, by);
        await chat.update();
        const { title, messages, opening, updatedAt } = told(foldLog(logOrder(events)).state) as Record<string, unknown>;
        assert.deepEqual(await chat.index.row(), { title, opening, messages, updatedAt });
        await chat.log([{ ...events[0]!, type: 'title', title: 'new', by: 'user', seq: 10_000, id: 'x' }]);
        assert.equal(await chat.index.row(), null);
        await chat.remove();
      }),
    );
  }).timeout(60_000);
});

/** What happens to the files of an index, or to those of the log behind its back. */
type Damage = (chat: IndexedChat, events: readonly ChatEvent[], at: number) => Promise<readonly ChatEvent[]>;

const damages: Readonly<Record<string, Damage>> = {
  async deleted(chat, events) {
    await rm(chat.places, { force: true });
    return events;
  },
  async truncated(chat, events, at) {
    const bytes = await places(chat);
    await writePlaces(chat, bytes.subarray(0, at % (bytes.length + 1)));
    return events;
  },
  async flipped(chat, events, at) {
    const bytes = await places(chat);
    const where = at % Math.max(1, bytes.length);
    bytes[where] = (bytes[where] ?? 0) ^ (1 << (at % 8));
    await writePlaces(chat, bytes);
    return events;
  },
  async 'of another version'(chat, events) {
    const text = (await places(chat)).toString('utf8').replaceAll('{"by":"', '{"by":"9');
    await writePlaces(chat, Buffer.from(text));
    return events;
  },
  async 'of a log that was cut'(chat, events, at) {
    const kept = events.slice(0, 1 + (at % events.length));
    await rewrite(chat, kept);
    return kept;
  },
  async 'of another log'(chat, events, at) {
    const others = events
      .map((event) => (event.seq % 5 === at % 5 && event.type === 'title' ? { ...event, title: 'Other' } : event))
      .filter((event, index) => index === 0 || event.seq !== at % 7);
    await rewrite(chat, others);
    return others;
  },
};

async function places(chat: IndexedChat): Promise<Buffer> {
  return readFile(chat.places).catch(() => Buffer.alloc(0));
}

async function writePlaces(chat: IndexedChat, bytes: Buffer): Promise<void> {
  if (bytes.length > 0) {
    await writeFile(chat.places, bytes);
  }
}

async function rewrite(chat: IndexedChat, events: readonly ChatEvent[]): Promise<void> {
  for (const writer of ['a', 'b']) {
    const lines = events.filter((event) => event.writer === writer).map(encodeLine);
    await (lines.length === 0 ? rm(chat.segment(writer), { force: true }) : writeFile(chat.segment(writer), Buffer.concat(lines)));
  }
}

describe('a chat whose index is', () => {
  for (const [name, damage] of Object.entries(damages)) {
    it(`${name} opens to what its log says, before the index is made again and after`, async () => {
      await fc.assert(
        fc.asyncProperty(logs, steps, wanted, fc.nat(), async (events, by, count, at) => {
          const chat = await IndexedChat.make({});
          try {
            await write(chat, events, by);
            await chat.update();
            const now = await damage(chat, events, at);
            await assertWhole(chat, now, count);
            await chat.update();
            await assertWhole(chat, now, count);
          } finally {
            await chat.remove();
          }
        }),
        { numRuns: 100 },
      );
    }).timeout(60_000);
  }

  it('older than its log opens to what the log says', async () => {
    await fc.assert(
      fc.asyncProperty(logs, steps, wanted, fc.nat(), async (events, by, count, at) => {
        const chat = await IndexedChat.make({});
        try {
          const early = at % events.length;
          await write(chat, events.slice(0, early), by);
          await chat.update();
          const before = await places(chat);
          await chat.log(events.slice(early));
          await chat.update();
          await writePlaces(chat, before);
          await assertWhole(chat, events, count);
        } finally {
          await chat.remove();
        }
      }),
      { numRuns: 100 },
    );
  }).timeout(60_000);
});
