import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import { LOG_VERSION } from '../../../src/engine/chat/order/stamp.js';
import { messageText } from '../../../src/engine/chat/message/message.js';
import { encodeLine } from '../../../src/storage/log/line.js';
import { searchChats, type SearchedChat, type SearchResult } from '../../../src/storage/search/search.js';
import { readSegment } from '../../../src/storage/log/segment.js';
import { attemptEnded, attemptStarted, created, logged, runStarted } from '../../support/engine/events.js';
import { assistant, user } from '../../support/engine/messages.js';
import { inFolder } from '../folder.js';
import { medianOf, race, type Contestant } from '../race.js';
import type { Row } from '../row.js';
import { realTexts } from '../texts.js';

const CHATS = 20;
/** A chat has about 10 MB. */
const EXCHANGES = 720;
const MESSAGE_LENGTH = 1_850;
/** A line of a logged reply has a quarter of a second: 20 tokens of a model with 80 per second. */
const PIECE_LENGTH = 80;
const ROUNDS = 9;
const MB = 1e6;
/** The search text: rare, and in no other text. */
const NEEDLE = 'Zimmermann telegram';
/** A frequent text: many lines can contain one of the newest hits. */
const COMMON = 'return';

const WRITER = 'bench';
const SEGMENT = `${WRITER}.jsonl`;
const LOUPE = 'Loupe';
const LOUPE_COMMON = `Loupe, "${COMMON}", the newest 50 of very many`;
const GREP = 'grep -F as a process (one case only)';
const GREP_BOTH = 'grep -F -i as a process';
const PARSE = 'parsing every line';

export const search: Row = {
  name: 'search',
  job: 'search 20 chats of 10 MB for a text whatever its case; grep searches the same files for it as it is there, and counts',
  measure: () =>
    inFolder(async (folder) => {
      const { chats, bytes } = await store(folder);
      await checkFound(chats);
      const hasGrep = await isThere('grep');
      const grep = (name: string, ...flags: string[]): Contestant => ({ name, run: () => grepAll(folder, flags) });
      const samples = await race(
        [
          { name: LOUPE, run: () => find(chats, NEEDLE.toLowerCase()) },
          ...(hasGrep ? [grep(GREP), grep(GREP_BOTH, '-i')] : []),
          { name: LOUPE_COMMON, run: () => find(chats, COMMON) },
          { name: PARSE, run: () => parseAll(chats) },
        ],
        { rounds: ROUNDS },
      );
      const own = medianOf(samples, LOUPE);
      const faster = { what: 'faster than parsing every line, times', measured: medianOf(samples, PARSE) / own, target: { atLeast: 5 } };
      if (!hasGrep) {
        process.stderr.write('There is no grep here: search is not measured against it.\n');
      }
      const ofGrep = hasGrep
        ? [{ what: 'time against grep -F, times', measured: own / medianOf(samples, GREP), target: { atMost: 3 } }]
        : [];
      return { samples, amount: { value: bytes / MB, unit: 'MB' }, verdicts: [...ofGrep, faster] };
    }),
};

/** Chats of code and prose. Each contains the needle once, in a different case. */
async function store(root: string): Promise<{ readonly chats: readonly SearchedChat[]; readonly bytes: number }> {
  const text = realTexts().join('\n');
  const chats: SearchedChat[] = [];
  let bytes = 0;
  for (let number = 0; number < CHATS; number += 1) {
    const id = `sess_${String(1_700_000_000_000 + number)}_abcdef`;
    const folder = join(root, id);
    const content = Buffer.concat(drafts(text, number).map((draft, index) => line(draft, number, index)));
    await mkdir(folder);
    await writeFile(join(folder, SEGMENT), content);
    chats.push({ id, folder });
    bytes += content.length;
  }
  return { chats, bytes };
}

function drafts(text: string, chat: number): NewEvent[] {
  const exchanges = Array.from({ length: EXCHANGES }, (_, index) => {
    const from = (chat * 104_729 + index * 1_999) % (text.length - 2 * MESSAGE_LENGTH);
    const question = text.slice(from, from + MESSAGE_LENGTH) + (index === EXCHANGES / 2 ? NEEDLE : '');
    return exchange(
      `${String(1_700_000_000_000 + index)}-${index.toString(16).padStart(8, '0')}`,
      question,
      text.slice(from + MESSAGE_LENGTH, from + 2 * MESSAGE_LENGTH),
    );
  });
  return [created(), ...exchanges.flat()];
}

function exchange(id: string, question: string, answer: string): NewEvent[] {
  const [runId, attemptId] = [`${id}-run`, `${id}-attempt`];
  const pieces = Array.from({ length: Math.ceil(answer.length / PIECE_LENGTH) }, (_, index): NewEvent => {
    const offset = index * PIECE_LENGTH;
    return {
      type: 'attempt-progress',
      runId,
      attemptId,
      pieces: [{ type: 'text', index: 0, offset, text: answer.slice(offset, offset + PIECE_LENGTH) }],
    };
  });
  const reply = { ...assistant(`${id}-reply`, answer), attemptId };
  return [
    logged(null, user(id, question)),
    runStarted(runId, id),
    attemptStarted(runId, attemptId),
    ...pieces,
    attemptEnded(runId, attemptId, 'complete'),
    logged(runId, reply),
    { type: 'run-committed', runId },
  ];
}

function line(draft: NewEvent, chat: number, index: number): Buffer {
  const id = `${String(1_700_000_000_000 + index)}-${index.toString(16).padStart(8, '0')}`;
  return encodeLine({ ...draft, v: LOG_VERSION, seq: index + 1, id, at: 1_700_000_000_000 + chat * 1_000_000 + index, writer: WRITER });
}

function find(chats: readonly SearchedChat[], text: string): Promise<SearchResult> {
  return searchChats({ text, role: null, limit: 50 }, chats, { unsaved: [], all: () => [] }, new AbortController().signal);
}

async function checkFound(chats: readonly SearchedChat[]): Promise<void> {
  checkAll((await find(chats, NEEDLE.toLowerCase())).hits.length);
}

function checkAll(found: number): void {
  if (found !== CHATS) {
    throw new Error(`${String(found)} of ${String(CHATS)} were found.`);
  }
}

/** As a client does that parses its logs to search them. */
async function parseAll(chats: readonly SearchedChat[]): Promise<void> {
  let found = 0;
  for (const { folder } of chats) {
    const { events } = readSegment(await readFile(join(folder, SEGMENT)), WRITER);
    found += events.filter(
      (event) => event.type === 'message' && messageText(event.message).toLowerCase().includes(NEEDLE.toLowerCase()),
    ).length;
  }
  checkAll(found);
}

/** The needle as it is in the files, for the same hits. */
async function grepAll(folder: string, flags: readonly string[]): Promise<void> {
  // Its output must be read: with the null device as output, grep stops at the first hit of each file.
  const { stdout } = await execute('grep', ['-r', '-h', '-c', '-F', ...flags, NEEDLE, folder]);
  checkAll(stdout.split('\n').reduce((sum, count) => sum + Number(count), 0));
}

const execute = promisify(execFile);

async function isThere(command: string): Promise<boolean> {
  try {
    await execute(command, ['--version']);
    return true;
  } catch {
    // The command does not exist.
    return false;
  }
}
