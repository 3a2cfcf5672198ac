import { CHAT_TEXTS, ITEM_PROOF, MANAGER } from './managed.js';
import { countSteps, isStep, turnsOf } from '../../../src/protocol/panel/turnSteps.js';
import type { EntryView, RunNoteEntry, UserEntry, AssistantEntry, PartView, UsageLine } from '../../../src/protocol/panel/entries.js';
import type { ExcludedTurns, NotSelectedItems, BlockView, ContextRows, ReplyWindowView } from '../../../src/protocol/panel/requestRows.js';
import type { ChatListItem, ChatView, ModelView } from '../../../src/protocol/panel/view.js';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import {
  assistantEntry,
  contextItem,
  EMPTY_PANEL,
  fileItem,
  fileRow,
  NOTHING_AVAILABLE,
  NOTHING_FORGOTTEN,
  NOTHING_REPEATED,
  plainRow,
  SMALL_REQUEST,
  text,
  userEntry,
} from '../views.js';
import type { PreviewState } from '../state.js';
import { SETTINGS } from './settings.js';

/* Parts of the states. The ids and figures are invented, but consistent. */

export const MINUTE = 60_000;

export const CHAT_ID = 'chat';

/** The times of messages, in epoch milliseconds. */
const LAST_YEAR = Date.UTC(2025, 5, 1);

const MODEL: ModelView = { label: 'Practice model', detail: 'Practice · 200,000 tokens · $3 in, $15 out per million', hasKey: false };

export const SPENT: NonNullable<ChatView['spent']> = {
  ...{ inputTokens: 31_920, outputTokens: 612, inputEstimated: false, outputEstimated: false, cost: 0.5554, unknownRequests: 0 },
  own: [{ purpose: 'title', cost: 0.0022 }],
};

export function chat(changes: Partial<ChatView>): ChatView {
  return {
    id: CHAT_ID,
    title: 'How the tide is predicted',
    running: false,
    isPractice: true,
    readOnly: null,
    damage: null,
    earlierMessages: 0,
    laterMessages: 0,
    model: MODEL,
    settings: SETTINGS,
    titleRun: null,
    spent: SPENT,
    ...changes,
  };
}

export function listed(id: string, title: string, changes: Partial<ChatListItem>): ChatListItem {
  return {
    id,
    title,
    preview: `A question about ${title.toLowerCase()}`,
    messageCount: 4,
    updatedAt: LAST_YEAR,
    running: false,
    waiting: false,
    unsaved: false,
    damage: null,
    firstRole: 'user',
    cost: 0.0413,
    unknownRequests: 0,
    ...changes,
  };
}

const BLOCKS: readonly BlockView[] = [
  { ...plainRow('System prompt', 'system', 1, 412), cache: { read: 412, written: 0, fresh: 0 } },
  { ...fileRow('src/predict.ts', 1_874), cache: { read: 1_874, written: 0, fresh: 0 } },
  { ...fileRow('docs/stations.md', 903), cache: { read: 0, written: 903, fresh: 0 } },
  { ...plainRow('Conversation', 'conversation', 6, 2_310), cache: { read: 1_407, written: 866, fresh: 37 } },
];

const FRAMING = 38;

type RequestRows = NonNullable<PanelState['nextRequestRows']>;

export const NOTHING_LEFT_OUT: NotSelectedItems = { total: 0, first: [] };

const NO_TURNS: ExcludedTurns = { total: 0, first: [] };

export const NEXT: NextRequestView = {
  ...SMALL_REQUEST,
  totalTokens: 5_537,
  budget: 199_488,
  limit: 200_000,
  shares: [
    { category: 'system', tokens: 412 },
    { category: 'files', tokens: 2_777 },
    { category: 'conversation', tokens: 2_310 },
    { category: 'framing', tokens: FRAMING },
  ],
  inputCost: 0.007967,
  forecast: {
    parts: { read: 3_693, written: 1_769, fresh: 75 },
    rates: { read: 0.000_000_3, written: 0.000_003_75, fresh: 0.000_003 },
    expiresAt: Date.now() + 192_000,
    longWriteCost: 0.0051,
    costAfter: 0.020708,
    accuracy: { average: 0.011, of: 43, isWhole: true },
    correction: 0.042,
    turn: { low: 0.0121, high: 0.0874 },
  },
  reply: { low: 0.0012, median: 0.00405, high: 0.0071, replies: 8 },
  history: {
    ...{ historyTokens: 2328, maxHistoryTokens: 12500, maxInputTokens: 200000, remaining: 193951, needsSummary: false },
    compaction: { enabled: true, trigger: 147208, percent: 2 },
  },
};

/** The same request when the provider reads nothing of it from its cache. */
export const UNREAD: NextRequestView = {
  ...NEXT,
  inputCost: 0.020708,
  forecast:
    NEXT.forecast === null
      ? null
      : { ...NEXT.forecast, parts: { read: 0, written: 5_462, fresh: 75 }, expiresAt: null, costAfter: 0.020708 },
};

export const USAGE: UsageLine = {
  inputTokens: 4_917,
  cachedTokens: 3_201,
  writtenTokens: 512,
  outputTokens: 342,
  inputEstimated: false,
  outputEstimated: false,
  cost: 0.01234,
  isAtLeast: false,
  isCharged: false,
  isPretended: false,
  durationMs: 4_210,
  forecast: { read: 3_201, written: 520, fresh: 1_190, off: 0.003 },
  inherited: false,
};

/** The context window after the sample reply. */
const REPLY_WINDOW: ReplyWindowView = {
  kind: 'known',
  tokens: 5_259,
  limit: 200_000,
  uncachedTokens: 1_204,
  cachedTokens: 3_201,
  writtenTokens: 512,
  outputTokens: 342,
  isEstimate: false,
};

export const CONTEXT_ROWS = contextRows(
  [
    {
      type: 'rule',
      items: [
        contextItem('Units are metric', 24, { includeMode: 'always' }),
        contextItem('Name the station in each answer', 31, { includeMode: 'agent', score: 0.87 }),
      ],
    },
    { type: 'tool', items: [contextItem('practice:echo', 96, {})] },
    {
      type: 'file',
      items: [
        fileItem('src/predict.ts', 1_874, {}),
        fileItem('docs/stations.md', 903, {}),
        fileItem('docs/warnings.md', null, { notSelectedReason: 'missing' }),
      ],
    },
  ],
  BLOCKS,
  { framingTokens: FRAMING, adaptations: ['Not sent: 1 reasoning part, written by another model.'] },
);

export function said(id: string, text: string, changes: Partial<UserEntry>): UserEntry {
  return { ...userEntry(id, text), ...changes };
}

export function replied(id: string, parts: readonly PartView[], changes: Partial<AssistantEntry>): AssistantEntry {
  return {
    ...assistantEntry(id, ...parts),
    status: 'done',
    model: { label: 'Practice model', key: 'practice/standard' },
    at: LAST_YEAR,
    usage: USAGE,
    contextUsed: { summary: '2 rules (1 agent, 1 always), 1 tool (manual), 2 files (all manual)', totalTokens: 5_537, basis: 'exact' },
    ...changes,
  };
}

export function note(changes: Partial<RunNoteEntry>): RunNoteEntry {
  return {
    kind: 'runNote',
    id: 'note',
    status: 'failed',
    text: 'The provider is overloaded.',
    detail: null,
    attemptId: null,
    failures: [],
    actions: ['retry'],
    isLast: true,
    userMessageId: 'u1',
    ...changes,
  };
}

export const QUESTION = said('u1', 'How is the tide predicted?', {});

export const ANSWER = replied(
  'a1',
  [
    text(
      'The prediction sums **harmonic constituents**, one for each motion of moon and sun:\n\n' +
        '1. The station gives amplitude and phase of each.\n2. `predict()` evaluates them for a moment.\n3. The sum is the height above chart datum.\n\n' +
        '```ts\nexport function height(at: Date): number {\n  return constituents.reduce((sum, c) => sum + c.amplitude * Math.cos(c.speed * hours(at) - c.phase), 0);\n}\n```\n\n' +
        '| Constituent | Period |\n|---|---|\n| M2 | 12.42 h |\n| S2 | 12.00 h |',
    ),
  ],
  {},
);

export function requestRows(summary: string, blocks: readonly BlockView[], changes: Partial<RequestRows>): RequestRows {
  const nothing = {
    notSelected: NOTHING_LEFT_OUT,
    forgotten: NOTHING_FORGOTTEN,
    excludedTurns: NO_TURNS,
    repeats: NOTHING_REPEATED,
    changes: {},
    available: NOTHING_AVAILABLE,
  };
  return { summary, blocks, ...nothing, servers: [], remarks: [], ...changes };
}

export function contextRows(groups: ContextRows['groups'], blocks: readonly BlockView[], changes: Partial<ContextRows>): ContextRows {
  const nothing = { notSelected: NOTHING_LEFT_OUT, forgotten: NOTHING_FORGOTTEN, picks: null, adaptations: [], warnings: [] };
  return { groups, blocks, ...nothing, framingTokens: 9, window: REPLY_WINDOW, uncached: null, ...changes };
}

export function draft(text: string, changes: Partial<PanelState['draft']>): PanelState['draft'] {
  return { ...EMPTY_PANEL.draft, text, ...changes };
}

export const TWO_FILES: PanelState['contextTotal'] = { ...EMPTY_PANEL.contextTotal, items: 2, kinds: [['file', 2]], tokens: 2_777 };

/** A chat with one question and its reply. `changes` replaces members of the state. */
function panel(changes: Partial<PanelState>): PanelState {
  return {
    ...EMPTY_PANEL,
    chats: [listed(CHAT_ID, 'How the tide is predicted', {})],
    chat: chat({}),
    entries: [QUESTION, ANSWER],
    context: [
      { key: 'file:src/predict.ts', name: 'src/predict.ts', files: null, tokens: 1_874, warning: null },
      { key: 'file:docs/stations.md', name: 'docs/stations.md', files: null, tokens: 903, warning: null },
    ],
    contextTotal: TWO_FILES,
    nextRequest: NEXT,
    nextRequestRows: requestRows('2 files, added by you', BLOCKS, {}),
    contextRows: { a1: CONTEXT_ROWS },
    manager: MANAGER,
    chatTexts: CHAT_TEXTS,
    itemProof: ITEM_PROOF,
    openFile: { name: 'src/predict.ts', uri: 'file:///tidewatch/src/predict.ts' },
    turns: turnSteps(changes.entries ?? []),
    ...changes,
  };
}

/** Returns the steps of all turns. The preview knows only the costs in the entries. */
function turnSteps(entries: readonly EntryView[]): PanelState['turns'] {
  return Object.fromEntries(
    turnsOf(entries).flatMap((turn) => {
      const [first] = turn;
      const head = turn.find(isStep);
      const usages = turn.flatMap((entry) => (entry.kind === 'assistant' ? (entry.usage ?? []) : []));
      const costs = usages.flatMap(({ cost }) => cost ?? []);
      const cost = costs.length === 0 ? null : costs.reduce((sum, each) => sum + each, 0);
      const isPretended = usages.some((usage) => usage.isPretended);
      const isAtLeast = costs.length < usages.length;
      return first === undefined || head === undefined
        ? []
        : [[head.id, { id: first.id, ...countSteps(turn), cost, isAtLeast, isPretended, inherited: false }] as const];
    }),
  );
}

/** A state of the preview without clicks or input. `open` names the open parts. */
export function shown(name: string, open: readonly string[], changes: Partial<PanelState>): PreviewState {
  return shownAfter(name, open, [], changes);
}

export function shownAfter(
  name: string,
  open: readonly string[],
  steps: PreviewState['steps'],
  changes: Partial<PanelState>,
): PreviewState {
  return { name, open, steps, state: panel(changes) };
}
