import { randomBytes } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventDraft } from '../../../src/engine/chat/event.js';
import { newId } from '../../../src/engine/chat/ids.js';
import { systemClock, systemRandom } from '../../../src/host/systemPorts.js';
import { ChatStore } from '../../../src/storage/chatStore.js';
import { nodeFiles } from '../../../src/storage/files.js';
import type { Journal } from '../../../src/storage/journal.js';
import { nodeTicker } from '../../../src/storage/liveness.js';
import { created } from '../../support/engine/events.js';
import { medianOf, race } from '../race.js';
import type { Row } from '../row.js';

const FEW = 10;
const MANY = 10_000;
const MESSAGE_LENGTH = 2_000;
const ROUNDS = 21;

export const append: Row = {
  name: 'append',
  job: 'append a message of 2 KB, durable (fdatasync)',
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), 'loupe-bench-'));
    try {
      const store = openStore(folder);
      const few = await chatOf(store, 'sess_1700000000000_aaaaaa', FEW);
      const many = await chatOf(store, 'sess_1700000000001_bbbbbb', MANY);
      const whole = Array.from({ length: MANY }, () => message());
      const samples = await race(
        [
          { name: `at ${String(FEW)} messages`, run: () => few.append([message()], 'durable').written },
          { name: 'at 10,000 messages', run: () => many.append([message()], 'durable').written },
          { name: 'write and fdatasync alone', run: () => bareAppend(join(folder, 'bare.jsonl')) },
          { name: 'rewriting the file of 10,000 messages, durable', run: () => rewrite(join(folder, 'whole.json'), whole) },
        ],
        { rounds: ROUNDS },
      );
      await store.close();
      const own = medianOf(samples, 'at 10,000 messages');
      return {
        samples,
        amount: null,
        verdicts: [
          { what: 'time at 10,000 messages against 10, times', measured: own / medianOf(samples, `at ${String(FEW)} messages`), target: { atMost: 1.2 } },
          { what: 'faster than rewriting the file, times', measured: medianOf(samples, 'rewriting the file of 10,000 messages, durable') / own, target: { atLeast: 500 } },
        ],
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function openStore(root: string): ChatStore {
  return new ChatStore({
    root,
    self: { writerId: 'bench', pid: process.pid, host: hostname() },
    clock: systemClock,
    random: systemRandom,
    files: nodeFiles,
    ticker: nodeTicker,
    report: (error) => {
      throw error;
    },
  });
}

async function chatOf(store: ChatStore, chatId: string, messages: number): Promise<Journal> {
  const journal = store.journal(chatId);
  await journal.append([{ ...created(), chatId }, ...Array.from({ length: messages }, () => message())], 'durable').written;
  return journal;
}

function message(): EventDraft {
  const text = randomBytes(MESSAGE_LENGTH / 2).toString('hex');
  const id = newId(systemClock, systemRandom);
  return { type: 'message', runId: null, message: { role: 'user', id, parts: [{ type: 'text', text }], author: null } };
}

/** What the disk itself takes, without opening the file anew: the least that is possible. */
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

/** What most clients do at each message: the whole conversation as one JSON file. */
async function rewrite(path: string, messages: readonly EventDraft[]): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(JSON.stringify(messages));
    await file.datasync();
  } finally {
    await file.close();
  }
}
