import type { BannerAction } from '../../../src/protocol/panel/view.js';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';
import type { FailedAttempt } from '../../../src/protocol/panel/entries.js';
import type { PreviewState } from '../state.js';
import { ANSWER, chat, contextRows, draft, MINUTE, NEXT, note, QUESTION, replied, said, shown } from './parts.js';
import { fileItem, plainRow, text } from '../views.js';

const UNSENT = said('u2', 'And in a storm?', { status: 'unsent' });

const CUT = { status: 'cutOff', canContinue: true } as const;

const NO_ROOM = [
  'Loupe cut src/predict.ts to fit: 1,874 of its 6,120 tokens remain.',
  'Loupe dropped data/tides.json: the request has no room for its 41,310 tokens.',
] as const;

const LOCAL = { provider: 'office', model: 'qwen2.5-coder-32b', label: 'Qwen 2.5 Coder 32B' } as const;

const action = (label: string, name: BannerAction['action'], argument: string): BannerAction => ({ label, action: name, argument });

/** A request of `totalTokens` tokens, which is too long for a small context window. */
const tooLong = (totalTokens: number, conversation: number, changes: Partial<NextRequestView>): NextRequestView => ({
  ...{ ...NEXT, totalTokens, budget: 7_680, limit: 8_192, forecast: null },
  shares: NEXT.shares.map((share) => (share.category === 'conversation' ? { ...share, tokens: conversation } : share)),
  ...changes,
});

/** States with a problem that the user can solve. */
export const TROUBLES: readonly PreviewState[] = [
  shown('Failed run', ['note:detail'], {
    entries: [
      QUESTION,
      ANSWER,
      UNSENT,
      note({
        userMessageId: 'u2',
        text: 'Cloud rejected the key.',
        detail: 'HTTP 401\n{"error": {"type": "authentication_error", "message": "invalid x-api-key"}}',
        actions: ['setKeyAndRetry', 'retry'],
      }),
    ],
  }),
  shown('A reply of nothing, and one that may have been billed', [], {
    entries: [
      QUESTION,
      replied('a1', [], {}),
      UNSENT,
      note({
        userMessageId: 'u2',
        text: 'gateway.example:443 closed the connection before it answered. The request may have been billed, so Loupe did not repeat it.',
        detail: 'TypeError: fetch failed; caused by: SocketError: other side closed',
      }),
    ],
  }),
  shown('A reply at its maximum length', [], {
    entries: [QUESTION, replied('a1', [text('The prediction sums harmonic constituents, one for each motion of moon and')], CUT)],
  }),
  shown('Over budget', [], {
    nextRequest: tooLong(9_412, 6_185, {
      inputCost: 0.028236,
      mayBeCached: true,
      reply: { low: 0.0012, median: 0.00405, high: 0.0071, replies: 8 },
      problem:
        'The request is too long: 9,412 tokens, limit 7,680. Largest parts: message 2,048, system prompt 412. This limit is set in the chat settings. Summarize the conversation, start a new chat, or raise the limit there.',
      isOwnLimit: true,
      offersSummary: true,
      shortening: null,
    }),
    draft: draft('One question more', {}),
  }),
  shown('An assumed limit', [], { nextRequest: { ...NEXT, totalTokens: 5_537, budget: 7_680, limit: 8_192, assumedLimit: LOCAL } }),
  shown('Over an assumed limit', [], {
    nextRequest: tooLong(9_412, 6_185, {
      inputCost: null,
      reply: null,
      assumedLimit: LOCAL,
      problem:
        "The request is too long: 9,412 tokens, limit 7,680. Largest parts: message 2,048, system prompt 412. The context size of Qwen 2.5 Coder 32B is unknown: Loupe assumes 8,192 tokens. Summarize the conversation, start a new chat, or set the model's context size.",
      offersSummary: true,
    }),
  }),
  shown('A message that is too long', [], {
    nextRequest: tooLong(21_412, 18_185, {
      inputCost: 0.064236,
      mayBeCached: true,
      problem:
        'The request is too long: 21,412 tokens, limit 7,680. Largest parts: your message 17,048. This is the limit of the model. Shorten your message, or choose a model with a larger context.',
      shortening: { cost: 0.1043 },
    }),
    draft: draft('Here is the log of last night:\n\n[2024-03-02 21:04] gauge 17: 4.2 m', {}),
  }),
  shown('A message that the model has shortened', [], {
    draft: draft('The log of last night: gauge 17 read 4.2 m at 21:04. Why?', { isShortened: true }),
  }),
  shown('No room for files', ['a1:context'], {
    nextRequest: { ...NEXT, warnings: NO_ROOM },
    contextRows: {
      a1: contextRows(
        [
          {
            type: 'file',
            items: [
              fileItem('src/predict.ts', 1_874, { ofTokens: 6_120 }),
              fileItem('docs/stations.md', 903, {}),
              fileItem('data/tides.json', null, { notSelectedReason: 'no room' }),
            ],
          },
        ],
        [plainRow('System prompt', 'system', 1, 412)],
        { framingTokens: 38, warnings: NO_ROOM, window: { kind: 'unknown' } },
      ),
    },
    context: [
      {
        ...{ key: 'file:src/stations.ts', name: 'src/stations.ts', files: null, tokens: 2_310 },
        warning: {
          kind: 'leaving',
          text: 'You removed this item, but requests still contain it. Loupe stops sending it when the removal costs nothing extra. To stop sending it now, remove the item again. The provider then writes 31,204 tokens to its cache again, for about $0.11.',
        },
      },
      { key: 'file:src/predict.ts', name: 'src/predict.ts', files: null, tokens: 1_874, warning: { kind: 'cut', text: NO_ROOM[0] } },
      { key: 'file:docs/stations.md', name: 'docs/stations.md', files: null, tokens: 903, warning: null },
      { key: 'file:data/tides.json', name: 'data/tides.json', files: null, tokens: null, warning: { kind: 'refused', text: NO_ROOM[1] } },
    ],
  }),
  shown('Read-only', [], {
    chat: chat({ readOnly: 'This chat needs a newer version of Loupe. You can read it. Update Loupe to continue it.' }),
    nextRequest: null,
  }),
  shown('Damaged', ['damage:chat'], {
    chat: chat({
      earlierMessages: 120,
      damage: {
        label: 'Damaged log: lines 3, 14 and 15',
        files: [{ file: 'window-1f3a.jsonl', notes: ['Line 3: its checksum is wrong.', 'Lines 14 and 15: they are torn.'] }],
        others: ['An image is missing.'],
      },
    }),
    entries: [QUESTION, replied('a1', [text('Only the beginning has arr')], { status: 'interrupted', usage: null, contextUsed: null })],
  }),
  shown('Banners', [], {
    banners: [
      {
        id: 'storage',
        severity: 'error',
        text: 'This chat cannot be saved: the disk is full. What is said from now on is kept in memory only.',
        actions: [
          action('Try again', 'retryStorage', ''),
          action('Export...', 'exportChat', 'chat'),
          action('Copy chat', 'copyChat', 'chat'),
        ],
      },
      {
        id: 'settings',
        severity: 'warning',
        text: 'Two entries of loupe.providers are not valid.',
        actions: [action('Open settings', 'openSettings', ''), action('Dismiss', 'dismiss', '')],
      },
      {
        id: 'deleted',
        severity: 'info',
        text: 'The chat "Stations of the north" was deleted.',
        actions: [action('Undo', 'undoDelete', 'x'), action('Dismiss', 'dismiss', '')],
      },
    ],
  }),
];

/** Failed requests, one second apart. `now` in epoch milliseconds. */
function failures(count: number, now: number, ofAttempt: (at: number) => Pick<FailedAttempt, 'text' | 'status'>): FailedAttempt[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{ id: `x${String(at)}`, ...ofAttempt(at), at: now - (count - at) * MINUTE, durationMs: 312 },
    ...{ waitMs: at === count - 1 ? null : 1_204, isUnbilled: true, cost: null, isAtLeast: false, isPretended: false },
  }));
}

const LIMITED = { text: 'House AI: Rate limit reached.', status: 429 };
const BUSY = { text: 'House AI is overloaded or unavailable right now (HTTP 503).', status: 503 };

/** States with failed requests. `now` in epoch milliseconds. */
export function failed(now: number): readonly PreviewState[] {
  return [
    shown('Retry', ['retry:detail'], {
      chat: chat({ running: true }),
      entries: [
        QUESTION,
        {
          ...{ kind: 'retry', id: 'retry', attemptId: 'x1', text: `Failed 2 times, for several reasons. The last: ${LIMITED.text}` },
          failures: failures(2, now, (at) => (at === 0 ? BUSY : LIMITED)),
          ...{ at: now + 10 * MINUTE, number: 2, most: 4 },
        },
      ],
    }),
    shown('A failure before a reply', [], {
      entries: [
        { ...QUESTION, status: 'unsent' },
        note({ userMessageId: QUESTION.id, text: 'Cloud rejected the key.', actions: ['retry'], isLast: false }),
        said('u2', 'And in a storm?', {}),
        replied('a2', [text('The wind adds a surge, which no tide table contains.')], {}),
      ],
    }),
    shown('Failed 5 times', ['note:detail'], {
      entries: [
        QUESTION,
        ANSWER,
        UNSENT,
        note({
          ...{ userMessageId: 'u2', text: `Failed 5 times: ${BUSY.text}`, detail: 'HTTP 503: no healthy upstream', attemptId: 'x4' },
          ...{ failures: failures(5, now, () => BUSY), actions: ['selectModel', 'retry'] },
        }),
      ],
    }),
    shown('Wrong address', [], {
      entries: [
        UNSENT,
        note({
          ...{ userMessageId: 'u2', text: 'House AI found nothing at this address (HTTP 404). Check the base URL.', attemptId: 'x0' },
          actions: ['editProvider', 'retry'],
        }),
      ],
    }),
    shown('Failed before the reply', ['a1:context'], {
      entries: [QUESTION, { ...ANSWER, failures: failures(3, now, (at) => (at === 2 ? LIMITED : BUSY)) }],
    }),
  ];
}
