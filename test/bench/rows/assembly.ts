import { setTimeout } from 'node:timers/promises';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { loadTestCounter } from '../../support/counters.js';
import type { Window, Windows } from '../../support/host/window.js';
import { chatTexts } from '../compactionChat.js';
import { medianOf, processorTime, race } from '../race.js';
import { openCatalog } from '../ruleWorkspace.js';
import type { Row } from '../row.js';
import { inWindows } from '../windows.js';
import { writeSummarizedChat } from '../summarizedChat.js';

const DRAFT = { images: [], messageId: 'draft', editing: null };
const CHAT = 'sess_1700000000000_aaaaaa';
const SHORT_CHAT = 'sess_1700000000000_bbbbbb';
const MESSAGES = 10_000;
/** Enough for the rest after a summary. */
const SHORT_MESSAGES = 1_000;
const BUDGET = 100_000;
/** After the summary. They fill most of the budget. */
const KEPT_EXCHANGES = 75;
/** A request far below the budget would be too easy. */
const LEAST_FILLED = 0.7;
/** Five texts are 2 KB. */
const TEXTS_PER_MESSAGE = 5;
/** Requests before the measured ones, as in a window that was used for an hour. V8 optimizes code while it runs. */
const EARLIER_KEYS = 200;
/** Measured one by one: a sum would contain the work of V8's compiler and garbage collector in other threads. */
const KEYS = 1_000;
const OPENED = 15;
/** After a chat is opened, in ms, as the panel waits before its first preview. Loupe then writes derived files. */
const BEFORE_FIRST = 100;
const WARM = 'Loupe, one message more';
const COLD = 'Loupe, first request of a loaded chat';
const COLD_SHORT = `the same of ${SHORT_MESSAGES.toLocaleString('en')} messages`;
const TOKENIZING = 'counting the tokens of the new message';

export const assembly: Row = {
  name: 'assembly',
  job: `assemble a request for ${BUDGET.toLocaleString('en')} tokens: ${MESSAGES.toLocaleString('en')} messages of 2 KB and a new one; time of the processor`,
  measure: () => inWindows(measureIn),
};

async function measureIn(windows: Windows): Promise<Awaited<ReturnType<Row['measure']>>> {
  const counter = await loadTestCounter('o200k_base');
  const said = messageTexts();
  const model = { ...PRACTICE_STANDARD, maxInputTokens: BUDGET };
  const options = { models: [model], counters: { get: () => Promise.resolve(counter) } };
  const open = (): Window => windows.open(options);
  const first = open();
  for (const [chatId, messages] of [
    [CHAT, MESSAGES],
    [SHORT_CHAT, SHORT_MESSAGES],
  ] as const) {
    await writeSummarizedChat(first.folder, { chatId, exchanges: messages / 2, keptExchanges: KEPT_EXCHANGES, said });
  }
  // The other windows read no catalog, which would hide the work for the conversation.
  const warm = await windows.open({ ...options, catalog: openCatalog(windows.folder) }).chats.open(CHAT);
  await warm.whole();
  const { size, isPartial } = await warm.next.preview({ ...DRAFT, text: 'Hello' });
  if (isPartial || size.tokens > BUDGET || size.tokens < BUDGET * LEAST_FILLED) {
    throw new Error(`The request has ${String(size.tokens)} tokens: change the number of exchanges.`);
  }
  let number = MESSAGES;
  const news = (): string => said((number += 1));
  const key = (): Promise<unknown> => warm.next.preview({ ...DRAFT, text: news() });
  for (let earlier = 0; earlier < EARLIER_KEYS; earlier += 1) {
    await key();
  }
  const keys = await race(
    [
      { name: WARM, run: () => processorTime(1, key) },
      { name: TOKENIZING, run: () => processorTime(1, () => counter.count(news())) },
    ],
    { rounds: KEYS },
  );
  const cold = async (chatId: string): Promise<number> => {
    const window = open();
    const session = await window.chats.open(chatId);
    await session.whole();
    await setTimeout(BEFORE_FIRST);
    const ms = await processorTime(1, () => session.next.preview({ ...DRAFT, text: news() }));
    // Each open window makes garbage collection slower.
    await window.store.close();
    return ms;
  };
  const firsts = await race(
    [
      { name: COLD, run: () => cold(CHAT) },
      { name: COLD_SHORT, run: () => cold(SHORT_CHAT) },
    ],
    { rounds: OPENED },
  );
  const samples = [...keys, ...firsts];
  const at = (name: string): number => medianOf(samples, name);
  return {
    samples,
    amount: null,
    verdicts: [
      {
        what: 'one message more after 200 others, against counting its tokens, times',
        measured: at(WARM) / at(TOKENIZING),
        target: { atMost: 2 },
      },
      { what: 'the first request, in ms', measured: at(COLD), target: { atMost: 60 } },
      { what: 'ten times the messages, times', measured: at(COLD) / at(COLD_SHORT), target: { atMost: 1.5 } },
    ],
  };
}

function messageTexts(): (message: number) => string {
  const said = chatTexts();
  return (message) => Array.from({ length: TEXTS_PER_MESSAGE }, (_, at) => said(message * TEXTS_PER_MESSAGE + at)).join('\n');
}
