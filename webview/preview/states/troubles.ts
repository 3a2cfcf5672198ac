import type { PreviewState } from '../state.js';
import { ANSWER, chat, MINUTE, NEXT, note, QUESTION, replied, said, NOTHING_LEFT_OUT, shown } from './parts.js';
import { plainRow, text, NOTHING_FORGOTTEN } from '../views.js';

const UNSENT = said('u2', 'And in a storm?', { status: 'unsent' });

const NO_ROOM = [
  'src/predict.ts was cut to fit: 1,874 of 6,120 tokens.',
  'data/tides.json was dropped: no room for its 41,310 tokens.',
] as const;

const FILE = { includeMode: 'manual', score: null, tokens: null, ofTokens: null, notSelectedReason: null } as const;

/** A model whose context size is unknown. */
const LOCAL = { provider: 'office', model: 'qwen2.5-coder-32b', label: 'Qwen 2.5 Coder 32B' } as const;

/** States with a problem that the user must know about and can solve. */
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
        actions: ['setApiKey', 'retry', 'selectModel', 'showLog'],
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
  shown('Over budget', [], {
    nextRequest: {
      ...NEXT,
      totalTokens: 9_412,
      budget: 7_680,
      limit: 8_192,
      shares: NEXT.shares.map((share) => (share.category === 'conversation' ? { ...share, tokens: 6_185 } : share)),
      inputCost: 0.028236,
      forecast: null,
      mayBeCached: true,
      reply: { low: 0.0012, median: 0.00405, high: 0.0071, replies: 8 },
      problem:
        "Too long: 9,412 tokens, limit 7,680. Largest: message 2,048, system prompt 412. The limit is the chat's own. Summarize the conversation, start a new chat, or raise the limit in the chat settings.",
      isOwnLimit: true,
      offersSummary: true,
      shortening: null,
    },
    draft: { text: 'One question more', images: [], revision: 0, edit: 0, editing: null, isShortened: false },
  }),
  shown('An assumed limit', [], { nextRequest: { ...NEXT, totalTokens: 5_537, budget: 7_680, limit: 8_192, assumedLimit: LOCAL } }),
  shown('Over an assumed limit', [], {
    nextRequest: {
      ...NEXT,
      totalTokens: 9_412,
      budget: 7_680,
      limit: 8_192,
      shares: NEXT.shares.map((share) => (share.category === 'conversation' ? { ...share, tokens: 6_185 } : share)),
      inputCost: null,
      forecast: null,
      reply: null,
      assumedLimit: LOCAL,
      problem:
        "Too long: 9,412 tokens, limit 7,680. Largest: message 2,048, system prompt 412. The context size of Qwen 2.5 Coder 32B is unknown: Loupe assumes 8,192 tokens. Summarize the conversation, start a new chat, or set the model's context size.",
      offersSummary: true,
    },
  }),
  shown('A message that is too long', [], {
    nextRequest: {
      ...NEXT,
      totalTokens: 21_412,
      budget: 7_680,
      limit: 8_192,
      shares: NEXT.shares.map((share) => (share.category === 'conversation' ? { ...share, tokens: 18_185 } : share)),
      inputCost: 0.064236,
      forecast: null,
      mayBeCached: true,
      problem:
        "Too long: 21,412 tokens, limit 7,680. Largest: your message 17,048. The limit is the model's. Shorten your message, or choose a model with a larger context.",
      shortening: { cost: 0.1043 },
    },
    draft: {
      images: [],
      text: 'Here is the log of last night:\n\n[2024-03-02 21:04] gauge 17: 4.2 m',
      revision: 0,
      edit: 0,
      editing: null,
      isShortened: false,
    },
  }),
  shown('A message that the model has shortened', [], {
    draft: {
      text: 'The log of last night: gauge 17 read 4.2 m at 21:04. Why?',
      images: [],
      revision: 0,
      edit: 0,
      editing: null,
      isShortened: true,
    },
  }),
  shown('No room for files', ['a1:context'], {
    nextRequest: { ...NEXT, warnings: NO_ROOM },
    contextRows: {
      a1: {
        groups: [
          {
            type: 'file',
            items: [
              { ...FILE, name: 'src/predict.ts', file: 'file:src/predict.ts', tokens: 1_874, ofTokens: 6_120 },
              { ...FILE, name: 'docs/stations.md', file: 'file:docs/stations.md', tokens: 903 },
              { ...FILE, name: 'data/tides.json', file: 'file:data/tides.json', notSelectedReason: 'no room' },
            ],
          },
        ],
        blocks: [plainRow('System prompt', 'system', 1, 412)],
        notSelected: NOTHING_LEFT_OUT,
        forgotten: NOTHING_FORGOTTEN,
        picks: null,
        framingTokens: 38,
        adaptations: [],
        warnings: NO_ROOM,
        window: { kind: 'unknown' },
      },
    },
    context: [
      {
        ...{ key: 'file:src/stations.ts', name: 'src/stations.ts', files: null, tokens: 2_310 },
        warning: {
          kind: 'leaving',
          text: 'Removed, but still sent. Loupe stops sending it when that costs nothing extra. Remove it again to stop sending it now: 31,204 tokens are then written to the cache again, for about $0.11.',
        },
      },
      { key: 'file:src/predict.ts', name: 'src/predict.ts', files: null, tokens: 1_874, warning: { kind: 'cut', text: NO_ROOM[0] } },
      { key: 'file:docs/stations.md', name: 'docs/stations.md', files: null, tokens: 903, warning: null },
      { key: 'file:data/tides.json', name: 'data/tides.json', files: null, tokens: null, warning: { kind: 'refused', text: NO_ROOM[1] } },
    ],
  }),
  shown('Read-only', [], {
    chat: chat({ readOnly: 'This chat needs a newer version of Loupe. You can read it; update to continue.' }),
    nextRequest: null,
  }),
  shown('Damaged', ['damage:chat'], {
    chat: chat({
      earlierMessages: 120,
      damage: {
        label: 'Damaged: lines 3, 14 and 15',
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
          { label: 'Try again', action: 'retryStorage', argument: '' },
          { label: 'Export...', action: 'exportChat', argument: 'chat' },
          { label: 'Copy chat', action: 'copyChat', argument: 'chat' },
        ],
      },
      {
        id: 'settings',
        severity: 'warning',
        text: 'Two entries of loupe.providers are not valid.',
        actions: [
          { label: 'Open settings', action: 'openSettings', argument: '' },
          { label: 'Dismiss', action: 'dismiss', argument: '' },
        ],
      },
      {
        id: 'deleted',
        severity: 'info',
        text: '"Stations of the north" was deleted.',
        actions: [
          { label: 'Undo', action: 'undoDelete', argument: 'x' },
          { label: 'Dismiss', action: 'dismiss', argument: '' },
        ],
      },
    ],
  }),
];

/**
 * A request that is retried.
 *
 * @param now - epoch milliseconds
 */
export function waiting(now: number): PreviewState {
  return shown('Retry', [], {
    chat: chat({ running: true }),
    entries: [
      QUESTION,
      {
        kind: 'failedAttempt',
        status: 429,
        id: 'x1',
        text: 'House AI is overloaded or unavailable right now (HTTP 503).',
        at: now - MINUTE,
        durationMs: 312,
        waitMs: 1_204,
      },
      {
        kind: 'retry',
        id: 'retry',
        attemptId: 'x2',
        text: 'House AI: Rate limit reached.',
        at: now + 10 * MINUTE,
        number: 2,
        most: 4,
      },
    ],
  });
}
