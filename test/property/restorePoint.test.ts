import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { attemptRows, type AttemptRow } from '../../src/engine/accounting/attemptRow.js';
import type { ChatEvent } from '../../src/engine/chat/event.js';
import { depth } from '../support/depth.mjs';
import { foldLog } from '../support/engine/folds.js';
import { interruptionEvents } from '../../src/engine/run/interruption.js';
import { logOrder } from '../../src/engine/chat/order/order.js';
import type { WholeChat } from '../../src/engine/chat/state.js';
import type { NewEvent } from '../../src/engine/chat/slices/table.js';
import { readChatGrowth } from '../../src/storage/log/chatReader.js';
import { encodeLine } from '../../src/storage/log/line.js';
import { rowOf } from '../../src/storage/reading/row.js';
import { created, plainState, stamp } from '../support/engine/events.js';
import { loggedDrafts, spread, storyOf, twoWindows } from '../support/engine/randomLog.js';
import { inRuns } from '../support/forAll.js';
import { UNWATCHED } from '../support/storage/readChat.js';
import { assertRestored, exchange, READER, RestoredChat } from '../support/storage/restoredChat.js';

const alone = storyOf('s', true).map((story) => stamp(loggedDrafts(story), 'a'));

/** Two windows that finish each reply, so that restore points are everywhere and either can be late. */
const settled = fc
  .tuple(fc.integer({ min: 3, max: 6 }), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
  .map(([mine, others, gap]) => {
    const exchanges = (count: number, from: number): NewEvent[] =>
      Array.from({ length: count }, (_, index) => exchange(from + index, 'x')).flat();
    return [...spread([created(), ...exchanges(mine, 0)], 'a', [gap, 1]), ...spread(exchanges(others, 100), 'b', [1, 2])];
  });

/** The step size of each window, and whether it then updates derived files or is new. */
const steps = fc.array(
  fc.record({
    a: fc.nat(30),
    b: fc.constantFrom(0, 0, 5, 30),
    then: fc.constantFrom('update' as const, 'reopen' as const, 'nothing' as const),
  }),
  { minLength: 1, maxLength: 12 },
);

type Steps = typeof steps extends fc.Arbitrary<infer T> ? T : never;

/** The least messages of a restore point. */
const wanted = fc.constantFrom(0, 2, 1_000);

async function write(chat: RestoredChat, events: readonly ChatEvent[], by: Steps, held: number): Promise<void> {
  const waiting = { a: events.filter(({ writer }) => writer === 'a'), b: events.filter(({ writer }) => writer === 'b') };
  for (const { a, b, then } of by) {
    await chat.write([...waiting.a.splice(0, a), ...waiting.b.splice(0, b)]);
    if (then === 'update') {
      await chat.log.update(held);
    } else if (then === 'reopen') {
      await chat.reopen();
    }
  }
  await chat.write([...waiting.a, ...waiting.b]);
}

/** The chat after a window has opened it: both writers are dead, and their runs end. */
function wholeState(events: readonly ChatEvent[]): WholeChat {
  const fold = foldLog(logOrder(events));
  const { state } = fold;
  for (const { id } of [...state.runs.values()].filter(({ status }) => status === 'running')) {
    interruptionEvents(state, id, () => 'results').forEach((event) => {
      fold.apply({ ...event, at: state.updatedAt, writer: 'c' });
    });
  }
  assert.ok(state.extent === 'whole');
  return state;
}

function rowsById(rows: readonly AttemptRow[] | null): readonly AttemptRow[] {
  return (rows ?? []).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

const logs = fc.oneof(alone, twoWindows, settled);
const spaces = fc.constantFrom(1, 800, 4_000);

async function withChat(step: number, job: (chat: RestoredChat) => Promise<void>): Promise<void> {
  const chat = await RestoredChat.make(step);
  try {
    await job(chat);
  } finally {
    await chat.remove();
  }
}

/** A bug planted in `LogFold` (no check whether the log goes back) shows in about one of thirty logs. */
const RUNS = depth({ short: 100, deep: 750 });
/** A bug planted in `record.ts` (the checksum is ignored) shows within about five damaged files. */
const DAMAGED_RUNS = depth({ short: 20, deep: 200 });
/** Each checks a whole log at once. */
const PLAIN_RUNS = depth({ short: 40, deep: 200 });

describe('a chat opened from its restore point', () => {
  it('is what the fold of its whole log is, whoever wrote it and whenever the restore point was made', async () => {
    const seen = { opened: 0, ends: 0 };
    await inRuns(RUNS).forAllAsync(logs, steps, wanted, spaces, async (events, by, held, step) => {
      await withChat(step, async (chat) => {
        await write(chat, events, by, held);
        const opened = await assertRestored(chat, events);
        await chat.log.update(held);
        await chat.reopen();
        const again = await assertRestored(chat, events);
        seen.opened += 2;
        seen.ends += [opened, again].filter(({ fold }) => fold.state.extent === 'end').length;
        assert.deepEqual([opened.faults, again.faults, chat.reports], [[], [], []]);
      });
    });
    // Excludes trivial cases.
    assert.ok(seen.ends > seen.opened / 6, JSON.stringify(seen));
  }).timeout(120_000);

  it('has the rows of its attempts that the whole log has, of which only those of the end were made anew', async () => {
    const seen = { kept: 0 };
    await inRuns(RUNS).forAllAsync(logs, steps, wanted, spaces, async (events, by, held, step) => {
      await withChat(step, async (chat) => {
        await write(chat, events, by, held);
        const expected = rowsById(await attemptRows(wholeState(events), new Map(), () => Promise.resolve()));
        const { state } = (await chat.openEnd()).fold;
        seen.kept += state.extent === 'end' && state.earlier.totals.attempts > 0 ? 1 : 0;
        assert.deepEqual(rowsById(await chat.log.attempts()), expected);
        await chat.reopen();
        assert.deepEqual(rowsById(await chat.log.attempts()), expected);
        await writeFile(join(chat.folder, 'attempts.json'), '{"damaged');
        assert.deepEqual(rowsById(await chat.log.attempts()), expected);
      });
    });
    // Excludes trivial cases: of 150 logs 18 to 26 have such an end.
    assert.ok(seen.kept > RUNS / 15, JSON.stringify(seen));
  }).timeout(120_000);

  it('has what is not saved yet, which may be on the disk all the same', async () => {
    await inRuns(PLAIN_RUNS).forAllAsync(alone, steps, fc.nat(10), fc.nat(10), async (events, by, unsaved, lost) => {
      await withChat(1, async (chat) => {
        await write(chat, events.slice(0, Math.max(1, events.length - Math.min(unsaved, lost))), by, 0);
        await chat.log.update(0);
        const open = (): readonly ChatEvent[] => events.slice(Math.max(1, events.length - unsaved));
        const { fold } = await chat.log.openWhole(open, 0, UNWATCHED);
        const expected = foldLog(logOrder(events)).state;
        assert.deepEqual(plainState(fold.state), plainState(expected));
        const end = await chat.log.openEnd(open, UNWATCHED);
        assert.deepEqual(rowOf(end.fold.state, end.faults), rowOf(expected, []));
      });
    });
  }).timeout(60_000);

  it('knows how far it was read, so that what is logged later is all that is read then', async () => {
    await inRuns(PLAIN_RUNS).forAllAsync(twoWindows, steps, fc.nat(), async (events, by, at) => {
      await withChat(1, async (chat) => {
        const early = 1 + (at % events.length);
        await write(chat, events.slice(0, early), by, 0);
        await chat.log.update(0);
        const { position } = await chat.openEnd();
        await chat.write(events.slice(early));
        const growth = await readChatGrowth(chat.folder, position, READER);
        assert.deepEqual(growth?.events, events.slice(early));
      });
    });
  }).timeout(60_000);

  it('has its row, which the whole log gives, also when more was logged since', async () => {
    await inRuns(PLAIN_RUNS).forAllAsync(logs, steps, async (events, by) => {
      await withChat(1, async (chat) => {
        await write(chat, events, by, 0);
        const { isRunning: _isRunning, ...row } = await chat.log.row();
        assert.deepEqual(row, rowOf(wholeState(events), []));
        await chat.write([{ ...events[0]!, type: 'title', title: 'new', by: 'user', seq: 10_000, id: 'x' }]);
        assert.equal((await chat.log.row()).title, 'new');
      });
    });
  }).timeout(60_000);
});

/** Damages the restore point, or changes the log without it. Returns the content of the log then. */
type Damage = (chat: RestoredChat, events: readonly ChatEvent[], at: number) => Promise<readonly ChatEvent[]>;

const damages: Readonly<Record<string, Damage>> = {
  async missing(chat, events) {
    await rm(chat.file, { force: true });
    return events;
  },
  async truncated(chat, events, at) {
    await change(chat, (bytes) => bytes.subarray(0, at % (bytes.length + 1)));
    return events;
  },
  async flipped(chat, events, at) {
    await change(chat, (bytes) => {
      const where = at % Math.max(1, bytes.length);
      bytes[where] = (bytes[where] ?? 0) ^ (1 << (at % 8));
      return bytes;
    });
    return events;
  },
  async 'of another version'(chat, events) {
    await change(chat, (bytes) => Buffer.from(bytes.toString('utf8').replace('{"by":"', '{"by":"9')));
    return events;
  },
  async 'newer than the log, which was cut'(chat, events, at) {
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

async function change(chat: RestoredChat, changed: (bytes: Buffer) => Buffer): Promise<void> {
  const bytes = await readFile(chat.file).catch(() => null);
  if (bytes !== null) {
    await writeFile(chat.file, changed(bytes));
  }
}

async function rewrite(chat: RestoredChat, events: readonly ChatEvent[]): Promise<void> {
  for (const writer of ['a', 'b']) {
    const lines = events.filter((event) => event.writer === writer).map(encodeLine);
    await (lines.length === 0 ? rm(chat.segment(writer), { force: true }) : writeFile(chat.segment(writer), Buffer.concat(lines)));
  }
}

describe('a chat whose restore point is', () => {
  for (const [name, damage] of Object.entries(damages)) {
    it(`${name} opens to what its log says, before the restore point is made again and after`, async () => {
      await inRuns(DAMAGED_RUNS).forAllAsync(logs, steps, fc.nat(), fc.boolean(), async (events, by, at, isNewWindow) => {
        await withChat(1, async (chat) => {
          await write(chat, events, by, 0);
          await chat.log.update(0);
          const now = await damage(chat, events, at);
          await (isNewWindow ? chat.reopen() : undefined);
          await assertRestored(chat, now);
          await chat.log.update(0);
          await chat.reopen();
          await assertRestored(chat, now);
        });
      });
    }).timeout(60_000);
  }

  it('older than its log opens to what the log says', async () => {
    await inRuns(RUNS).forAllAsync(logs, steps, fc.nat(), async (events, by, at) => {
      await withChat(1, async (chat) => {
        const early = at % events.length;
        await write(chat, events.slice(0, early), by, 0);
        await chat.log.update(0);
        const before = await readFile(chat.file).catch(() => null);
        await chat.write(events.slice(early));
        await chat.log.update(0);
        await (before === null ? undefined : writeFile(chat.file, before));
        await chat.reopen();
        await assertRestored(chat, events);
      });
    });
  }).timeout(60_000);
});
