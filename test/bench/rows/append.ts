import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import { newId } from '../../../src/engine/chat/order/ids.js';
import { systemClock } from '../../../src/host/window/systemPorts.js';
import { systemRandom } from '../../../src/host/window/systemRandom.js';
import type { ChatStore } from '../../../src/storage/chatStore.js';
import type { Journal } from '../../../src/storage/log/journal.js';
import { created } from '../../support/engine/events.js';
import { medianOf, race } from '../race.js';
import type { Row } from '../row.js';
import { inStore } from '../store.js';

const FEW = 10;
const MANY = 10_000;
const MESSAGE_LENGTH = 2_000;
const ROUNDS = 21;
/** For the short runs: each takes less than a millisecond, with a large spread. */
const SHORT_ROUNDS = 201;
/** The overhead of the check for deletion, the stamp and the checksum. */
const MOST_OVER_BARE = 1.5;

const AT_FEW = `at ${String(FEW)} messages`;
const AT_MANY = 'at 10,000 messages';
const BARE = 'write and fdatasync alone';
const REWRITE = 'rewriting the file of 10,000 messages, durable';

export const append: Row = {
  name: 'append',
  job: 'append a message of 2 KB, durable (fdatasync)',
  measure: () =>
    inStore(async (store, folder) => {
      const few = await chatOf(store, 'sess_1700000000000_aaaaaa', FEW);
      const many = await chatOf(store, 'sess_1700000000001_bbbbbb', MANY);
      const whole = Array.from({ length: MANY }, () => message());
      // The rewrite leaves disk and memory busy, so it has its own race.
      const short = await race(
        [
          { name: AT_FEW, run: () => few.append([message()], 'durable').written },
          { name: AT_MANY, run: () => many.append([message()], 'durable').written },
          { name: BARE, run: () => bareAppend(join(folder, 'bare.jsonl')) },
        ],
        { rounds: SHORT_ROUNDS },
      );
      const long = await race([{ name: REWRITE, run: () => rewrite(join(folder, 'whole.json'), whole) }], { rounds: ROUNDS });
      const samples = [...short, ...long];
      const own = medianOf(samples, AT_MANY);
      return {
        samples,
        amount: null,
        verdicts: [
          { what: 'time at 10,000 messages against 10, times', measured: own / medianOf(samples, AT_FEW), target: { atMost: 1.2 } },
          {
            what: 'own time against write and fdatasync alone, times',
            measured: own / medianOf(samples, BARE),
            target: { atMost: MOST_OVER_BARE },
          },
          { what: 'faster than rewriting the file, times', measured: medianOf(samples, REWRITE) / own, target: { atLeast: 500 } },
        ],
      };
    }),
};

async function chatOf(store: ChatStore, chatId: string, messages: number): Promise<Journal> {
  const journal = store.journal(chatId);
  await journal.append([{ ...created(), chatId }, ...Array.from({ length: messages }, () => message())], 'durable').written;
  return journal;
}

function message(): NewEvent {
  const text = randomBytes(MESSAGE_LENGTH / 2).toString('hex');
  const id = newId(systemClock, systemRandom);
  return { type: 'message', runId: null, message: { role: 'user', id, parts: [{ type: 'text', text }], author: null } };
}

/** The lower limit: the disk alone, without opening the file again. */
async function bareAppend(path: string): Promise<number> {
  const file = await open(path, 'a');
  try {
    const started = performance.now();
    await file.write(`${JSON.stringify(message())}\n`);
    await file.datasync();
    return performance.now() - started;
  } finally {
    await file.close();
  }
}

/** As most clients do at each message: the whole conversation as one JSON file. */
async function rewrite(path: string, messages: readonly NewEvent[]): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(JSON.stringify(messages));
    await file.datasync();
  } finally {
    await file.close();
  }
}
