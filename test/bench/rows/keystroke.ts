import { join } from 'node:path';
import { promptBlocks } from '../../../src/engine/model/prompt.js';
import { previewOf, type PreviewPorts } from '../../../src/host/panel/nextRequest/preview.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { loadTestCounter } from '../../support/counters.js';
import { DEFAULTS, type Windows } from '../../support/host/window.js';
import { writeLongLog } from '../../support/storage/longLog.js';
import { medianOf, processorTime, race } from '../race.js';
import type { Row } from '../row.js';
import { inWindows } from '../windows.js';

const DRAFT = { images: [], messageId: 'draft', editing: null };
const CHAT = 'sess_1700000000000_aaaaaa';
const BLOCKS = 10_000;
/** Enough for all messages. */
const BUDGET = 2_000_000;
const TYPED = 'how do I parse the value of a function in typescript, and where do the errors go?';
/** The row measures a window without servers, in which no cache was observed. */
const PORTS: PreviewPorts = {
  observed: { of: () => null },
  models: { listed: () => null },
  shownServers: { servers: () => [], hasLog: () => false, signIn: () => 'none', mistakes: () => [], startQuestion: () => null },
};
const ROUNDS = 9;
const KEYS = 20;
const KEY = 'Loupe, one key';

export const keystroke: Row = {
  name: 'keystroke',
  job: `compose the next request and all that the panel derives from it at a key, in a request of ${BLOCKS.toLocaleString('en')} blocks`,
  measure: () => inWindows(measureIn),
};

async function measureIn(windows: Windows): Promise<Awaited<ReturnType<Row['measure']>>> {
  const counter = await loadTestCounter('o200k_base');
  const model = { ...PRACTICE_STANDARD, maxInputTokens: BUDGET };
  const { folder, chats } = windows.open({ models: [model], counters: { get: () => Promise.resolve(counter) } });
  await writeLongLog(join(folder, 'chats', CHAT), {
    ...{ chatId: CHAT, writer: 'earlier', exchanges: BLOCKS / 2, config: DEFAULTS },
    said: (message) => `Message ${String(message)} asks about a file.`,
  });
  const session = await chats.open(CHAT);
  await session.whole();
  const { prompt, isPartial } = await session.next.preview({ ...DRAFT, text: 'Hello' });
  if (isPartial || promptBlocks(prompt).length < BLOCKS) {
    throw new Error(`The request has only ${String(promptBlocks(prompt).length)} blocks.`);
  }
  let key = 0;
  const type = (): Promise<number> =>
    processorTime(KEYS, async () => {
      key += 1;
      const draft = { ...DRAFT, text: TYPED.slice(0, (key % TYPED.length) + 1) };
      previewOf(await session.next.shownWith(draft), session, PORTS);
    });
  await type();
  const samples = await race([{ name: KEY, run: type }], { rounds: ROUNDS });
  return { samples, amount: null, verdicts: [{ what: 'ms for a key', measured: medianOf(samples, KEY), target: { atMost: 5 } }] };
}
