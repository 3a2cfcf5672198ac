import type { OutlineRow, SummaryDraftView, SummaryPlanView, SummaryPreviewView } from '../../../src/protocol/panel/compaction.js';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';
import type { IdleView } from '../../../src/protocol/panel/idle.js';
import type { KeepWarmEntry, OwnRequest, SummaryEntry } from '../../../src/protocol/panel/entries.js';
import type { PreviewState } from '../state.js';
import { FORECAST } from './spending.js';
import { ANSWER, NEXT, QUESTION, UNREAD, chat, replied, said, shown, shownAfter } from './parts.js';
import { text } from '../views.js';

const SUMMARY_REQUEST: OwnRequest = {
  ...{ attemptId: 'w1', purpose: 'summary', model: 'Claude Sonnet 4.5' },
  asked:
    'Summarize the conversation above in at most 637 tokens. Keep key facts, constraints, decisions, action items, and unresolved questions.',
  ...{ inputTokens: 71_204, outputTokens: 612, cost: 0.0313, isAtLeast: false, isPretended: false },
};

const TOPIC_REQUEST: OwnRequest = {
  ...{ ...SUMMARY_REQUEST, attemptId: 'w0', purpose: 'topic', model: 'Claude Haiku 4.5', asked: null },
  ...{ inputTokens: 9_412, outputTokens: 44, cost: 0.0134 },
};

const SUMMARY: SummaryEntry = {
  kind: 'summary',
  id: 's1',
  text:
    '**Goal:** predict the tide of a station, API unchanged.\n\n' +
    '- Two constituents, `M2` and `S2`, explain most of it.\n- Decided: a table of constituents for each station.\n\n' +
    'Open: does a storm surge belong into `predict()`?',
  status: 'active',
  form: 'written',
  messages: 34,
  tokens: { before: 31_866, after: 612 },
  lines: 12,
  pins: 1,
  window: { summary: 612, kept: 1_204 },
  kept: [
    { label: 'Constraints', kept: 9, all: 9, lost: [] },
    { label: 'File paths', kept: 11, all: 13, lost: ['src/old/merge.ts', 'test/unit/stations/constituents/radix.test.ts'] },
    { label: 'Error texts', kept: 3, all: 4, lost: ['TypeError: undefined is no station'] },
  ],
  ...{ requests: [TOPIC_REQUEST, SUMMARY_REQUEST], paidRequests: 2, cost: 0.0447, isAtLeast: false, isPretended: false },
};

const LATER = [
  said('u2', 'And in a storm?', {}),
  replied('a2', [text('Wind and pressure add a **surge** that no constituent knows.')], {}),
];

/**
 * States with a summary of the conversation.
 *
 * @param now - epoch milliseconds
 */
export function summaries(now: number): readonly PreviewState[] {
  return [...DONE, ...FORECAST, ...PREVIEWED, writing(now), summarizing(now), awaited(now), ...idle(now), failed(now), CANCELLED, PINNED];
}

const DONE: readonly PreviewState[] = [
  shown('Checkpoint, needed again', ['s1:kept-File paths'], {
    entries: [QUESTION, ANSWER, SUMMARY, ...LATER],
    neededAgain: { paths: 1, identifiers: 0, tokens: 1_204, cost: 0.004515 },
    nextRequest: { ...NEXT, rewritten: 'whole' },
  }),
  shown('Checkpoint', ['s1:kept-File paths', 's1:requests', 's1:w1'], { entries: [QUESTION, ANSWER, SUMMARY, ...LATER] }),
  shown('Checkpoints one after another', ['s2:text'], {
    entries: [
      QUESTION,
      { ...SUMMARY, id: 's0', status: 'undone' },
      { ...SUMMARY, messages: null, kept: [], pins: 0, lines: 0, status: 'replaced' },
      said('u2', 'And in a storm?', {}),
      {
        ...SUMMARY,
        id: 's2',
        messages: 36,
        kept: [],
        pins: 0,
        lines: 1,
        tokens: { before: 1_866, after: 401 },
        requests: [SUMMARY_REQUEST],
        cost: 0.0313,
      },
    ],
  }),
];

const outlined = (id: string, role: OutlineRow['role'], text: string, tokens: number): OutlineRow => ({
  ...{ id, role, text, tokens, isPinned: false, isReplaced: false, endsTurn: role !== 'user' },
});

const replaced = (...row: Parameters<typeof outlined>): OutlineRow => ({ ...outlined(...row), isReplaced: true });

const PLAN: SummaryPlanView = {
  upTo: 'm4',
  messages: 33,
  of: 46,
  tokens: 31_866,
  earlierSummary: null,
  summaryTokens: 637,
  requestTokens: 71_204,
  basis: 'exact',
  rows: [
    replaced('m1', 'user', 'Try a radix tree first?', 412),
    replaced('m2', 'assistant', 'A radix tree needs a full walk for each station that is asked for.', 1_204),
    { ...outlined('m3', 'user', 'Never change the ranks.', 38), isPinned: true },
    replaced('m4', 'tool-results', 'read_file, read_file', 2_210),
    outlined('m5', 'user', 'Why is countTokens slow?', 64),
    outlined('m6', 'assistant', 'The merge loop scanned every part.', 1_980),
  ],
  earlier: { messages: 30, tokens: 28_040, rows: null },
  later: { messages: 10, tokens: 13_982, rows: null },
  shorter: 'm2',
  longer: 'm6',
  price: { cost: 0.0313, isMost: true, isPretended: false, rewriting: 0.0661, saving: 0.009376, paysFrom: 11 },
};

/** The plan of a written summary, whose cost is known. */
const WRITTEN: SummaryPlanView = {
  ...PLAN,
  price: { cost: 0.0307, isMost: false, isPretended: false, rewriting: 0.0661, saving: 0.009376, paysFrom: 11 },
};

const DRAFT: SummaryDraftView = {
  written: SUMMARY.text,
  text: SUMMARY.text,
  tokens: 612,
  mostTokens: 637,
  kept: SUMMARY.kept,
  keptHeading: 'Kept word for word:',
};

function previewed(name: string, open: readonly string[], change: Partial<SummaryPreviewView>): PreviewState {
  const summaryPreview = { plan: PLAN, draft: null, hasText: false, work: null, ...change };
  return shown(name, open, { entries: [QUESTION, ANSWER], summaryPreview });
}

const PREVIEWED: readonly PreviewState[] = [
  shown('A summary is due', [], {
    entries: [QUESTION, ANSWER],
    compaction: { kind: 'due', upTo: 'm', messages: 34, tokens: 31_866, summaryTokens: 637, why: null },
  }),
  previewed('Before a summary is written', [], {}),
  previewed('What a later summary replaces', [], {
    plan: {
      ...PLAN,
      tokens: 32_478,
      earlierSummary: 612,
      summaryTokens: 650,
      earlier: {
        messages: 30,
        tokens: 28_040,
        rows: [
          replaced('m-2', 'user', 'Compare it with the gauge.', 64),
          replaced('m-1', 'assistant', 'The gauge is 4 cm off at spring tide.', 812),
        ],
      },
    },
    hasText: true,
  }),
  previewed('Before a summary is used', ['summary-pane:kept-File paths'], { plan: WRITTEN, draft: DRAFT }),
  previewed('A summary over its limit', [], { plan: WRITTEN, draft: { ...DRAFT, tokens: 648 } }),
  previewed('The summary in use is edited', [], { plan: null, draft: DRAFT }),
  previewed('A summary that could not be written', [], {
    hasText: true,
    work: { kind: 'failed', text: 'The model sent an empty summary.', detail: null, upTo: 'm4', attemptId: 'attempt', failedAttempts: [] },
  }),
  shown('A preview that a change has closed', [], { entries: [QUESTION, ANSWER], compaction: { kind: 'outdated', madeRoom: false } }),
  shown('A preview that a message has closed, which needed room', [], {
    entries: [QUESTION, ANSWER],
    compaction: { kind: 'outdated', madeRoom: true },
  }),
];

/** The state while the model writes the summary. The user can already review the messages to summarize. */
function writing(now: number): PreviewState {
  return previewed('A summary is written before it is used', [], {
    work: { kind: 'running', messages: 33, startedAt: now - 8_200, tokens: 240, mostTokens: 637, isAwaited: false },
  });
}

function summarizing(now: number): PreviewState {
  return shown('Summarizing', [], {
    compaction: { kind: 'running', messages: 34, startedAt: now - 8_200, tokens: 240, mostTokens: 637, isAwaited: false },
  });
}

const KEPT_WARM: KeepWarmEntry = {
  ...{ kind: 'keepWarm', id: 'w1', cost: 0.0282, isAtLeast: false, isPretended: false, paidRequests: 2 },
  requests: ['w1', 'w2'].map((attemptId) => ({
    ...{ attemptId, purpose: 'keepWarm', asked: null, model: 'claude-sonnet-4.5', isAtLeast: false, isPretended: false },
    ...{ inputTokens: 47_012, outputTokens: 1, cost: 0.0141 },
  })),
};

const IDLE: IdleView = {
  ...{ kind: 'offered', tokens: 47_112, expiresAt: Date.now() + 239_000, cold: 0.1911, summary: 0.0312 },
  keepWarm: { cost: 0.0564, time: 1_320_000 },
};

function idle(now: number): readonly PreviewState[] {
  const entries = [QUESTION, ANSWER];
  const expired: NextRequestView = {
    ...{ ...UNREAD, totalTokens: 150_417, inputCost: 0.6122 },
    uncached: { reason: { kind: 'expired', at: now - 60_000, isPartly: false }, way: 'longer' },
    forecast: UNREAD.forecast === null ? null : { ...UNREAD.forecast, parts: { read: 0, written: 150_342, fresh: 75 }, costAfter: 0.6122 },
  };
  return [
    shown('The cache expires soon', [], { entries, idle: IDLE }),
    shown('The cache has expired', [], { entries, nextRequest: expired, idle: { kind: 'expired', more: 0.5627, summary: null } }),
    shown('The cache has expired, and a summary pays', [], {
      entries,
      nextRequest: expired,
      idle: { kind: 'expired', more: 0.5627, summary: { cost: 0.5131, saving: 0.0411 } },
    }),
    shown('The cache is kept warm', ['w1'], {
      entries: [...entries, KEPT_WARM],
      idle: { kind: 'warm', until: now + 1_080_000, spent: 0.0282, requests: 2 },
    }),
    shown('The cache was not kept warm', [], {
      entries,
      idle: {
        kind: 'note',
        text: 'Loupe no longer keeps the cache warm. The provider did not read its cache and charged $0.1621. Loupe no longer offers this for claude-sonnet-4.5.',
      },
    }),
  ];
}

/** The state while a message waits for a summary, because the request is too long without the summary. */
function awaited(now: number): PreviewState {
  return shown('A message waits for a summary', [], {
    chat: chat({ running: true }),
    entries: [QUESTION, ANSWER, said('u2', 'And in a storm?', {})],
    compaction: { kind: 'running', messages: 34, startedAt: now - 8_200, tokens: 240, mostTokens: 637, isAwaited: true },
  });
}

function failed(now: number): PreviewState {
  return shown('Failed summary', ['summary-failed:chat'], {
    compaction: {
      kind: 'failed',
      text: 'The model sent an empty summary.',
      detail: 'claude-sonnet-4.5 ended its reply with no text: stop_reason end_turn',
      upTo: null,
      attemptId: 'attempt',
      failedAttempts: [
        {
          id: 'attempt-1',
          text: 'Anthropic is overloaded.',
          status: 529,
          at: now - 9_000,
          durationMs: 1_200,
          waitMs: 2_000,
          ...{ isUnbilled: true, cost: null, isAtLeast: false, isPretended: false },
        },
      ],
    },
  });
}

const CANCELLED: PreviewState = shown('Cancelled summary', [], { compaction: { kind: 'cancelled' } });

/** Pinned messages. The menu of the first one is open. */
const PINNED: PreviewState = shownAfter('Pinned messages', [], [{ press: 'More' }], {
  entries: [
    said('u0', 'Never change the ranks of the constituents, and keep the API as it is, for all stations of the north.', { isPinned: true }),
    replied('a0', [text('Right: ranks are data, only their order may change.')], { isPinned: true }),
  ],
});
