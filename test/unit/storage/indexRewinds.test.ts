import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventDraft } from '../../../src/engine/chat/slices/table.js';
import { countMessages } from '../../../src/engine/chat/state.js';
import { isWhole, messagesAt } from '../../../src/engine/chat/snapshot.js';
import { holdsEntries } from '../../../src/host/view/shownPart.js';
import { PlacesFile } from '../../../src/storage/index/placesFile.js';
import { attemptStarted, created, EMPTY_MANIFEST, errorRecord, plainState, stamp } from '../../support/engine/events.js';
import { bytesReadBy } from '../../support/storage/countedReads.js';
import { assertWhole, exchange, IndexedChat } from '../../support/storage/indexedChat.js';

const LIMITS = { placeMessages: 4, readAtOnce: 10_000, carriedMessages: 6 };

const exchanges = (from: number, count: number): EventDraft[] =>
  Array.from({ length: count }, (_, index) => exchange(from + index, 'x')).flat();

const rewound = (to: string | null): EventDraft => ({ type: 'rewound', rewindId: 'r', to, reason: 'edited' });

describe('the index of a long chat that went back', () => {
  const chats: IndexedChat[] = [];
  const make = async (...drafts: readonly EventDraft[]): Promise<IndexedChat> => {
    const chat = await IndexedChat.make(LIMITS);
    chats.push(chat);
    await chat.log(stamp([created(), ...drafts], 'a'));
    return chat;
  };
  afterEach(async () => {
    await Promise.all(chats.splice(0).map((chat) => chat.remove()));
  });

  const ids = async (chat: IndexedChat, wanted: number): Promise<string[]> =>
    (await chat.open(wanted)).fold.state.timeline.flatMap((item) => (item.kind === 'message' ? [item.message.id] : []));

  it('has the whole conversation from a clearing on, without what was cleared', async () => {
    const drafts = [...exchanges(0, 100), rewound(null), ...exchanges(100, 2)];
    const chat = await make(...drafts);
    await chat.update();
    const opened = await assertWhole(chat, stamp([created(), ...drafts], 'a'), 50);
    assert.equal(opened.events.length, 12);
    const { state } = (await chat.open(50)).fold;
    assert.deepEqual([isWhole(state), holdsEntries(state, 50), countMessages(state)], [true, true, 4]);
  });

  it('is not read whole for a clearing, however long it is', async () => {
    const chat = await make(...exchanges(0, 100));
    await chat.update();
    const more = [...exchanges(100, 2), rewound(null)];
    await chat.log(stamp(more, 'a').map((event) => ({ ...event, seq: event.seq + 1_000, id: `later-${event.id}` })));
    const segment = chat.segment('a');
    const bytes = await bytesReadBy(() => chat.update(), [segment]);
    assert.ok(bytes < (await stat(segment)).size / 10, String(bytes));
    assert.deepEqual(await ids(chat, 50), []);
  });

  it('carries the end of a conversation that went on far back, and reads the rest when it is asked for', async () => {
    const drafts = [...exchanges(0, 100), rewound('assistant-19'), ...exchanges(100, 1)];
    const chat = await make(...drafts);
    await chat.update();
    assert.deepEqual(await ids(chat, 50), [
      'user-17',
      'assistant-17',
      'user-18',
      'assistant-18',
      'user-19',
      'assistant-19',
      'user-100',
      'assistant-100',
    ]);
    const { fold, start } = await chat.open(50);
    assert.deepEqual([isWhole(fold.state), start?.isEnough, start?.snapshot.earlier.messages], [false, true, 34]);
    await assertWhole(chat, stamp([created(), ...drafts], 'a'), 4);
  });

  it('begins right behind the going back while the run goes on that it was for', async () => {
    const drafts = [...exchanges(0, 100), rewound('assistant-19'), ...exchange(100, 'x').slice(0, -1)];
    const chat = await make(...drafts);
    await chat.update();
    const { start, events } = await assertWhole(chat, stamp([created(), ...drafts], 'a'), 50);
    assert.deepEqual([start?.isEnough, events.length], [true, 5]);
  });

  it('keeps no place from which nothing can be read past the going back', async () => {
    const chat = await make(...exchanges(0, 100));
    await chat.update();
    await chat.log(stamp([rewound('assistant-19'), ...exchanges(100, 1)], 'b').map((event) => ({ ...event, seq: event.seq + 10_000 })));
    await chat.update();
    const ends: number[] = [];
    for await (const { place } of new PlacesFile(join(chat.folder, 'index')).backwards(null)) {
      ends.push(messagesAt(place.snapshot));
    }
    assert.deepEqual(ends, [40]);
  });

  it('has what was set aside back, though it was not read when the chat was opened', async () => {
    const drafts = [...exchanges(0, 100), rewound('assistant-19'), ...exchanges(100, 1)];
    const chat = await make(...drafts);
    await chat.update();
    const opened = await chat.open(50);
    await chat.readBack(opened, 4);
    const [restored] = stamp([{ type: 'restored', rewindId: 'r', undoId: 'u' } satisfies EventDraft], 'b').map((event) => ({
      ...event,
      seq: 10_000,
    }));
    opened.fold.apply(restored!);
    await chat.log([restored!]);
    await chat.update();
    assert.equal((await ids(chat, 50)).at(-1), 'assistant-99');
    const again = await chat.open(50);
    assert.equal(again.events.length, 0);
    await chat.readBack(again, 4);
    assert.deepEqual(plainState(again.fold.state), plainState(opened.fold.state));
  });

  it('begins at what failed as well, which may be tried again', async () => {
    const failed = (number: number): EventDraft[] => [
      ...exchange(number, 'x').slice(0, 2),
      { type: 'run-rolled-back', runId: `run-${String(number)}`, error: errorRecord('No key.') },
    ];
    const chat = await make(...Array.from({ length: 100 }, (_, number) => failed(number)).flat());
    await chat.update();
    const { start, events } = await chat.open(0);
    assert.deepEqual([start?.snapshot.carried.timeline.length, events.length], [2, 0]);
    const retry: EventDraft[] = [rewound('user-99'), { type: 'run-started', runId: 'again', userMessageId: 'user-99', cause: 'retry' }];
    const log = [...stamp([created(), ...Array.from({ length: 100 }, (_, number) => failed(number)).flat()], 'a')];
    const later = stamp([...retry, { type: 'run-committed', runId: 'again' }], 'b').map((event) => ({ ...event, seq: event.seq + 10_000 }));
    await chat.log(later);
    assert.equal((await assertWhole(chat, [...log, ...later], 0)).start?.last.seq, start?.last.seq);
  });

  it('knows which records of requests are lost with a damaged line, so that nobody looks for them again', async () => {
    const based = (number: number): EventDraft[] =>
      exchange(number, 'x').map((draft) =>
        draft.type === 'attempt-started'
          ? { ...attemptStarted(draft.runId, draft.attemptId), manifest: { ...EMPTY_MANIFEST, base: `attempt-${String(number - 1)}` } }
          : draft,
      );
    const chat = await make(...exchanges(0, 100), ...Array.from({ length: 3 }, (_, index) => based(100 + index)).flat());
    const text = await readFile(chat.segment('a'), 'utf8');
    await writeFile(chat.segment('a'), text.replace('"attemptId":"attempt-100","purpose"', '"attemptId":"attempt-999","purpose"'));
    await chat.update();
    const { state } = (await chat.open(6)).fold;
    assert.deepEqual([state.lostAttempts, isWhole(state), holdsEntries(state, 4)], [['attempt-100'], false, true]);
    assert.equal(holdsEntries({ ...state, lostAttempts: [] }, 4), false);
  });
});
