import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatEvent, EventDraft } from '../../../src/engine/chat/event.js';
import { countMessages, snapshotOf } from '../../../src/engine/chat/snapshot.js';
import { INDEX_LIMITS } from '../../../src/storage/index/limits.js';
import type { Place } from '../../../src/storage/index/opened.js';
import { decodePlace, encodePlace } from '../../../src/storage/index/place.js';
import { PlacesFile } from '../../../src/storage/index/placesFile.js';
import { encodeLine } from '../../../src/storage/line.js';
import { UNREAD } from '../../../src/storage/segmentGrowth.js';
import { created, folded, logged, stamp } from '../../support/engine/events.js';
import { assistant } from '../../support/engine/messages.js';
import { rejection } from '../../support/rejection.js';
import { assertWhole, exchange, IndexedChat, logOf } from '../../support/storage/indexedChat.js';

describe('the index of a chat', () => {
  const chats: IndexedChat[] = [];
  const make = async (...limits: Parameters<typeof IndexedChat.make>): Promise<IndexedChat> => {
    const chat = await IndexedChat.make(...limits);
    chats.push(chat);
    return chat;
  };
  afterEach(async () => {
    await Promise.all(chats.splice(0).map((chat) => chat.remove()));
  });

  const places = async (chat: IndexedChat): Promise<Place[]> => {
    const found: Place[] = [];
    for await (const { place } of new PlacesFile(join(chat.folder, 'index')).backwards(null)) {
      found.unshift(place);
    }
    return found;
  };
  const counts = async (chat: IndexedChat): Promise<number[]> => (await places(chat)).map(({ snapshot }) => snapshot.earlier.messages);

  it('has a place after every 8 messages, and takes less than a sixteenth of the log', async () => {
    const chat = await make(INDEX_LIMITS);
    await chat.log(logOf(80, 'x'.repeat(2_000)));
    await chat.update();
    assert.deepEqual(
      await counts(chat),
      Array.from({ length: 20 }, (_, index) => 8 * (index + 1)),
    );
    assert.ok((await stat(chat.places)).size * 16 < (await stat(chat.segment('a'))).size);
  });

  it('has fewer places where they are large, so that it stays small', async () => {
    const chat = await make(INDEX_LIMITS);
    const [first, ...log] = logOf(80, 'x');
    const config = { ...created().config, systemPrompt: 'x'.repeat(2_000) };
    await chat.log([{ ...first!, ...created(), config }, ...log]);
    await chat.update();
    const found = await counts(chat);
    assert.ok(
      found.length > 1 && found.every((count, index) => count - (found[index - 1] ?? 0) > 5 * INDEX_LIMITS.placeMessages),
      String(found),
    );
    assert.ok((await stat(chat.places)).size * 16 < (await stat(chat.segment('a'))).size);
  });

  it('goes on where it was, in one step or in many', async () => {
    const log = logOf(20, 'x');
    const [once, often] = [await make({ placeMessages: 4 }), await make({ placeMessages: 4 })];
    await once.log(log);
    await once.update();
    for (const event of log) {
      await often.log([event]);
      await often.update();
    }
    assert.deepEqual(await counts(often), await counts(once));
    assert.deepEqual((await places(often)).at(-1)?.snapshot, (await places(once)).at(-1)?.snapshot);
  });

  it('has no place inside a run, nor behind a message that waits for its answer', async () => {
    const chat = await make({ placeMessages: 1 });
    const log = stamp([created(), ...exchange(1, 'x'), ...exchange(2, 'x').slice(0, -1)], 'a');
    await chat.log(log);
    await chat.update();
    assert.deepEqual(await counts(chat), [2]);
  });

  it('opens a chat with as many messages as are wanted, and reads none of the rest', async () => {
    const chat = await make({ placeMessages: 4, placesTail: 64_000 });
    await chat.log(logOf(40, 'x'));
    await chat.update();
    for (const [wanted, here] of [
      [0, 0],
      [1, 4],
      [4, 4],
      [5, 8],
      [40, 40],
    ] as const) {
      const { fold, start } = await chat.open(wanted);
      assert.deepEqual([start?.snapshot.earlier.messages, countMessages(fold.state)], [80 - here, 80]);
    }
    assert.equal((await chat.open(79)).start, null);
    assert.equal((await chat.open(Infinity)).start, null);
  });

  it('opens a chat with fewer messages where more would need a long search for a place', async () => {
    const chat = await make({ placeMessages: 4, placesTail: 3_000 });
    await chat.log(logOf(40, 'x'));
    await chat.update();
    const { start } = await chat.open(70);
    assert.ok(start !== null && start.snapshot.earlier.messages > 60);
  });

  it('opens a chat with something to see, also when one place alone takes a long search', async () => {
    const chat = await make({ placeMessages: 4, placesTail: 3_000 });
    const large: EventDraft = {
      type: 'context-added',
      item: { type: 'file', name: 'large.ts', includeMode: 'manual', addedHash: null, given: { inline: 'x'.repeat(4_000) } },
    };
    await chat.log(stamp([created(), large, ...Array.from({ length: 40 }, (_, turn) => exchange(turn, 'x')).flat()], 'a'));
    await chat.update();
    const { start, fold } = await chat.open(50);
    assert.notEqual(start, null);
    assert.ok(fold.state.timeline.length > 0);
  });

  it('gives what stands before a place piece by piece, to the beginning', async () => {
    const chat = await make({ placeMessages: 4 });
    await chat.log(logOf(40, 'x'));
    await chat.update();
    const opened = await chat.open(8);
    const first = await chat.index.readEarlier(opened.start!, 10);
    assert.deepEqual(
      [first.start?.snapshot.earlier.messages, first.state.timeline.filter(({ kind }) => kind === 'message').length],
      [60, 12],
    );
    assert.equal((await chat.index.readEarlier(first.start!, 1_000)).start, null);
  });

  it('makes the index of a large chat before it opens it, and tells how far that is', async () => {
    const chat = await make({ placeMessages: 4, readAtOnce: 10_000 });
    await chat.log(logOf(400, 'x'.repeat(1_000)));
    const shares: number[] = [];
    const { start } = await chat.index.open(10, () => [], { progress: (share) => shares.push(share) });
    assert.notEqual(start, null);
    assert.ok(shares.length > 1 && shares.every((share, index) => share > 0 && share >= (shares[index - 1] ?? 0)), String(shares));
    assert.equal(shares.at(-1), 1);
  });

  it('is not made further when the opening is cancelled', async () => {
    const chat = await make({ placeMessages: 4, readAtOnce: 10_000 });
    await chat.log(logOf(400, 'x'.repeat(1_000)));
    const opening = chat.index.open(10, () => [], { signal: AbortSignal.abort() });
    assert.equal((await rejection(opening)).kind, 'cancelled');
  });

  describe('when another window was late', () => {
    const late = (drafts: readonly EventDraft[], seq: number): ChatEvent[] =>
      stamp(drafts, 'b').map((event, index) => ({ ...event, seq: seq + index }));

    it('has no place behind what it wrote, and none is used before that is known', async () => {
      const chat = await make({ placeMessages: 4 });
      const log = logOf(20, 'x');
      const others = late(exchange(100, 'y'), 62);
      await chat.log([...log]);
      await chat.update();
      await chat.log(others);
      const before = await assertWhole(chat, [...log, ...others], 0);
      assert.ok((before.start?.snapshot.earlier.messages ?? 0) <= 20);
      await chat.update();
      const after = await assertWhole(chat, [...log, ...others], 0);
      assert.equal(after.start?.snapshot.earlier.messages, 40);
    });

    it('is not mistaken where the rest of a run comes after its end', async () => {
      const chat = await make({ placeMessages: 4 });
      const log = logOf(4, 'x');
      await chat.log(log);
      await chat.update();
      const rest = late([logged('run-2', assistant('late', 'more'))], 1_000);
      await chat.log(rest);
      await assertWhole(chat, [...log, ...rest], 0);
      await chat.update();
      await assertWhole(chat, [...log, ...rest], 0);
    });
  });

  describe('for a chat that was cleared, or gone back in very far', () => {
    for (const to of [null, 'assistant-2']) {
      it(`has a place behind that at once: ${String(to)}`, async () => {
        const chat = await make({ placeMessages: 4 });
        const rewound: EventDraft = { type: 'rewound', rewindId: 'r', to, reason: 'cleared' };
        const log = stamp([created(), ...Array.from({ length: 40 }, (_, n) => exchange(n, 'x')).flat(), rewound], 'a');
        await chat.log(log);
        await chat.update();
        await assertWhole(chat, log, 0);
        const { start } = await chat.open(0);
        assert.equal(start?.snapshot.earlier.messages, to === null ? 0 : 6);
        assert.equal(start.last.seq, log.length);
      });
    }
  });

  describe('with faults in its log', () => {
    it('opens with all of them, those that no place is needed for included', async () => {
      const chat = await make({ placeMessages: 4 });
      const log = logOf(20, 'x');
      await chat.log(log.slice(0, 61));
      await appendFile(chat.segment('a'), 'damaged\n');
      await chat.log(log.slice(61));
      await appendFile(chat.segment('a'), 'torn');
      await chat.update();
      const { faults, start, position } = await chat.open(4);
      assert.notEqual(start, null);
      assert.deepEqual(
        faults.map(({ segment, line, kind }) => [segment, line, kind]),
        [
          ['a.jsonl', 62, 'torn'],
          ['a.jsonl', 123, 'torn'],
        ],
      );
      assert.equal(position.get('a')?.end.lines, 122);
    });

    it('has no place behind a line of a newer Loupe, which may mean anything', async () => {
      const chat = await make({ placeMessages: 4 });
      const log = logOf(20, 'x');
      await chat.log(log.slice(0, 61));
      await appendFile(chat.segment('a'), encodeLine({ ...log[60]!, v: 99 }));
      await chat.log(log.slice(61));
      await chat.update();
      assert.equal((await counts(chat)).at(-1), 20);
      assert.match((await chat.open(0)).readOnly ?? '', /newer version/);
    });

    it('gives those that came later, with what stands before a place', async () => {
      const chat = await make({ placeMessages: 4 });
      await chat.log(logOf(20, 'x'));
      await chat.update();
      const { start } = await chat.open(4);
      const text = await readFile(chat.segment('a'), 'utf8');
      await writeFile(chat.segment('a'), text.replace('"title"', '"tytle"').replace('"user-3"', '"user-4"'));
      const { faults } = await chat.index.readEarlier(start!, 1_000);
      assert.deepEqual(
        faults.map(({ line, kind }) => [line, kind]),
        [[20, 'corrupt']],
      );
    });
  });

  describe('whose log is another one', () => {
    it('refuses to read what stands before a place of the old one', async () => {
      const chat = await make({ placeMessages: 4 });
      await chat.log(logOf(20, 'x'));
      await chat.update();
      const { start } = await chat.open(4);
      await truncate(chat.segment('a'), 2_000);
      assert.equal((await rejection(chat.index.readEarlier(start!, 4))).kind, 'storage');
      await rm(chat.segment('a'));
      assert.equal((await rejection(chat.index.readEarlier(start!, 4))).kind, 'storage');
    });
  });

  describe('when the disk does not take it', () => {
    it('is reported once, and chats open as they did', async () => {
      const chat = await make({ placeMessages: 4, readAtOnce: 0 });
      const log = logOf(20, 'x');
      await chat.log(log);
      await writeFile(join(chat.folder, 'index'), 'a file in its place');
      const opened = await assertWhole(chat, log, 6);
      assert.notEqual(opened.start, null);
      await chat.update();
      assert.deepEqual(
        chat.reports.map(({ message }) => message),
        ['What makes a long chat open quickly could not be saved: a file is in the place of a folder.'],
      );
    });

    it('is made again when someone deletes it', async () => {
      const chat = await make({ placeMessages: 4 });
      const log = logOf(20, 'x');
      await chat.log(log);
      await chat.update();
      const { start } = await chat.open(4);
      await rm(join(chat.folder, 'index'), { recursive: true });
      assert.equal((await chat.index.readEarlier(start!, 4)).start, null);
      await assertWhole(chat, log, 4);
      await chat.update();
      assert.equal((await counts(chat)).length, 10);
      assert.deepEqual(chat.reports, []);
    });

    it('does not bring back the folder of a chat', async () => {
      const chat = await make({});
      await chat.update();
      await rm(chat.folder, { recursive: true });
      await chat.update();
      await assert.rejects(readdir(chat.folder));
    });
  });

  it('may be brought up to date by two windows at once', async () => {
    const chat = await make({ placeMessages: 4 });
    const log = logOf(40, 'x');
    await chat.log(log);
    await Promise.all([chat.update(), chat.update(), assertWhole(chat, log, 4)]);
    await assertWhole(chat, log, 4);
    assert.equal((await chat.open(4)).start?.snapshot.earlier.messages, 76);
  });
});

describe('the records of places', () => {
  const snapshot = snapshotOf(folded(logOf(2, 'Grüße 🎈')), 2)!;
  const mark = { ...UNREAD, end: { offset: 5, lines: 2, guard: Buffer.from('guard'), unended: null } };
  const place: Place = {
    snapshot,
    position: new Map([
      ['a', mark],
      ['b', { ...mark, size: 5, mtimeMs: 1.25 }],
    ]),
    last: { seq: 9, writer: 'b' },
    faults: [],
    isEnough: true,
  };

  it('give the place back', () => {
    assert.deepEqual(decodePlace(encodePlace(place)), place);
  });

  it('are nothing when a byte is missing or another one', () => {
    const bytes = encodePlace(place);
    for (let at = 0; at < bytes.length; at += 1) {
      const other = Buffer.from(bytes);
      other[at] = other[at]! ^ 1;
      assert.deepEqual([decodePlace(bytes.subarray(0, at)), decodePlace(bytes.subarray(at + 1)), decodePlace(other)], [null, null, null]);
    }
  });

  it('are found from the last one back, however long they are, between whatever else there is', async () => {
    const chat = await IndexedChat.make({});
    const file = new PlacesFile(join(chat.folder, 'index'));
    const placeOf = (seq: number, text: string): Buffer => encodePlace({ ...place, last: { seq, writer: text } });
    await file.append([placeOf(1, 'a'), placeOf(2, 'x'.repeat(200_000))]);
    await appendFile(chat.places, `torn ${'y'.repeat(100_000)}`);
    await file.append([placeOf(3, 'c')]);
    await appendFile(chat.places, '\n\n\nrest');
    await file.append(Array.from({ length: 300 }, (_, index) => placeOf(4 + index, 'd')));
    const found: number[] = [];
    for await (const line of file.backwards(null)) {
      found.push(line.place.last.seq);
      const record = (await readFile(chat.places)).subarray(line.start, line.end);
      assert.deepEqual(decodePlace(record), line.place);
    }
    assert.deepEqual(
      found,
      Array.from({ length: 303 }, (_, index) => 303 - index),
    );
    await chat.remove();
  });

  it('are found from one of them back', async () => {
    const chat = await IndexedChat.make({});
    const file = new PlacesFile(join(chat.folder, 'index'));
    await file.append([1, 2, 3, 4].map((seq) => encodePlace({ ...place, last: { seq, writer: 'a' } })));
    const seqs: number[] = [];
    for await (const { place: third } of file.backwards(null)) {
      if (third.last.seq === 3) {
        for await (const line of file.backwards(third)) {
          seqs.push(line.place.last.seq);
        }
      }
    }
    assert.deepEqual(seqs, [2, 1]);
    await chat.remove();
  });

  it('have a folder that is made for them', async () => {
    const chat = await IndexedChat.make({});
    await mkdir(join(chat.folder, 'index'));
    await new PlacesFile(join(chat.folder, 'index')).append([encodePlace(place)]);
    assert.deepEqual(await readdir(chat.folder), ['index']);
    await chat.remove();
  });
});
