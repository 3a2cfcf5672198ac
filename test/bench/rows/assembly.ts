import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { loadTestCounter } from '../../support/counters.js';
import type { Window, Windows } from '../../support/host/window.js';
import { chatTexts } from '../compactionChat.js';
import { medianOf, processorTime, race } from '../race.js';
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
const ROUNDS = 9;
/** A single run takes less than a millisecond. */
const WARM_RUNS = 200;
const COLD_RUNS = 5;
const WARM = 'Loupe, one message more';
const COLD = 'Loupe, first request of a loaded chat';
const COLD_SHORT = `the same of ${SHORT_MESSAGES.toLocaleString('en')} messages`;
const TOKENIZING = 'counting the tokens of the new message';

export const assembly: Row = {
  name: 'assembly',
  job: `assemble a request for ${BUDGET.toLocaleString('en')} tokens: ${MESSAGES.toLocaleString('en')} messages of 2 KB and a new one`,
  measure: () => inWindows(measureIn),
};

async function measureIn(windows: Windows): Promise<Awaited<ReturnType<Row['measure']>>> {
  const counter = await loadTestCounter('o200k_base');
  const said = messageTexts();
  const model = { ...PRACTICE_STANDARD, maxInputTokens: BUDGET };
  const open = (): Window => windows.open({ models: [model], counters: { get: () => Promise.resolve(counter) } });
  const first = open();
  for (const [chatId, messages] of [
    [CHAT, MESSAGES],
    [SHORT_CHAT, SHORT_MESSAGES],
  ] as const) {
    await writeSummarizedChat(first.folder, { chatId, exchanges: messages / 2, keptExchanges: KEPT_EXCHANGES, said });
  }
  const warm = await first.chats.open(CHAT);
  await warm.whole();
  const { size, isPartial } = await warm.next.preview({ ...DRAFT, text: 'Hello' });
  if (isPartial || size.tokens > BUDGET || size.tokens < BUDGET * LEAST_FILLED) {
    throw new Error(`The request has ${String(size.tokens)} tokens: change the number of exchanges.`);
  }
  let number = MESSAGES;
  const news = (): string => said((number += 1));
  const coldOnce = async (chatId: string): Promise<number> => {
    const session = await open().chats.open(chatId);
    await session.whole();
    const text = news();
    const started = performance.now();
    await session.next.preview({ ...DRAFT, text });
    return performance.now() - started;
  };
  const cold = async (chatId: string): Promise<number> => {
    let sum = 0;
    for (let run = 0; run < COLD_RUNS; run += 1) {
      sum += await coldOnce(chatId);
    }
    return sum / COLD_RUNS;
  };
  const samples = await race(
    [
      { name: WARM, run: () => processorTime(WARM_RUNS, () => warm.next.preview({ ...DRAFT, text: news() })) },
      { name: TOKENIZING, run: () => processorTime(WARM_RUNS, () => counter.count(news())) },
      { name: COLD, run: () => cold(CHAT) },
      { name: COLD_SHORT, run: () => cold(SHORT_CHAT) },
    ],
    { rounds: ROUNDS },
  );
  const at = (name: string): number => medianOf(samples, name);
  return {
    samples,
    amount: null,
    verdicts: [
      { what: 'one message more, against counting its tokens, times', measured: at(WARM) / at(TOKENIZING), target: { atMost: 2 } },
      { what: 'the first request, in ms', measured: at(COLD), target: { atMost: 60 } },
      { what: 'ten times the messages, times', measured: at(COLD) / at(COLD_SHORT), target: { atMost: 1.5 } },
    ],
  };
}

function messageTexts(): (message: number) => string {
  const said = chatTexts();
  return (message) => Array.from({ length: TEXTS_PER_MESSAGE }, (_, at) => said(message * TEXTS_PER_MESSAGE + at)).join('\n');
}
