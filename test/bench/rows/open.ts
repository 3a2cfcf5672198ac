import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatState } from '../../../src/engine/chat/state.js';
import type { ChatStore } from '../../../src/storage/chatStore.js';
import type { OpenedChat } from '../../../src/storage/index/opened.js';
import { segmentName } from '../../../src/storage/layout.js';
import { readSegment } from '../../../src/storage/segment.js';
import { CONFIG } from '../../support/engine/events.js';
import { answerId, writeLongLog } from '../../support/storage/longLog.js';
import { medianOf, race } from '../race.js';
import type { Row } from '../row.js';
import { inStore } from '../store.js';
import { realTexts } from '../texts.js';

const CHAT = 'sess_1700000000000_aaaaaa';
const WRITER = 'earlier';
const MESSAGES = 100_000;
const MESSAGE_LENGTH = 2_000;
/** Only ratios carry over: the target is 2 ms on a machine that takes 1,266 ms to parse a log of 200 MB. */
const SHARE_OF_PARSING = 2 / 1_266;
const PARSED_BYTES = 200e6;
const SHOWN = 50;
const ROUNDS = 21;
/** Of the short ones: their spread is large. */
const SHORT_ROUNDS = 101;
/** Of the slow ones. */
const FEW_ROUNDS = 3;

const INDEXED = 'Loupe with its index, to the last 50';
const BACK = 'Loupe, 50 more when scrolled back';
const GLIMPSE = 'Loupe without an index, the last 50';
const READ = 'reading the file';
const PARSE = 'parsing every line';

export const open: Row = {
  name: 'open',
  job: 'open a chat of 100,000 messages of 2 KB',
  measure: () =>
    inStore(async (store, folder) => {
      const chat = join(folder, 'chats', CHAT);
      const path = join(chat, segmentName(WRITER));
      await writeChat(chat);
      // Both before there is an index; the file is in the memory of the system by then, as for all others.
      const without = await race(
        [
          { name: GLIMPSE, run: () => glimpse(store) },
          { name: READ, run: () => readAll(path) },
        ],
        { rounds: ROUNDS },
      );
      await store.updateIndex(CHAT);
      const { start } = await openIndexed(store);
      const indexed = await race(
        [
          { name: INDEXED, run: () => openIndexed(store) },
          { name: BACK, run: () => scrollBack(store, start) },
        ],
        { rounds: SHORT_ROUNDS },
      );
      const parsed = await race([{ name: PARSE, run: () => parseAll(path) }], { rounds: FEW_ROUNDS });
      const samples = [...indexed, ...without, ...parsed];
      const parsing = (medianOf(samples, PARSE) * PARSED_BYTES) / (await stat(path)).size;
      return {
        samples,
        amount: null,
        verdicts: [
          {
            what: 'with its index, share of parsing 200 MB of lines',
            measured: medianOf(samples, INDEXED) / parsing,
            target: { atMost: SHARE_OF_PARSING },
          },
          {
            what: 'without, against reading the file, times',
            measured: medianOf(samples, GLIMPSE) / medianOf(samples, READ),
            target: { atMost: 1.3 },
          },
        ],
      };
    }),
};

async function writeChat(folder: string): Promise<void> {
  const texts = realTexts().join('\n');
  const said = (message: number): string => {
    const from = (message * 1_999) % (texts.length - MESSAGE_LENGTH);
    return texts.slice(from, from + MESSAGE_LENGTH);
  };
  await writeLongLog(folder, { chatId: CHAT, writer: WRITER, exchanges: MESSAGES / 2, config: CONFIG, said });
}

async function openIndexed(store: ChatStore): Promise<OpenedChat> {
  const opened = await store.openChat(CHAT, SHOWN);
  expectLast(opened.fold.state);
  return opened;
}

async function scrollBack(store: ChatStore, start: OpenedChat['start']): Promise<void> {
  if (start === null) {
    throw new Error('The chat was read whole.');
  }
  expectSome((await store.readEarlier(CHAT, start, SHOWN)).state);
}

async function glimpse(store: ChatStore): Promise<void> {
  const fold = await store.glimpse(CHAT, SHOWN);
  if (fold === null) {
    throw new Error('There is nothing to be seen.');
  }
  expectLast(fold.state);
}

function expectLast(state: ChatState): void {
  expectSome(state);
  const last = state.timeline.findLast((item) => item.kind === 'message');
  if (last?.kind !== 'message' || last.message.id !== answerId(MESSAGES / 2 - 1)) {
    throw new Error('The last message is not there.');
  }
}

/** What was asked for, and not so much more that it would be another job. */
function expectSome({ timeline }: ChatState): void {
  const messages = timeline.filter(({ kind }) => kind === 'message').length;
  if (messages < SHOWN || messages > SHOWN * 10) {
    throw new Error(`${String(messages)} messages were read.`);
  }
}

/** What the disk itself takes: all bytes, looked at by nobody. */
async function readAll(path: string): Promise<void> {
  await readFile(path);
}

/** What a client does that parses its log to open it. */
async function parseAll(path: string): Promise<void> {
  const { events } = readSegment(await readFile(path), WRITER);
  if (events.length < MESSAGES) {
    throw new Error(`${String(events.length)} events were read.`);
  }
}
