import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatState } from '../../../src/engine/chat/state.js';
import type { ChatStore } from '../../../src/storage/chatStore.js';
import { segmentName } from '../../../src/storage/files/layout.js';
import { readSegment } from '../../../src/storage/log/segment.js';
import { CONFIG } from '../../support/engine/events.js';
import { answerId, writeLongLog } from '../../support/storage/longLog.js';
import { inFreshProcess } from '../child.js';
import { medianOf, race, sampleOf } from '../race.js';
import type { Row } from '../row.js';
import { inStore, UNWATCHED } from '../store.js';
import { realTexts } from '../texts.js';

const CHAT = 'sess_1700000000000_aaaaaa';
const WRITER = 'earlier';
const MESSAGES = 100_000;
const MESSAGE_LENGTH = 2_000;
/** Only ratios carry over. A sixtieth of a second of parsing is not noticeable. */
const SHARE_OF_PARSING = 1 / 60;
const PARSED_BYTES = 200e6;
const SHOWN = 50;
/** The log after a restore point has one or two of its steps, whatever its messages are. */
const MOST_OF_END = MESSAGES / 50;
/** For the short ones, which have a large spread. */
const SHORT_ROUNDS = 101;
const FEW_ROUNDS = 5;
const END = 'Loupe, from the restore point';
const WHOLE = 'Loupe, from the end to the whole chat';
const PARSE = 'parsing every line';
const STALL = 'longest stall of a fresh process that reads the whole chat';

export const open: Row = {
  name: 'open',
  job: 'open a chat of 100,000 messages of 2 KB',
  measure: () =>
    inStore(async (store, folder) => {
      const path = await writeChat(folder);
      await store.updateDerived(CHAT, SHOWN);
      const ends = await race([{ name: END, run: () => openEnd(store) }], { rounds: SHORT_ROUNDS });
      const parsed = await race([{ name: PARSE, run: () => parseAll(path) }], { rounds: FEW_ROUNDS });
      const samples = [...ends, ...parsed];
      const parsing = (medianOf(samples, PARSE) * PARSED_BYTES) / (await stat(path)).size;
      return {
        samples,
        amount: null,
        verdicts: [
          {
            what: 'share of parsing 200 MB of lines',
            measured: medianOf(samples, END) / parsing,
            target: { atMost: SHARE_OF_PARSING },
          },
        ],
      };
    }),
};

export const whole: Row = {
  name: 'whole',
  job: 'read a chat of 100,000 messages of 2 KB from its end to the whole',
  measure: () =>
    inStore(async (store, folder) => {
      const path = await writeChat(folder);
      await store.updateDerived(CHAT, SHOWN);
      const samples = await race(
        [
          { name: WHOLE, run: () => openWhole(store) },
          { name: PARSE, run: () => parseAll(path) },
        ],
        { rounds: FEW_ROUNDS },
      );
      const stalls = sampleOf(STALL, await inTurn(FEW_ROUNDS, () => inFreshProcess('whole-stall', folder)));
      const memory = await inFreshProcess('whole-memory', folder);
      return {
        samples: [...samples, stalls],
        amount: null,
        verdicts: [
          {
            what: 'against parsing the file, times',
            measured: medianOf(samples, WHOLE) / medianOf(samples, PARSE),
            target: { atMost: 1.3 },
          },
          { what: 'longest stall, in ms', measured: stalls.median, target: { atMost: 50 } },
          { what: 'peak memory against the file, times', measured: memory / (await stat(path)).size, target: { atMost: 3 } },
        ],
      };
    }),
};

async function writeChat(root: string): Promise<string> {
  const folder = join(root, 'chats', CHAT);
  const texts = realTexts().join('\n');
  const said = (message: number): string => {
    const from = (message * 1_999) % (texts.length - MESSAGE_LENGTH);
    return texts.slice(from, from + MESSAGE_LENGTH);
  };
  await writeLongLog(folder, { chatId: CHAT, writer: WRITER, exchanges: MESSAGES / 2, config: CONFIG, said });
  return join(folder, segmentName(WRITER));
}

async function inTurn<T>(times: number, job: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  while (results.length < times) {
    results.push(await job());
  }
  return results;
}

async function openEnd(store: ChatStore): Promise<void> {
  const { fold } = await store.openEnd(CHAT, UNWATCHED);
  expectMessages(fold.state, SHOWN, MOST_OF_END);
}

async function openWhole(store: ChatStore): Promise<void> {
  const { fold } = await store.openWhole(CHAT, SHOWN, UNWATCHED);
  expectMessages(fold.state, MESSAGES, MESSAGES);
}

/** Checks that the expected messages were read, and not many more. */
function expectMessages({ timeline }: ChatState, least: number, most: number): void {
  const messages = timeline.flatMap((item) => (item.kind === 'message' ? [item.message.id] : []));
  if (messages.length < least || messages.length > most || messages.at(-1) !== answerId(MESSAGES / 2 - 1)) {
    throw new Error(`${String(messages.length)} messages were read.`);
  }
}

/** As a client does that parses its log to open it. */
async function parseAll(path: string): Promise<void> {
  const { events } = readSegment(await readFile(path), WRITER);
  if (events.length < MESSAGES) {
    throw new Error(`${String(events.length)} events were read.`);
  }
}
