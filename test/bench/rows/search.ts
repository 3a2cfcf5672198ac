import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOG_VERSION, type EventDraft } from '../../../src/engine/chat/event.js';
import { messageText } from '../../../src/engine/chat/message.js';
import { encodeLine } from '../../../src/storage/line.js';
import { searchChats, type SearchedChat } from '../../../src/storage/search.js';
import { readSegment } from '../../../src/storage/segment.js';
import { created } from '../../support/engine/events.js';
import { medianOf, race, type Contestant } from '../race.js';
import type { Row } from '../row.js';
import { realTexts } from '../texts.js';

const CHATS = 20;
const MESSAGES = 5_000;
const MESSAGE_LENGTH = 1_850;
const ROUNDS = 9;
const MB = 1e6;

/** What is searched for: rare, as something one wants to find again. Nothing in the texts holds it by itself. */
const NEEDLE = 'Zimmermann telegram';
/** Everywhere, and so many lines may hold one of the newest hits. */
const COMMON = 'return';

const WRITER = 'bench';
const SEGMENT = `${WRITER}.jsonl`;

const LOUPE = 'Loupe';
const LOUPE_COMMON = `Loupe, "${COMMON}", the newest 50 of very many`;
const GREP = 'grep -F (one case only)';
const GREP_BOTH = 'grep -F -i';
const PARSE = 'parsing every line';

export const search: Row = {
  name: 'search',
  job: 'search 20 chats of 10 MB for a text whatever its case',
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), 'loupe-bench-'));
    try {
      const { chats, bytes } = await store(folder);
      await checkFound(chats);
      const hasGrep = await runs('grep', ['--version']);
      const grep = (name: string, ...flags: string[]): Contestant => ({ name, run: () => runGrep(folder, flags) });
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
      const ofGrep = hasGrep ? [{ what: 'time against grep -F, times', measured: own / medianOf(samples, GREP), target: { atMost: 1.2 } }] : [];
      return { samples, amount: { value: bytes / MB, unit: 'MB' }, verdicts: [...ofGrep, faster] };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Chats of code and prose; the needle is once in each, in another case than it is searched in. */
async function store(root: string): Promise<{ readonly chats: readonly SearchedChat[]; readonly bytes: number }> {
  const text = realTexts().join('\n');
  const chats: SearchedChat[] = [];
  let bytes = 0;
  for (let number = 0; number < CHATS; number += 1) {
    const id = `sess_${String(1_700_000_000_000 + number)}_abcdef`;
    const folder = join(root, id);
    const content = Buffer.concat(Array.from({ length: MESSAGES }, (_, index) => line(text, number, index)));
    await mkdir(folder);
    await writeFile(join(folder, SEGMENT), content);
    chats.push({ id, folder });
    bytes += content.length;
  }
  return { chats, bytes };
}

function line(text: string, chat: number, index: number): Buffer {
  const from = (chat * 104_729 + index * 1_999) % (text.length - MESSAGE_LENGTH);
  const hidden = index === MESSAGES / 2 ? NEEDLE : '';
  const id = `${String(1_700_000_000_000 + index)}-${index.toString(16).padStart(8, '0')}`;
  const parts = [{ type: 'text', text: text.slice(from, from + MESSAGE_LENGTH) + hidden } as const];
  const draft: EventDraft = index === 0 ? created() : { type: 'message', runId: null, message: { role: 'user', id, parts, author: null } };
  return encodeLine({ ...draft, v: LOG_VERSION, seq: index + 1, id, at: 1_700_000_000_000 + chat * MESSAGES + index, writer: WRITER });
}

async function find(chats: readonly SearchedChat[], text: string): Promise<void> {
  await searchChats({ text, role: null, limit: 50 }, chats, [], new AbortController().signal);
}

async function checkFound(chats: readonly SearchedChat[]): Promise<void> {
  const { hits } = await searchChats({ text: NEEDLE.toLowerCase(), role: null, limit: 50 }, chats, [], new AbortController().signal);
  checkAll(hits.length);
}

function checkAll(found: number): void {
  if (found !== CHATS) {
    throw new Error(`${String(found)} of ${String(CHATS)} were found.`);
  }
}

/** What a client does that parses its logs to search them. */
async function parseAll(chats: readonly SearchedChat[]): Promise<void> {
  let found = 0;
  for (const { folder } of chats) {
    const { events } = readSegment(await readFile(join(folder, SEGMENT)), WRITER);
    found += events.filter((event) => event.type === 'message' && messageText(event.message).toLowerCase().includes(NEEDLE.toLowerCase())).length;
  }
  checkAll(found);
}

/** As it is in the files, so that it has the same hits; `-c` spares it the printing. */
async function runGrep(folder: string, flags: readonly string[]): Promise<void> {
  if (!(await runs('grep', ['-r', '-c', '-F', ...flags, NEEDLE, folder]))) {
    throw new Error('grep found nothing.');
  }
}

async function runs(command: string, args: readonly string[]): Promise<boolean> {
  const child = spawn(command, args, { stdio: 'ignore' });
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } catch {
    // There is no such command.
    return false;
  }
}
