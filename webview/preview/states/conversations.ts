import type { BlockView, ExclusionPrice, ExclusionPrices } from '../../../src/protocol/panel/requestRows.js';
import type { OwnRequest, TitleEntry, ImageView } from '../../../src/protocol/panel/entries.js';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';
import type { PreviewState } from '../state.js';
import { ANSWER, CHAT_ID, NEXT, QUESTION, USAGE, chat, draft, listed, note, replied, requestRows, said, shown } from './parts.js';
import { SMALL_REQUEST, plainRow, text, withMessage } from '../views.js';
import { toolCall } from './toolCalls.js';

const PRICED: ExclusionPrice = { state: 'sent', tokens: 4_210, writtenAgain: 18_204, cost: 0.0628, saving: 0.001263, canWait: true };

const READ = toolCall('c1', 'read_file', '{"path":"docs/stations.md"}', {
  subject: 'docs/stations.md',
  durationMs: 212,
  result: { messageId: 't1', text: 'Cuxhaven, Husum, Dagebüll', images: [], cut: null, tokens: 3_198 },
});

const OTHERS = ['docs/gauges.md', 'docs/tables.md'].map((path, at) => ({
  ...toolCall(`c${String(at + 3)}`, 'read_file', JSON.stringify({ path }), { subject: path, durationMs: 96 }),
  result: { messageId: 't5', text: 'The gauge of Husum', images: [], cut: null, tokens: 1_020 },
}));

/** The prices of two tool calls. The user has excluded the first and can exclude the second. */
const OF_CALLS: ExclusionPrices = {
  ...PRICED,
  tokens: 1_062,
  saving: 0.000319,
  calls: {
    c3: { ...PRICED, state: 'out', tokens: 1_062, cost: 0.0663, saving: 0.000319 },
    c4: { ...PRICED, tokens: 1_062, saving: 0.000319 },
  },
};

const STATIONS = 'result 1 of read_file docs/stations.md';

/** Tool results that the next request sends as references: an equal result, and a result that has changed in part. */
export function repeatedResults(): PreviewState {
  const same = { label: 'read_file docs/stations.md', of: STATIONS, isChanged: false, saved: 3_141, messageId: 't2', callId: 'c2' };
  const changed = { ...same, isChanged: true, saved: 2_870, messageId: 't3', callId: 'c3' };
  return shown('Repeated tool results', ['next-request', 'next-request:repeats', 'u2:steps', 'u3:steps', 'a3:tools-0-0'], {
    entries: [
      said('u1', 'Which stations are there?', {}),
      replied('a1', [READ, text('There are three.')], {}),
      said('u2', 'And which of them has a gauge?', {}),
      replied('a2', [{ ...READ, callId: 'c2' }, text('Husum. I have added that to the list.')], {}),
      said('u3', 'Is the list correct now?', {}),
      replied('a3', [{ ...READ, callId: 'c3' }, text('Yes.')], {}),
    ],
    repeats: { a2: { c2: same }, a3: { c3: changed } },
    nextRequest: { ...NEXT, totalTokens: 4_508, inputCost: 0.0135, shares: [{ category: 'conversation', tokens: 4_470 }] },
    nextRequestRows: requestRows('No files', [plainRow('Conversation', 'conversation', 6, 4_470)], {
      repeats: { results: 2, saved: 6_011, first: [changed, same] },
    }),
  });
}

/** Turns and tool calls that the user excluded: removed from requests, still sent, or excluded in part. */
export function excludedTurns(): PreviewState {
  const carried: BlockView = { ...plainRow('Excluded content, still sent', 'conversation', 2, 4_210), isEarlier: true };
  return shown(
    'Excluded by you',
    [
      'next-request',
      'next-request:excludedTurns',
      'next-request:forgotten',
      'u3:steps',
      'u4:steps',
      'u5:steps',
      'a4:tools-0-0',
      'a5:tools-0-1',
    ],
    {
      entries: [
        { ...QUESTION, isExcluded: true },
        { ...ANSWER, excluded: 'turn' },
        said('u2', 'Try the older formula, from before the gauge was moved.', { isExcluded: true }),
        replied('a2', [text('With it the tide comes **eleven minutes** later.')], { excluded: 'turn' }),
        said('u3', 'Which stations are there?', {}),
        replied('a3', [text('I read the list.'), READ, text('There are three.')], { excluded: 'calls' }),
        said('u4', 'And which of them has a gauge?', {}),
        replied('a4', [{ ...READ, callId: 'c2' }, text('Husum.')], {}),
        said('u5', 'Since when?', {}),
        replied('a5', [...OTHERS, text('Since 1936.')], { excluded: { callIds: ['c3'] } }),
      ],
      exclusionPrices: {
        [QUESTION.id]: { ...PRICED, state: 'out', tokens: 912, cost: 0.0662, saving: 0.000274 },
        u2: { ...PRICED, state: 'leaving' },
        a3: { ...PRICED, state: 'out', tokens: 3_240, cost: 0.0751, saving: 0.000972 },
        u3: PRICED,
        u4: { ...PRICED, writtenAgain: 0, cost: 0 },
        a4: { ...PRICED, tokens: 3_240, saving: 0.000972 },
        a5: OF_CALLS,
      },
      nextRequest: { ...NEXT, totalTokens: 9_508, inputCost: 0.0135, shares: [{ category: 'conversation', tokens: 9_470 }] },
      nextRequestRows: requestRows('No files', [carried, plainRow('Conversation', 'conversation', 6, 5_260)], {
        excludedTurns: {
          total: 2,
          first: [
            { id: 'u2', label: 'Try the older formula, from before the gauge was moved.', tokens: 4_210, isHeld: true },
            { id: 'u1', label: 'How does it predict the tide?', tokens: 912, isHeld: false },
          ],
        },
        forgotten: {
          ...{ calls: 2, tokens: 4_302, replies: 2 },
          first: [
            { label: 'read_file docs/gauges.md', calls: 1, tokens: 1_062, reason: 'excluded by you', bringsBack: 'a5', callId: 'c3' },
            { label: 'read_file', calls: 1, tokens: 3_240, reason: 'excluded by you', bringsBack: 'a3' },
          ],
        },
      }),
    },
  );
}

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
    ...{ historyTokens: 0, maxHistoryTokens: 12500, maxInputTokens: 200000, remaining: 199068, needsSummary: false },
    compaction: { enabled: true, trigger: 149301, percent: 0 },
  },
};

const CHART: ImageView = { type: 'image', blob: 'chart', mimeType: 'image/png', bytes: 128_412, width: 640, height: 480 };

const TITLE_REQUEST: OwnRequest = {
  ...{ attemptId: 't1', purpose: 'title', model: 'Claude Haiku 4.5' },
  asked: 'Write a title of at most six words for the conversation that follows. Answer with the title alone.',
  ...{ inputTokens: 214, outputTokens: 9, cost: 0.000777, isAtLeast: false, isPretended: false },
};

const NO_TITLE: TitleEntry = {
  ...{ kind: 'title', id: 't1', text: 'The model refused to write a title. Choose another model.' },
  requests: [{ ...TITLE_REQUEST, inputTokens: null, outputTokens: null, cost: null }],
};

const used = (promptTokens: number, cacheReadInputTokens: number, cacheCreationInputTokens: number, completionTokens: number) => ({
  ...{ promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens, unknownAttempts: 0 },
});

export const CONVERSATIONS: readonly PreviewState[] = [
  shown('Empty', [], {
    chats: [],
    chat: chat({ title: 'New chat', spent: null }),
    entries: [],
    context: [],
    contextRows: {},
    nextRequest: FIRST,
    nextRequestRows: requestRows('No files', [plainRow('System prompt', 'system', 1, 412)], {}),
  }),
  shown('First chat', [], { chat: chat({ titleRun: { status: 'done', requests: [TITLE_REQUEST] } }) }),
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
    outputs: [{ entryId: 'a2', tokens: 27, isEstimate: true, cost: 0.0214, isPretended: false }],
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
          { type: 'image', mimeType: 'image/png', bytes: 128_412, blob: null },
        ],
      }),
    ],
  }),
  shown('Editing', ['t1:t1'], {
    entries: [
      QUESTION,
      ANSWER,
      NO_TITLE,
      { kind: 'fork', id: 'fork', chatId: 'origin', messageId: 'a1', sentAgain: null },
      {
        ...{ kind: 'fork', id: 'fork2', chatId: 'origin', messageId: 'u1' },
        sentAgain: { text: 'Sent again without AGENTS.md: $0.0123 instead of $0.0456', attemptId: 'a1' },
      },
      {
        ...{ kind: 'accounting', id: 'x1', reason: 'edited', isAfterError: false, discardedMessages: 2, rewindId: 'x1' },
        discarded: { attempts: 2, ...used(900, 30_000, 1_000, 612), cost: 0.0649 },
        soFar: { attempts: 9, ...used(9_000, 90_000, 9_000, 2_612), cost: 0.5554 },
      },
      said('u2', 'And in a storm?', { images: [CHART], versions: { number: 2, count: 2, earlier: 'x1', later: null } }),
    ],
    draft: draft('And in a storm from the north-west?', { revision: 1, editing: 'u2' }),
    withMessage: [withMessage('image', 'Image 1', 1_092, { isEstimate: true, price: 0.0033, image: CHART })],
  }),
  shown('Images', [], {
    entries: [
      said('u1', 'Does the harmonic prediction follow the gauge here, and where does the storm surge begin?', {
        images: [CHART, { ...CHART, blob: 'strip', width: 2_400, height: 90 }],
        imagesFirst: 1,
        imageTokens: { tokens: 2_184, isEstimate: true },
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
  shown('Images of replies', [], {
    entries: [
      said('u1', 'Draw the tide curve of a day with a storm surge.', {}),
      replied('a1', [text('Here is the curve:'), CHART, text('The surge begins at 14:00. Shall I mark the high tides?')], {}),
      said('u2', 'Yes, and make the sky darker. Show me three drafts.', {}),
      replied(
        'a2',
        [
          { ...CHART, blob: 'first', width: 1_024, height: 1_024 },
          { ...CHART, blob: 'second', width: 1_024, height: 1_024 },
          { ...CHART, blob: 'third', width: 576, height: 1_024 },
          { ...CHART, blob: 'gone', width: 1_024, height: 1_024 },
          { ...CHART, blob: 'poster', bytes: 11_400_000, width: 4_096, height: 4_096 },
          { ...CHART, blob: 'photo', mimeType: 'image/heic', width: null, height: null },
        ],
        {},
      ),
    ],
  }),
  shown('With this message', [], {
    entries: [QUESTION, ANSWER],
    draft: draft('Is this curve what you expect of a gauge?', { revision: 1 }),
    withMessage: [
      withMessage('image', 'Screenshot 1.png', 1_092, { price: 0.0033, detail: 'image/png, 640 × 480, 125 KB', image: CHART }),
      withMessage('image', 'a scan of the old paper chart of the harbour.tif', 1_600, {
        isEstimate: true,
        price: 0.0048,
        warning: 'Too large',
        scaled: { longestEdge: 1_568, mostBytes: 3_932_160, tokens: 1_568, price: 0.0047 },
        image: { ...CHART, blob: 'gone' },
      }),
      withMessage('page', 'unicode.org/reports/tr29', 2_148, { price: 0.0064 }),
      withMessage('editor', 'Editor: heap.ts:40-88', 1_136, { price: 0.0033 }),
    ],
  }),
  shown('Stopped', [], {
    entries: [
      QUESTION,
      replied('a1', [text('It sums harmonic constituents, one for each mo')], { status: 'stopped' }),
      note({ id: 'n1', status: 'stopped', text: 'Stopped', actions: [] }),
      said('u2', 'And in a storm?', {}),
      note({ id: 'n2', status: 'stopped', text: 'The reply was stopped before any text arrived.', attemptId: 'a2', userMessageId: 'u2' }),
    ],
  }),
  shown('Queued message', [], {
    chats: [listed(CHAT_ID, 'How the tide is predicted', { running: true })],
    entries: [QUESTION, ANSWER, said('u2', 'And in a storm?', { status: 'queued' })],
  }),
  shown('Queued messages after a failure', [], {
    entries: [
      QUESTION,
      ANSWER,
      said('u2', 'And in a storm?', { status: 'unsent' }),
      note({ userMessageId: 'u2', text: 'House AI is overloaded or unavailable right now (HTTP 503).', actions: ['retry', 'selectModel'] }),
      said('u3', 'And at the coast?', { status: 'queued' }),
      said('u4', 'Then compare the three predictions with the gauge of the harbour.', { status: 'queued' }),
    ],
  }),
];
