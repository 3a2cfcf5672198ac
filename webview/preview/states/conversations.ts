import type { BlockView } from '../../../src/protocol/panel/requestRows.js';
import type { OwnRequest, TitleEntry } from '../../../src/protocol/panel/noteEntries.js';
import type { ImageView } from '../../../src/protocol/panel/userEntry.js';
import type { NextRequestView } from '../../../src/protocol/panel/view.js';
import type { PreviewState } from '../state.js';
import { ANSWER, CHAT_ID, chat, listed, note, QUESTION, replied, said, USAGE, NO_TURNS, NOTHING_LEFT_OUT, shown } from './parts.js';
import { text, NOTHING_AVAILABLE, NOTHING_FORGOTTEN, plainRow, SMALL_REQUEST } from '../views.js';

const FIRST: NextRequestView = {
  ...SMALL_REQUEST,
  totalTokens: 420,
  budget: 199_488,
  limit: 200_000,
  shares: [
    { category: 'system', tokens: 412 },
    { category: 'framing', tokens: 8 },
  ],
  inputCost: 0.00126,
  mayBeCached: true,
  reply: { low: 0.0012, median: 0.00405, high: 0.0071, replies: 8 },
  isPretended: true,
  history: {
    historyTokens: 0,
    maxHistoryTokens: 12500,
    maxInputTokens: 200000,
    remaining: 199068,
    needsSummary: false,
    compaction: { enabled: true, trigger: 149301, percent: 0 },
  },
};
const FIRST_ROWS: readonly BlockView[] = [plainRow('System prompt', 'system', 1, 412)];

const CHART: ImageView = { blob: 'chart', mimeType: 'image/png', bytes: 128_412, width: 640, height: 480 };

const TITLE_REQUEST: OwnRequest = {
  ...{ attemptId: 't1', purpose: 'title', model: 'Claude Haiku 4.5' },
  asked: 'Write a title of at most six words for the conversation that follows. Answer with the title alone.',
  ...{ inputTokens: 214, outputTokens: 9, cost: 0.000777, isAtLeast: false, isPretended: false },
};

const TITLE: TitleEntry = {
  ...{ kind: 'title', id: 't1', status: 'done', title: 'How the tide of the harbour is predicted', isFirst: true, text: null },
  requests: [TITLE_REQUEST],
};

export const CONVERSATIONS: readonly PreviewState[] = [
  shown('Empty', [], {
    chats: [],
    chat: chat({ title: 'New chat', spent: null }),
    entries: [],
    context: [],
    contextRows: {},
    nextRequest: FIRST,
    nextRequestRows: {
      summary: 'No files',
      blocks: FIRST_ROWS,
      notSelected: NOTHING_LEFT_OUT,
      forgotten: NOTHING_FORGOTTEN,
      excludedTurns: NO_TURNS,
      available: NOTHING_AVAILABLE,
      servers: [],
      remarks: [],
    },
  }),
  shown('First chat', [], {}),
  shown('Streaming', [], {
    chat: chat({ running: true }),
    entries: [
      QUESTION,
      ANSWER,
      said('u2', 'And in a storm?', {}),
      replied('a2', [text('Wind and pressure add a **surge** that no constituent knows. For each hectopascal below the mean the w')], {
        status: 'streaming',
        usage: null,
        contextUsed: null,
      }),
    ],
    outputs: [{ entryId: 'a2', tokens: 27, isEstimate: true }],
  }),
  shown('Reasoning', ['a1:reasoning-0'], {
    entries: [
      QUESTION,
      replied(
        'a1',
        [
          {
            type: 'reasoning',
            text: 'The user asks about **prediction**, not about measurement. `src/predict.ts` has the sum.\n\nTwo constituents are enough to explain it.',
            ms: 12_400,
          },
          text('It sums harmonic constituents.'),
        ],
        {},
      ),
    ],
  }),
  shown('Ended early, with sources', ['a1:reasoning-0'], {
    entries: [
      QUESTION,
      replied('a1', [{ type: 'reasoning', text: '', ms: null }, text('It sums harmonic constituents, as the two')], {
        status: 'endedEarly',
        finishReason: 'insufficient_system_resource',
        usage: { ...USAGE, isAtLeast: true, isPretended: false },
        extras: [
          { type: 'source', url: 'https://tides.example/constituents', title: 'Harmonic constituents' },
          { type: 'source', url: 'https://tides.example/a-rather-long-address/of-a-table/that-has-no-title?year=2026', title: '' },
          { type: 'source', url: '', title: "Document 0 of a tool's results" },
          { type: 'image', mimeType: 'image/png', bytes: 128_412 },
        ],
      }),
    ],
  }),
  shown('Editing', ['t1:t1'], {
    entries: [
      QUESTION,
      ANSWER,
      TITLE,
      { ...TITLE, id: 't2', isFirst: false, title: 'Storm surges', status: 'done', requests: [{ ...TITLE_REQUEST, attemptId: 't2' }] },
      {
        ...TITLE,
        id: 't3',
        status: 'failed',
        title: null,
        requests: [{ ...TITLE_REQUEST, attemptId: 't3', inputTokens: null, outputTokens: null, cost: null }],
        text: 'The title was refused.',
      },
      { kind: 'fork', id: 'fork', chatId: 'origin', messageId: 'a1', sentAgain: null },
      {
        ...{ kind: 'fork', id: 'fork2', chatId: 'origin', messageId: 'u1' },
        sentAgain: { text: 'Sent again without AGENTS.md: $0.0123 instead of $0.0456', attemptId: 'a1' },
      },
      {
        ...{ kind: 'accounting', id: 'x1', reason: 'edited', isAfterError: false, discardedMessages: 2, rewindId: 'x1' },
        discarded: {
          requests: 2,
          uncachedTokens: 900,
          cachedTokens: 30_000,
          writtenTokens: 1_000,
          outputTokens: 612,
          cost: 0.0649,
          unknownRequests: 0,
        },
        soFar: {
          requests: 9,
          uncachedTokens: 9_000,
          cachedTokens: 90_000,
          writtenTokens: 9_000,
          outputTokens: 2_612,
          cost: 0.5554,
          unknownRequests: 0,
        },
      },
      said('u2', 'And in a storm?', { images: [CHART], versions: { number: 2, count: 2, earlier: 'x1', later: null } }),
    ],
    draft: { text: 'And in a storm from the north-west?', images: [CHART], revision: 1, edit: 0, editing: 'u2', isShortened: false },
  }),
  shown('Images', [], {
    entries: [
      said('u1', 'Does the harmonic prediction follow the gauge here, and where does the storm surge begin?', {
        images: [CHART, { ...CHART, blob: 'strip', width: 2_400, height: 90 }],
        imagesFirst: 1,
      }),
      replied('a1', [text('It follows the gauge until 14:00. From then on the measured level stands above the prediction.')], {}),
      said('u2', '', {
        images: [
          { ...CHART, blob: 'tall', width: 300, height: 1_200 },
          { ...CHART, blob: 'icon', bytes: 512, width: 16, height: 16 },
          { ...CHART, blob: 'gone' },
          { ...CHART, blob: 'scan', mimeType: 'image/tiff', bytes: null, width: null, height: null },
        ],
      }),
      replied('a2', [text('The first is a column of readings.')], {}),
    ],
  }),
  shown('Stopped', [], {
    entries: [
      QUESTION,
      replied('a1', [text('It sums harmonic constituents, one for each mo')], { status: 'stopped' }),
      note({ id: 'n1', status: 'stopped', text: 'Stopped', actions: [] }),
      said('u2', 'And in a storm?', {}),
      note({ id: 'n2', status: 'stopped', text: 'Stopped before any text arrived.', attemptId: 'a2', userMessageId: 'u2' }),
    ],
  }),
  shown('Queued message', [], {
    chats: [listed(CHAT_ID, 'How the tide is predicted', { running: true })],
    entries: [QUESTION, ANSWER, said('u2', 'And in a storm?', { status: 'queued' })],
  }),
];
