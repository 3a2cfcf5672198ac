import type { NextRequestView } from '../../../src/protocol/panel/view.js';
import type { PreviewState } from '../state.js';
import { chat, NEXT, panel, shown } from './parts.js';

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
    historyTokens: 56000,
    maxHistoryTokens: 6250,
    maxInputTokens: 100000,
    remaining: 28284,
    needsSummary: false,
    compaction: { enabled: true, trigger: 64596, percent: 87 },
  },
  summary: {
    trigger: { unit: 'tokens', at: 79_800, left: 8_596, then: 'summarized' },
    now: { upTo: 'a1', messages: 34, tokens: 31_866, summaryTokens: 612 },
  },
};

/** The meter when the chat is at least half way to a summary, with its card open. */
export const FORECAST: readonly PreviewState[] = [
  {
    name: 'What a summary would free',
    open: [],
    steps: [{ press: 'Summarizing would free 31k tokens' }],
    state: panel({ nextRequest: NEAR }),
  },
  {
    name: 'How the window is shared',
    open: [],
    steps: [{ press: '71,204 of 99,488 tokens in the context window, and how they are shared' }],
    state: panel({ nextRequest: NEAR }),
  },
  {
    name: 'What a summary by hand would free',
    open: [],
    steps: [{ press: 'Summarizing would free 31k tokens' }],
    state: panel({
      chat: chat({
        spent: {
          inputTokens: 485_651,
          outputTokens: 10_287,
          inputEstimated: false,
          outputEstimated: false,
          cost: null,
          unknownRequests: 0,
        },
      }),
      nextRequest: {
        ...NEAR,
        summary: { ...NEAR.summary, trigger: null },
        history: { ...NEAR.history, compaction: { enabled: false, trigger: 0, percent: 0 } },
      },
    }),
  },
  shown('What the cache was found to do', ['next-request'], {
    nextRequest: {
      ...NEXT,
      observation: {
        text: 'Caches of Sonnet 4.5 were still read after 4 min 50 s and lost after 5 min 10 s, where 5 min was asked. 1 of 41 breakpoints was lost before its time.',
        isAlarm: false,
        isOfPrices: false,
        proofs: [],
      },
    },
  }),
  alarm(
    'Breakpoints were lost early',
    '7 of 12 breakpoints were lost before their time, the last one after 14 min, where 1 h was asked: $3.10 more today.',
    false,
  ),
  alarm('Other prices are charged', 'Since 14:10 Sonnet 4.5 charges 12 % more than before: $0.31 more today.', true),
];

function alarm(name: string, text: string, isOfPrices: boolean): PreviewState {
  const proofs = [{ chatId: 'c', attemptId: 'a' }];
  return {
    name,
    open: [],
    steps: [],
    state: panel({ nextRequest: { ...NEXT, observation: { text, isAlarm: true, isOfPrices, proofs } } }),
  };
}
