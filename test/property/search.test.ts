import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ChatEvent } from '../../src/engine/chat/event.js';
import type { NewEvent } from '../../src/engine/chat/slices/table.js';
import { LOG_VERSION } from '../../src/engine/chat/order/stamp.js';
import { encodeLine } from '../../src/storage/log/line.js';
import { searchChats, type SearchedChat, type SearchQuery } from '../../src/storage/search/search.js';
import { newestFirst, searchPattern } from '../../src/storage/search/searchHits.js';
import { SEARCH_ROLES } from '../../src/engine/chat/message/said.js';
import { textsOfEvent, type SearchableText } from '../../src/storage/search/searchTexts.js';
import { readSegment } from '../../src/storage/log/segment.js';
import { columns } from '../support/columns.js';
import { depth } from '../support/depth.mjs';
import { attemptEnded, attemptStarted, logged, runStarted } from '../support/engine/events.js';
import { assistant, result, results, text as textPart, user } from '../support/engine/messages.js';
import { makeFolder, removeFolder } from '../unit/storage/fixtures.js';
import { inRuns } from '../support/forAll.js';

/* The oracle parses each line and compares character by character. */

/** Letters with unusual cases, characters that JSON escapes, half surrogate pairs, and words of the log's own lines. */
const CHARACTERS = [
  ...[
    'a',
    'A',
    'b',
    'k',
    'K',
    '\u212a',
    's',
    'S',
    'ſ',
    'i',
    'I',
    'ı',
    'İ',
    'é',
    'É',
    'ß',
    'ẞ',
    'σ',
    'ς',
    'Σ',
    'ⱥ',
    'Ⱥ',
    'п',
    'П',
    'р',
    'Р',
  ],
  ...['µ', 'μ', 'Μ', 'ι', '\u0345', '\u1fbe', 'ǆ', 'ǅ', 'Ǆ', 'ẛ', 'ṡ', 'θ', 'ϑ', 'Ω', '\u2126', 'ﬀ'],
  ...[
    '"',
    '\\',
    '\\"',
    '\\n',
    '\n',
    '\r\n',
    '\t',
    '\b',
    '\u007f',
    '\u0001',
    '\u2028',
    '/',
    ' ',
    ':',
    ',',
    '\ud83d',
    '\ude00',
    '😀',
    '𐐀',
    '𐐨',
    '日',
    '$(x)',
    '.*',
  ],
  ...['text', 'message', 'role', 'user', '"type":"attempt-started"', 'A question'],
];

const anyText = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 12 }).map((parts) => parts.join(''));

/** The search text: mostly a piece of a text, in any case, so that it is found. */
interface Wanted {
  readonly which: number;
  readonly from: number;
  readonly length: number;
  readonly casing: (text: string) => string;
  readonly other: string | null;
}

const CASINGS = [(text: string) => text, (text: string) => text.toUpperCase(), (text: string) => text.toLowerCase()];

const wanted: fc.Arbitrary<Wanted> = fc.record({
  which: fc.nat(),
  from: fc.nat(),
  length: fc.integer({ min: 1, max: 10 }),
  casing: fc.constantFrom(...CASINGS),
  other: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: anyText }),
});

function queryFor({ which, from, length, casing, other }: Wanted, texts: readonly string[]): string {
  const said = texts.filter((text) => text !== '');
  const text = said[which % said.length] ?? '';
  const start = from % Math.max(1, text.length);
  return casing(other ?? text.slice(start, start + length));
}

/** Counts how often a property had something to find. */
class Share {
  #tried = 0;
  #found = 0;

  count(isFound: boolean): void {
    this.#tried += 1;
    this.#found += isFound ? 1 : 0;
  }

  atLeast(share: number): void {
    assert.ok(this.#found >= share * this.#tried, `${String(this.#found)} of ${String(this.#tried)} were found`);
  }
}

/** One unit in the comparison: ECMAScript's Canonicalize for the flag `i` without `u`. */
function canonical(unit: string): string {
  const upper = unit.toUpperCase();
  return upper.length !== 1 || (unit >= '\u0080' && upper < '\u0080') ? unit : upper;
}

function indexOfFolded(text: string, query: string): number {
  const [units, wanted] = [text, query].map((each) => each.split('').map(canonical));
  const starts = Array.from({ length: Math.max(0, text.length - query.length + 1) }, (_, start) => start);
  return starts.find((start) => wanted?.every((unit, index) => units?.[start + index] === unit) === true) ?? -1;
}

/** An event of a chat. Its number makes its ids. */
type Happening = (number: number) => readonly NewEvent[];

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 4,
    arbitrary: anyText.map(
      (text): Happening =>
        (number) => [logged(null, user(`u${String(number)}`, text, 'more'))],
    ),
  },
  {
    weight: 1,
    arbitrary: anyText.map(
      (text): Happening =>
        (number) => [logged(null, results(`t${String(number)}`, result('call', textPart(text))))],
    ),
  },
  {
    weight: 1,
    arbitrary: anyText.map(
      (text): Happening =>
        (number) => [logged(null, { role: 'summary', id: `s${String(number)}`, text })],
    ),
  },
  {
    weight: 1,
    arbitrary: anyText.map(
      (title): Happening =>
        () => [{ type: 'title', title, by: 'user' }],
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.array(anyText, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('complete' as const, 'failed' as const, 'interrupted' as const, 'open' as const),
      )
      .map(
        ([chunks, how]): Happening =>
          (number) =>
            reply(String(number), chunks, how),
      ),
  },
);

function reply(number: string, chunks: readonly string[], how: 'complete' | 'failed' | 'interrupted' | 'open'): NewEvent[] {
  const [runId, attemptId] = [`r${number}`, `a${number}`];
  const drafts: NewEvent[] = [runStarted(runId, 'q'), attemptStarted(runId, attemptId)];
  let offset = 0;
  for (const text of chunks) {
    drafts.push({ type: 'attempt-progress', runId, attemptId, pieces: [{ type: 'text', index: 0, offset, text }] });
    offset += text.length;
  }
  const ended = how === 'open' ? [] : [attemptEnded(runId, attemptId, how)];
  const message = { ...assistant(`m${number}`, textPart(chunks.join(''))), attemptId };
  return [...drafts, ...ended, ...(how === 'complete' ? [logged(runId, message)] : [])];
}

interface Segment {
  readonly chatId: string;
  readonly writer: string;
  readonly events: readonly ChatEvent[];
}

const CHATS = ['sess_1_aaaaaa', 'sess_2_bbbbbb'];

/** Two chats with two writers each, and few different times, so that many are equal. */
const segments: fc.Arbitrary<readonly Segment[]> = fc
  .tuple(
    ...CHATS.flatMap((chatId) =>
      ['v', 'w'].map((writer) => fc.tuple(fc.constant({ chatId, writer }), fc.array(fc.tuple(happening, fc.nat(3)), { maxLength: 6 }))),
    ),
  )
  .map((all) =>
    all.map(([{ chatId, writer }, happenings], which) => {
      const drafts = happenings.flatMap(([tell, at], index) => tell(which * 100 + index).map((draft) => ({ draft, at })));
      const events = drafts.map(({ draft, at }, index) => ({
        ...draft,
        v: LOG_VERSION,
        seq: index + 1,
        id: `${writer}-${String(index)}`,
        at: 1_000 + at,
        writer,
      }));
      return { chatId, writer, events };
    }),
  );

async function everythingSaid(root: string, all: readonly Segment[]): Promise<SearchableText[]> {
  const said: SearchableText[] = [];
  for (const { chatId, writer } of all) {
    const { events } = readSegment(await readFile(join(root, chatId, `${writer}.jsonl`)), writer);
    said.push(...events.flatMap((event) => textsOfEvent(chatId, event) ?? []));
    for (const start of events.filter((event) => event.type === 'attempt-started')) {
      const { attemptId, at } = start;
      const isMessage = events.some(
        (event) => event.type === 'message' && event.message.role === 'assistant' && event.message.attemptId === attemptId,
      );
      const pieces = events.flatMap((event) => (event.type === 'attempt-progress' && event.attemptId === attemptId ? event.pieces : []));
      const text = pieces.map((piece) => ('text' in piece ? piece.text : '')).join('');
      if (!isMessage) {
        said.push({ chatId, key: attemptId, messageId: attemptId, attemptId, role: 'assistant', texts: [text], at, seq: 0 });
      }
    }
  }
  return said;
}

function expected(said: readonly SearchableText[], { text, role, limit }: SearchQuery): unknown[] {
  const found = said.filter(
    (each) => (role === null || each.role === role) && each.texts.some((one) => text !== '' && indexOfFolded(one, text) !== -1),
  );
  return found
    .toSorted(newestFirst)
    .slice(0, limit)
    .map(({ chatId, messageId, role: of, at }) => [chatId, messageId, of, at]);
}

async function write(root: string, { chatId, writer, events }: Segment, damaged: number): Promise<SearchedChat> {
  const folder = join(root, chatId);
  const lines = events.map(encodeLine);
  const line = lines[damaged];
  // Damages a line with a text. Lines that control attempts stay whole.
  if (line !== undefined && (events[damaged]?.type === 'message' || events[damaged]?.type === 'title') && !line.includes('"attemptId"')) {
    line.write('9', line.length - 4);
  }
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${writer}.jsonl`), Buffer.concat(lines));
  return { id: chatId, folder };
}

const query = fc.record({
  wanted,
  role: fc.oneof(fc.constant(null), fc.constantFrom(...SEARCH_ROLES)),
  limit: fc.integer({ min: 1, max: 8 }),
});

describe('search, compared with parsing everything', () => {
  it('finds the same, in the same order, whatever is in the chats', async () => {
    const share = new Share();
    await inRuns(depth({ short: 20, deep: 400 })).forAllAsync(
      segments,
      fc.nat(8),
      fc.array(query, { minLength: 10, maxLength: 10 }),
      fc.nat(3),
      async (all, damaged, queries, inMemory) => {
        const root = await makeFolder();
        try {
          const written = await Promise.all(all.map((segment) => write(root, segment, damaged)));
          const chats = CHATS.map((id) => written.find((chat) => chat.id === id)).filter((chat) => chat !== undefined);
          const said = await everythingSaid(root, all);
          // A part is also in memory, as recent writes of a window are.
          const unsaved = said.filter((_, index) => index % 4 < inMemory);
          for (const { wanted: piece, ...options } of queries) {
            const one = {
              text: queryFor(
                piece,
                said.flatMap(({ texts }) => texts),
              ),
              ...options,
            };
            const { hits, failures } = await searchChats(one, chats, { unsaved, all: () => [] }, new AbortController().signal);
            assert.deepEqual(failures, []);
            assert.deepEqual(columns(hits, 'chatId', 'messageId', 'role', 'timestamp'), expected(said, one));
            share.count(hits.length > 0);
          }
        } finally {
          await removeFolder(root);
        }
      },
    );
    share.atLeast(0.33);
  });

  it('takes texts for the same but for case as the language does', () => {
    const share = new Share();
    inRuns(depth({ short: 100, deep: 2_500 })).forAll(anyText, wanted, (text, piece) => {
      const one = queryFor(piece, [text]);
      fc.pre(one !== '');
      const index = text.search(searchPattern(one).inText);
      assert.equal(index, indexOfFolded(text, one));
      share.count(index !== -1);
    });
    share.atLeast(0.5);
  });

  it('finds the line of every text that matches, in long lines and short, of rare letters and common ones', () => {
    const share = new Share();
    const filler = fc.constantFrom('', 'e'.repeat(300), 'xyz'.repeat(2_000), 'Aé日'.repeat(500));
    inRuns(depth({ short: 100, deep: 2_500 })).forAll(anyText, wanted, filler, (text, piece, around) => {
      const one = queryFor(piece, [text]);
      fc.pre(one !== '');
      const { inText, inLines, encoding } = searchPattern(one);
      const line = Buffer.from(JSON.stringify(around + text + around)).toString(encoding);
      const isFound = inText.test(text);
      assert.ok(!isFound || line.search(inLines) !== -1);
      share.count(isFound);
    });
    share.atLeast(0.5);
  });
});
