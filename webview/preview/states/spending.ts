import type { SpendQuestionView } from '../../../src/protocol/questions.js';
import type { PreviewState } from '../state.js';
import { ANSWER, CHAT_ID, NEXT, QUESTION, SPENT, chat, listed, note, replied, said, shown, shownAfter } from './parts.js';
import { text } from '../views.js';
import { toolCall } from './toolCalls.js';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';

const NEAR: NextRequestView = {
  ...NEXT,
  totalTokens: 71_204,
  budget: 99_488,
  limit: 100_000,
  shares: [
    { category: 'system', tokens: 2_412 },
    { category: 'files', tokens: 12_777 },
    { category: 'conversation', tokens: 55_977 },
    { category: 'framing', tokens: 38 },
  ],
  history: {
    ...{ historyTokens: 56000, maxHistoryTokens: 6250, maxInputTokens: 100000, remaining: 28284, needsSummary: false },
    compaction: { enabled: true, trigger: 64596, percent: 87 },
  },
  summary: {
    trigger: { unit: 'tokens', at: 79_800, left: 8_596, then: 'summarized' },
    now: { upTo: 'a1', messages: 34, tokens: 31_866, summaryTokens: 612 },
  },
};

const METER = '72% full: 71,204 of 99,488 tokens in the context window. Show the parts';

/** The context meter with its open card, in a chat that is at least half way to a summary. */
export const FORECAST: readonly PreviewState[] = [
  shownAfter('What a summary would free', [], [{ press: METER }], { nextRequest: NEAR }),
  shownAfter('How the window is shared', [], [{ press: METER }], {
    nextRequest: { ...NEAR, summary: { ...NEAR.summary, now: null } },
  }),
  shownAfter('What a summary by hand would free', [], [{ press: METER }], {
    chat: chat({ spent: { ...SPENT, inputTokens: 485_651, outputTokens: 10_287, cost: null } }),
    nextRequest: {
      ...NEAR,
      summary: { ...NEAR.summary, trigger: null },
      history: { ...NEAR.history, compaction: { enabled: false, trigger: 0, percent: 0 } },
    },
  }),
  shown('What the cache was found to do', ['next-request'], {
    nextRequest: {
      ...NEXT,
      observation: {
        text: '1 of 41 breakpoints expired too early, after 3 min 10 s, although 5 min was requested.',
        isAlarm: false,
        isOfPrices: false,
        proofs: [],
      },
    },
  }),
  alarm(
    'Breakpoints were lost early',
    '7 of 12 breakpoints expired too early, the last one after 14 min, although 1 h was requested: $3.10 more today. Forecasts use 12 min.',
    false,
  ),
  alarm('Other prices are charged', 'Since 14:10 Sonnet 4.5 charges 12% more than before: $0.31 more today.', true),
];

function alarm(name: string, text: string, isOfPrices: boolean): PreviewState {
  const proofs = [{ chatId: 'c', attemptId: 'a' }];
  return shown(name, [], { nextRequest: { ...NEXT, observation: { text, isAlarm: true, isOfPrices, proofs } } });
}

const DEAR: SpendQuestionView = {
  id: 'q1',
  about: 'request',
  cost: 0.6214,
  replyCost: 0.0391,
  tokens: 191_408,
  parts: [
    { name: 'test/fixtures/tides-of-the-northern-stations.json', tokens: 118_204, cost: 0.3596 },
    { name: 'earlier messages', tokens: 61_930, cost: 0.1884 },
    { name: 'src/predict.ts', tokens: 9_871, cost: 0.03 },
    { name: 'system prompt', tokens: 412, cost: 0.0013 },
  ],
  reason: { kind: 'dear', limit: 0.5 },
};

/** The user's message above the open question. */
const ASKED = said('u1', 'Which station is off by more than a hand?', {});

/** Questions to the user before a costly request, and runs that a limit stopped. */
export const SPENDING: readonly PreviewState[] = [
  shown('A dear request', [], {
    chats: [listed(CHAT_ID, 'How the tide is predicted', { waiting: true })],
    spendQuestion: DEAR,
    nextRequest: {
      ...NEXT,
      totalTokens: 191_408,
      inputCost: 0.5823,
      forecast: null,
      mayBeCached: true,
      reply: { low: 0.021, median: 0.0391, high: 0.062, replies: 8 },
    },
    entries: [ASKED],
  }),
  shownAfter('Limits', [], [{ press: 'Limit…' }], {
    spendQuestion: DEAR,
    limits: {
      request: 0.25,
      chat: { limit: 2, each: 5, spent: { usd: 0.5554, isAtLeast: false } },
      day: { limit: null, spent: { usd: 0.812, isAtLeast: true } },
    },
    entries: [ASKED],
  }),
  shown('A price far above the usual', [], {
    entries: [QUESTION, ANSWER],
    nextRequest: {
      ...NEXT,
      totalTokens: 148_210,
      inputCost: 0.4579,
      forecast: null,
      reply: { low: 0.0021, median: 0.0039, high: 0.0062, replies: 8 },
      unusual: '47 times the median of this chat ($0.0098). The cache expired, and test/fixtures/tides.json has 118,204 tokens.',
    },
  }),
  shown('A message over the cap of the day', [], {
    spendQuestion: {
      ...DEAR,
      cost: 0.2243,
      replyCost: null,
      tokens: 72_213,
      parts: DEAR.parts.slice(1),
      reason: { kind: 'dayCap', limit: 5, spent: 4.9312, isAtLeast: true },
    },
    nextRequest: {
      ...NEXT,
      warnings: [
        'Not sent: the editor state (date, selection, open file). The request has no room for it.',
        'Loupe dropped data/tides.json: the request has no room for its 41,310 tokens.',
        'Loupe dropped test/fixtures/tides-of-the-northern-stations.json: the request has no room for its 118,204 tokens.',
      ],
      rewritten: 'afterSummary',
    },
    entries: [ASKED],
    chat: chat({ running: true }),
  }),
  shown('A tool loop stopped by a cap', [], {
    entries: [
      QUESTION,
      replied(
        'a1',
        [
          text('I compare the stations.'),
          toolCall('c1', 'echo', '{"text":"ebb"}', {
            subject: 'ebb',
            result: { messageId: 't1', text: 'ebb', images: [], cut: null, tokens: 1 },
          }),
        ],
        {},
      ),
      note({
        status: 'held',
        text: 'Loupe stopped before the next step: this chat has spent $4.98, and its cap is $5.00. The next step would send 48,108 tokens and cost about $0.15. Largest parts: tool results 30,214 ($0.091), src/predict.ts 9,871 ($0.030), earlier messages 6,310 ($0.019), system prompt 412 ($0.0012).',
        actions: ['goOnOnce', 'openSpendSettings'],
      }),
    ],
  }),
  shown('A step that waits, and a dear summary', [], {
    chat: chat({ running: true }),
    entries: [QUESTION, ANSWER, said('u2', 'And in a storm?', {})],
    compaction: {
      ...{ kind: 'due', upTo: 'm', messages: 34, tokens: 31_866, summaryTokens: 637 },
      why: 'Loupe does not write this summary automatically: the request may cost about $0.62, and your limit is $0.50 (loupe.spend.askAbove).',
    },
    spendQuestion: { ...DEAR, about: 'request', cost: 0.9412 },
  }),
];
