import { join } from 'node:path';
import type { AttemptRow, RequestItems } from '../../../src/engine/accounting/attemptRow.js';
import { attemptUsages } from '../../../src/engine/accounting/attemptUsage.js';
import { costOf } from '../../../src/engine/model/price.js';
import { NO_OTHERS, turnsReader } from '../../support/host/openUsage.js';
import { UsageRows } from '../../../src/host/usage/usageRows.js';
import { UsageView } from '../../../src/host/usage/usageView.js';
import { localTime } from '../../../src/host/window/systemPorts.js';
import { FIRST_QUERY, type UsageState } from '../../../src/protocol/usage/usage.js';
import { readAttempts, writeAttempts } from '../../../src/storage/reading/attemptsFile.js';
import { CONFIG } from '../../support/engine/events.js';
import { BILLED_PRICES } from '../../support/host/billedModels.js';
import type { Window, Windows } from '../../support/host/window.js';
import { writeLongLog } from '../../support/storage/longLog.js';
import { medianOf, race } from '../race.js';
import type { Row } from '../row.js';
import { inWindows } from '../windows.js';
import { longestStall } from '../stall.js';
import { UNWATCHED } from '../store.js';

const CHATS = 200;
const REQUESTS = 100;
const ALL = CHATS * REQUESTS;
/** Characters of a message. */
const LENGTH = 2_000;
const ROUNDS = 9;
/** All in one month, which the view shows: the worst case. */
const MONTH = Date.UTC(2026, 9, 1);
const MONTH_MS = 30 * 86_400_000;
const RULES = 10;
const OPENING = 'Loupe, from the rows';
const AGAIN = 'the tab opened again';
const ASKING = 'another question';
const FOLDING = 'folding all logs';

/** Opens the usage view of a year in a window that has read no files yet. */
export const usage: Row = {
  name: 'usage',
  job: `open the usage view over ${String(CHATS)} chats of ${String(REQUESTS)} requests`,
  measure: () =>
    inWindows(async (windows) => {
      await writeChats(windows);
      let opened = 0;
      const another = (): Window => {
        opened += 1;
        return windows.open({ writerId: `window${String(opened)}` });
      };
      // The first run in this process: no code is compiled yet.
      const stall = await longestStall(() => openNew(another()));
      const warm = another();
      const rows = new UsageRows(warm.chats);
      await open(warm, rows);
      const samples = await race(
        [
          { name: OPENING, run: () => openNew(another()) },
          { name: AGAIN, run: () => open(warm, rows) },
          {
            name: ASKING,
            run: () => {
              expectAll(shown(warm, rows, 'reply'), ALL);
            },
          },
          { name: FOLDING, run: () => foldAll(another()) },
        ],
        { rounds: ROUNDS },
      );
      return {
        samples,
        amount: { value: ALL, unit: 'requests' },
        verdicts: [
          { what: 'ms to open', measured: medianOf(samples, OPENING), target: { atMost: 300 } },
          { what: 'ms to open again', measured: medianOf(samples, AGAIN), target: { atMost: 100 } },
          { what: 'ms for a word in the filter', measured: medianOf(samples, ASKING), target: { atMost: 50 } },
          { what: 'longest stall while it opens, ms', measured: stall, target: { atMost: 50 } },
          {
            what: 'against folding all logs, times',
            measured: medianOf(samples, FOLDING) / medianOf(samples, OPENING),
            target: { atLeast: 3 },
          },
        ],
      };
    }),
};

/** Writes the logs, and the rows of a window that has used the chats. */
async function writeChats(windows: Windows): Promise<void> {
  const writer = windows.open({ writerId: 'writer' });
  const text = 'Some words of a message. '.repeat(LENGTH / 25);
  for (let chat = 0; chat < CHATS; chat += 1) {
    const chatId = `sess_17000000${String(chat).padStart(5, '0')}_aaaaaa`;
    const folder = join(windows.folder, 'chats', chatId);
    await writeLongLog(folder, { chatId, writer: 'earlier', exchanges: REQUESTS, config: CONFIG, said: () => text });
    await writer.store.updateDerived(chatId, 1);
    const rows = await writer.store.attempts(chatId);
    await writeAttempts(
      folder,
      { fingerprint: await writer.store.fingerprint(chatId), read: (await readAttempts(folder)).read },
      rows.map((row, at) => lived(row, chat, at)),
    );
  }
}

/** A row with its own id and time, a price, and the rules in its request. */
function lived(row: AttemptRow, chat: number, at: number): AttemptRow {
  const request: RequestItems = {
    counted: 20_000,
    items: Array.from({ length: RULES }, (_, rule) => ({
      key: `rule:.loupe/rules/${String(rule)}.md`,
      isCut: false,
      tokens: 300,
      parts: at === 0 ? { read: 0, written: 300, fresh: 0 } : { read: 300, written: 0, fresh: 0 },
    })),
  };
  const time = MONTH + Math.floor(((at * CHATS + chat) / ALL) * MONTH_MS);
  // Chats with a common attempt are copies, and count it once.
  return { ...row, id: `${row.id}-${String(chat)}`, at: time, cost: row.usage === null ? null : costOf(row.usage, BILLED_PRICES), request };
}

function openNew(window: Window): Promise<void> {
  return open(window, new UsageRows(window.chats));
}

/** Opens the view in a window. `rows` were read before. */
async function open(window: Window, rows: UsageRows): Promise<void> {
  await rows.readAll();
  expectAll(shown(window, rows, ''), ALL);
}

function shown({ chats, settings, models, quotas }: Window, rows: UsageRows, text: string): UsageState {
  const view = new UsageView({
    chats,
    settings,
    rows,
    others: NO_OTHERS,
    turns: turnsReader({ chats, models }),
    quotas,
    models,
    now: () => MONTH,
    localTime,
    pricesOf: () => BILLED_PRICES,
    labelOf: ({ model }) => model,
    logError: (error) => {
      throw error;
    },
  });
  view.ask({ ...FIRST_QUERY, unit: 'month', from: MONTH, text });
  const posted: UsageState[] = [];
  view.channel.connect((message) => {
    posted.push(...(message.type === 'snapshot' ? [message.state] : []));
  });
  view.channel.ready();
  view.dispose();
  const [state] = posted;
  if (state === undefined) {
    throw new Error('Nothing was shown.');
  }
  return state;
}

function expectAll({ requests, figures }: UsageState, count: number): void {
  if (requests?.count !== count || figures?.total.requests !== ALL) {
    throw new Error(`${String(requests?.count)} requests were counted.`);
  }
}

/** As a client does that only has its logs. */
async function foldAll({ store }: Window): Promise<void> {
  let counted = 0;
  for (const chatId of await store.listChatIds()) {
    const { state } = (await store.openWhole(chatId, 1, UNWATCHED)).fold;
    counted += state.extent === 'whole' ? attemptUsages(state).length : 0;
  }
  if (counted !== ALL) {
    throw new Error(`${String(counted)} requests were read.`);
  }
}
