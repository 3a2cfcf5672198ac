import assert from 'node:assert/strict';
import { appendFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatEvent } from '../../../src/engine/chat/event.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import type { ToolResultContent } from '../../../src/engine/model/part.js';
import { encodeLine } from '../../../src/storage/log/line.js';
import { ChatStore } from '../../../src/storage/chatStore.js';
import type { SearchQuery, SearchResult } from '../../../src/storage/search/search.js';
import { excerpt } from '../../../src/storage/search/searchHits.js';
import { textsOfEvent, textsOfAttempt } from '../../../src/storage/search/searchTexts.js';
import { column, columns } from '../../support/columns.js';
import { attemptEnded, created, attemptStarted, logged, runStarted } from '../../support/engine/events.js';
import { assistant, reasoning, result, results, text, user } from '../../support/engine/messages.js';
import { rejection } from '../../support/rejection.js';
import { CHAT, OTHER_CHAT, SmallDisk, stamped, storeOptions, title, useStore, writer, writeSegment } from './fixtures.js';

const said = (id: string, content: string): NewEvent => logged(null, user(id, content));

function pieces(attemptId: string, ...chunks: string[]): NewEvent[] {
  let offset = 0;
  return chunks.map((chunk) => {
    const piece = { type: 'text', index: 0, offset, text: chunk } as const;
    offset += chunk.length;
    return { type: 'attempt-progress', runId: 'run', attemptId, pieces: [piece] };
  });
}

describe('search over the chats of a workspace', () => {
  let root: string;
  let store: ChatStore;
  useStore((folder, made) => {
    [root, store] = [folder, made];
  });

  async function save(chatId: string, ...drafts: NewEvent[]): Promise<void> {
    await store.journal(chatId).append(drafts, 'durable').written;
  }

  const segment = (chatId: string, writerId: string, events: readonly ChatEvent[]): Promise<void> =>
    writeSegment(root, chatId, writerId, events);

  async function search(query: string, options?: Partial<SearchQuery>): Promise<SearchResult> {
    return store.search({ text: query, role: null, limit: 50, ...options }, [], new AbortController().signal);
  }

  const found = async (query: string, options?: Partial<SearchQuery>): Promise<(string | null)[]> =>
    (await search(query, options)).hits.map(({ messageId }) => messageId);

  it('finds a text in any case, in every chat', async () => {
    await save(CHAT, said('a', 'Where is the Gauge?'), said('b', 'nowhere'));
    await save(OTHER_CHAT, said('c', 'GAUGES'));
    assert.deepEqual(columns((await search('gauge')).hits, 'chatId', 'messageId').sort(), [
      [OTHER_CHAT, 'c'],
      [CHAT, 'a'],
    ]);
  });

  it('finds nothing for an empty text, and where nothing was ever stored', async () => {
    assert.deepEqual(await search('x'), { hits: [], failures: [] });
    await save(CHAT, said('a', 'x'));
    assert.deepEqual(await search(''), { hits: [], failures: [] });
  });

  it('finds user messages, replies, tool results, summaries and titles, and tells them apart', async () => {
    await save(
      CHAT,
      said('a', 'needle'),
      logged(null, assistant('b', 'a needle')),
      logged(null, results('c', result('1', text('no'), text('needle')))),
    );
    await save(CHAT, logged(null, { role: 'summary', id: 'd', text: 'needles' }), title('The needle'));
    const { hits } = await search('Needle');
    assert.deepEqual(columns(hits, 'messageId', 'role'), [
      [null, 'title'],
      ['d', 'summary'],
      ['c', 'tool-results'],
      ['b', 'assistant'],
      ['a', 'user'],
    ]);
    assert.deepEqual(await found('needle', { role: 'assistant' }), ['b']);
    assert.deepEqual(await found('needle', { role: 'title' }), [null]);
  });

  it('finds of a summary that was edited only the text that it has now, whichever window wrote it', async () => {
    const summary = (id: string, content: string): NewEvent => logged(null, { role: 'summary', id, text: content });
    const written = [summary('a', 'the old needle'), summary('b', 'another needle'), said('c', 'a needle')];
    await segment(CHAT, 'v', [...written.map((event, index) => stamped(event, index + 1, 'v')), stamped(summary('a', 'a pin'), 9, 'v')]);
    assert.deepEqual((await found('needle')).toSorted(), ['b', 'c']);
    await segment(CHAT, 'w', [stamped(summary('b', 'a pin, too'), 10, 'w')]);
    assert.deepEqual([await found('needle'), (await found('pin')).toSorted()], [['c'], ['a', 'b']]);
    assert.deepEqual(await found('old'), []);
    await segment(CHAT, 'x', [stamped(summary('a', 'the old needle'), 11, 'x')]);
    assert.deepEqual([await found('old'), await found('needle', { role: 'summary', limit: 1 })], [['a'], ['a']]);
  });

  it('finds of a summary the text that a full disk has not taken, and not the one before it', async () => {
    const summary = (content: string): NewEvent => logged(null, { role: 'summary', id: 'a', text: content });
    const disk = new SmallDisk(Infinity);
    const full = new ChatStore({ ...storeOptions(root, writer('full')), files: disk });
    const ids = async (query: string): Promise<unknown[]> =>
      (await full.search({ text: query, role: null, limit: 50 }, [], new AbortController().signal)).hits.map(({ messageId }) => messageId);
    await full.journal(CHAT).append([summary('needle')], 'durable').written;
    disk.room = 0;
    await rejection(full.journal(CHAT).append([summary('needle and pin'), summary('pin')], 'durable').written);
    assert.deepEqual([await ids('needle'), await ids('pin')], [[], ['a']]);
    disk.room = Infinity;
    await full.journal(CHAT).retry();
    assert.deepEqual([await ids('needle'), await ids('pin')], [[], ['a']]);
    await full.close();
  });

  it('finds the begin of a large tool result, which its line holds, and nothing of what only its blob holds', async () => {
    const sha = await store.blobs(CHAT).put(Buffer.from(`The needle is here, the thimble ${'far '.repeat(9_000)} behind: thimble`));
    const large: ToolResultContent = { type: 'blob', blob: sha, bytes: 36_000, preview: 'The needle is here,' };
    await save(CHAT, logged(null, results('a', { ...result('1', text('no')), content: [text('no'), large] })));
    const { hits } = await search('NEEDLE');
    assert.deepEqual(
      hits.map(({ messageId, role, excerpt: shown, matchStart, matchLength }) => [
        messageId,
        role,
        shown.slice(matchStart, matchStart + matchLength),
      ]),
      [['a', 'tool-results', 'needle']],
    );
    assert.deepEqual(await found('needle', { role: 'user' }), []);
    assert.deepEqual(await found('thimble'), []);
    assert.deepEqual(await found(sha), []);
  });

  it('finds neither reasoning, nor calls, nor what only the lines themselves hold', async () => {
    await save(CHAT, logged(null, assistant('b', 'said', reasoning('needle', null))), {
      type: 'config-changed',
      change: { systemPrompt: 'needle' },
    });
    assert.deepEqual(await found('needle'), []);
    assert.deepEqual(await found('attemptId'), []);
    assert.deepEqual(await found('assistant'), []);
  });

  it('finds no text across two parts of a message', async () => {
    await save(CHAT, logged(null, user('a', 'one', 'two')));
    assert.deepEqual(await found('onetwo'), []);
    assert.deepEqual(await found('TWO'), ['a']);
  });

  it('finds what JSON writes in another way, and half of a pair', async () => {
    await save(CHAT, said('a', 'say "hi"\n\tC:\\dir \ud83d end'), said('b', 'an 😀'));
    assert.deepEqual(await found('"HI"\n\tc:\\DIR'), ['a']);
    assert.deepEqual(await found('\ud83d'), ['b', 'a']);
    assert.deepEqual(await found('😀'), ['b']);
  });

  it('finds letters whose cases differ in length, between others', async () => {
    await save(CHAT, said('a', 'xⱥyz'), said('b', 'XȺYZ'));
    assert.deepEqual(await found('xⱥyz'), ['b', 'a']);
    assert.deepEqual(await found('ȺYZ'), ['b', 'a']);
  });

  it('gives the newest first, as many as were asked for', async () => {
    const at = (event: ChatEvent, time: number): ChatEvent => ({ ...event, at: time });
    await segment(CHAT, 'v', [
      at(stamped(said('a', 'x'), 1, 'v'), 30),
      at(stamped(said('b', 'x'), 2, 'v'), 10),
      at(stamped(said('c', 'x'), 3, 'v'), 20),
    ]);
    await segment(OTHER_CHAT, 'w', [at(stamped(said('d', 'x'), 1, 'w'), 25), at(stamped(said('e', 'x'), 2, 'w'), 5)]);
    assert.deepEqual(await found('x'), ['a', 'd', 'c', 'b', 'e']);
    assert.deepEqual(await found('x', { limit: 2 }), ['a', 'd']);
  });

  it('finds lines longer than what is read at once, and across its borders', async () => {
    const long = 'e'.repeat(1_200_000);
    await save(CHAT, said('a', `${long}needle`), said('b', `needle${long}`), said('c', 'short needle'));
    await save(
      CHAT,
      ...Array.from({ length: 3_000 }, (_, index) =>
        said(`n${String(index)}`, `${'f'.repeat(300)} ${index % 1_000 === 7 ? 'thimble' : ''}`),
      ),
    );
    assert.deepEqual(await found('NEEDLE'), ['c', 'b', 'a']);
    assert.deepEqual(await found('thimble'), ['n2007', 'n1007', 'n7']);
  });

  it('finds a message that a rewind has set aside', async () => {
    await save(CHAT, said('a', 'needle'), { type: 'rewound', rewindId: 'r', to: null, reason: 'edited' });
    assert.deepEqual(await found('needle'), ['a']);
  });

  it('finds a reply that broke off, also where two pieces meet; one that became a message only as that', async () => {
    await save(
      CHAT,
      runStarted('run', 'q'),
      attemptStarted('run', 'x'),
      ...pieces('x', 'half a nee', 'dle was'),
      attemptEnded('run', 'x', 'failed'),
    );
    await save(CHAT, attemptStarted('run', 'y'), ...pieces('y', 'whole nee', 'dle'), attemptEnded('run', 'y', 'complete'));
    await save(CHAT, logged('run', { ...assistant('m', 'whole needle'), attemptId: 'y' }));
    assert.deepEqual(await found('needle'), ['m', 'x']);
  });

  it('finds a reply that broke off beside an attempt that did not', async () => {
    await save(CHAT, runStarted('run', 'q'), attemptStarted('run', 'x'), attemptStarted('run', 'y'), ...pieces('x', 'nee', 'dle'));
    await save(CHAT, attemptEnded('run', 'x', 'failed'), attemptEnded('run', 'y', 'complete'));
    assert.deepEqual(await found('needle'), ['x']);
  });

  it('finds a reply that broke off wherever it is in a log, whatever lines are before it', async () => {
    for (const count of [0, 1, 2, 8, 9, 10, 97, 98, 99]) {
      const before = Array.from({ length: count }, (_, index) => said(`n${String(index)}`, '"type":"attempt-started"'.slice(index % 9)));
      const broken = [runStarted('run', 'q'), attemptStarted('run', 'x'), ...pieces('x', 'nee', 'dle'), attemptEnded('run', 'x', 'failed')];
      await segment(
        CHAT,
        'w',
        [...before, ...broken].map((draft, index) => stamped(draft, index + 1, 'w')),
      );
      assert.deepEqual(await found('needle'), ['x'], `after ${String(count)} lines`);
    }
  });

  it('finds a reply whose window died, and one that another window has closed since', async () => {
    await segment(
      CHAT,
      'dead',
      [runStarted('run', 'q'), attemptStarted('run', 'x'), ...pieces('x', 'nee', 'dle')].map((draft, index) =>
        stamped(draft, index + 1, 'dead'),
      ),
    );
    assert.deepEqual(await found('needle'), ['x']);
    await save(CHAT, attemptEnded('run', 'x', 'interrupted'), { type: 'run-interrupted', runId: 'run' });
    assert.deepEqual(await found('needle'), ['x']);
  });

  it('finds what a full disk has not taken, once, also when it is there meanwhile', async () => {
    const disk = new SmallDisk(0);
    const full = new ChatStore({ ...storeOptions(root, writer('full')), files: disk });
    const again = (): Promise<SearchResult> => full.search({ text: 'needle', role: null, limit: 50 }, [], new AbortController().signal);
    const { written } = full.journal(CHAT).append([said('a', 'needle')], 'durable');
    assert.equal((await rejection(written)).kind, 'storage');
    assert.deepEqual(column((await again()).hits, 'messageId'), ['a']);
    disk.room = Infinity;
    const searching = again();
    await full.journal(CHAT).retry();
    assert.equal((await searching).hits.length, 1);
    assert.equal((await again()).hits.length, 1);
    await full.close();
  });

  it('finds a reply under way as it is in memory, and its message in its place', async () => {
    await save(CHAT, runStarted('run', 'q'), attemptStarted('run', 'x'), ...pieces('x', 'a need'));
    const reply = textsOfAttempt(CHAT, { id: 'x', startedAt: 1, reply: [{ type: 'text', text: 'a needle' }] });
    const inMemory = async (): Promise<unknown[]> =>
      (
        await store.search(
          { text: 'need', role: null, limit: 50 },
          [{ chatId: CHAT, unsavedTexts: [reply], all: () => [] }],
          new AbortController().signal,
        )
      ).hits.map(({ messageId, excerpt: shown }) => [messageId, shown]);
    assert.deepEqual(await inMemory(), [['x', 'a needle']]);
    await save(CHAT, attemptEnded('run', 'x', 'complete'), logged('run', { ...assistant('m', 'a needle.'), attemptId: 'x' }));
    assert.deepEqual(await inMemory(), [['m', 'a needle.']]);
  });

  it('does not find a deleted chat, neither on the disk nor in memory', async () => {
    await save(CHAT, created(), said('a', 'needle'));
    await save(OTHER_CHAT, said('b', 'needle'));
    await store.deleteChat(CHAT);
    const late = textsOfAttempt(CHAT, { id: 'x', startedAt: 9e12, reply: [{ type: 'text', text: 'needle' }] });
    const { hits } = await store.search(
      { text: 'needle', role: null, limit: 1 },
      [{ chatId: CHAT, unsavedTexts: [late], all: () => [late] }],
      new AbortController().signal,
    );
    assert.deepEqual(column(hits, 'messageId'), ['b']);
    await store.undeleteChat(CHAT);
    assert.equal((await search('needle')).hits.length, 2);
  });

  it('skips a damaged line, reads one behind a byte order mark, and one without its line feed', async () => {
    await segment(CHAT, 'v', [stamped(said('a', 'needle'), 1, 'v')]);
    const lines = [said('b', 'needle'), said('c', 'needle'), said('d', 'needle')].map((draft, index) =>
      encodeLine(stamped(draft, index + 1, 'w')),
    );
    lines[1]?.write('X', 90);
    const bytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), ...lines]);
    await writeFile(join(root, 'chats', CHAT, 'w.jsonl'), bytes.subarray(0, -1));
    await appendFile(join(root, 'chats', CHAT, 'v.jsonl'), '{"v":1,"needle');
    assert.deepEqual((await found('needle')).sort(), ['a', 'b', 'd']);
  });

  it('names what could not be read, and finds the rest', async () => {
    await save(CHAT, said('a', 'needle'));
    await mkdir(join(root, 'chats', CHAT, 'folder.jsonl'));
    await mkdir(join(root, 'chats', OTHER_CHAT));
    await symlink('nowhere', join(root, 'chats', OTHER_CHAT, 'gone.jsonl'));
    const { hits, failures } = await search('needle');
    assert.deepEqual(column(hits, 'messageId'), ['a']);
    assert.deepEqual(failures.map(({ chatId, error }) => [chatId, error.message]).sort(), [
      [OTHER_CHAT, `Chat ${OTHER_CHAT} could not be searched: the file or its folder does not exist.`],
      [CHAT, `A part of chat ${CHAT} could not be searched: a folder exists where a file is expected.`],
    ]);
  });

  it('looks into the memory of an open chat where a part of its log cannot be read, and finds each thing once', async () => {
    await save(CHAT, said('a', 'needle'));
    await save(OTHER_CHAT, said('b', 'needle'));
    await mkdir(join(root, 'chats', CHAT, 'folder.jsonl'));
    const kept = [said('a', 'needle'), said('lost', 'needle')].map((draft, index) => textsOfEvent(CHAT, stamped(draft, index + 1, 'w'))!);
    const unread = [textsOfEvent(OTHER_CHAT, stamped(said('c', 'needle'), 1, 'w'))!];
    const open = [
      { chatId: CHAT, unsavedTexts: [], all: () => kept },
      { chatId: OTHER_CHAT, unsavedTexts: [], all: () => unread },
    ];
    const { hits, failures } = await store.search({ text: 'needle', role: null, limit: 50 }, open, new AbortController().signal);
    assert.deepEqual(hits.map(({ messageId }) => messageId).sort(), ['a', 'b', 'lost']);
    assert.deepEqual(column(failures, 'chatId'), [CHAT]);
  });

  it('is cancelled by its signal, before and while it reads', async () => {
    await save(CHAT, said('a', 'needle'));
    const abort = new AbortController();
    const searching = store.search({ text: 'needle', role: null, limit: 50 }, [], abort.signal);
    abort.abort();
    assert.equal((await rejection(searching)).kind, 'cancelled');
    assert.equal((await rejection(store.search({ text: 'x', role: null, limit: 1 }, [], abort.signal))).kind, 'cancelled');
  });

  it('lets others have their turn while it reads', async () => {
    await save(CHAT, ...Array.from({ length: 2_000 }, (_, index) => said(`n${String(index)}`, 'f'.repeat(2_000))));
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) {
        setImmediate(count);
      }
    };
    setImmediate(count);
    await found('needle');
    isOver = true;
    assert.ok(turns > 10, `${String(turns)} turns`);
  });
});

describe('the excerpt of a hit', () => {
  it('is the whole of a short text, on one line', () => {
    assert.deepEqual(excerpt('one\ntwo\tthree', 4, 3), { excerpt: 'one two three', matchStart: 4, matchLength: 3 });
  });

  it('is about 100 characters of a long one, with the match in it', () => {
    const { excerpt: shown, matchStart: start, matchLength: length } = excerpt(`${'a'.repeat(500)}needle${'b'.repeat(500)}`, 500, 6);
    assert.equal(shown.slice(start, start + length), 'needle');
    assert.deepEqual([shown.length, shown[0], shown.at(-1)], [102, '…', '…']);
  });

  it('cuts no character in two, and a long match at its end', () => {
    const faces = '😀'.repeat(200);
    const { excerpt: shown } = excerpt(`x${faces}`, 101, 2);
    assert.doesNotMatch(shown, /\p{Surrogate}/u);
    assert.deepEqual(excerpt('n'.repeat(300), 0, 300), { excerpt: `${'n'.repeat(100)}…`, matchStart: 0, matchLength: 100 });
  });
});
