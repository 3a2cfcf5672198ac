import fc from 'fast-check';
import type { ToolResultView } from '../../../src/protocol/panel/toolCalls.js';
import type { ContextRows, NextRequestRows, ExclusionPrice } from '../../../src/protocol/panel/requestRows.js';
import { INTRODUCTION_STEPS, type ChatView } from '../../../src/protocol/panel/view.js';
import type { EntryView, PartView } from '../../../src/protocol/panel/entries.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import {
  ANY_MODEL,
  contextItem,
  EMPTY_PANEL,
  fileRow,
  NO_TOOLS,
  NOTHING_FORGOTTEN,
  NOTHING_REPEATED,
  text,
  toolCall,
} from '../../../webview/preview/views.js';

const WRITTEN_FILE = {
  ...{ kind: 'written' as const, path: 'a.ts', added: 1, removed: null, state: 'applied' as const },
  ...{ messageId: 'm', hasEarlier: true },
};

const PROOF = { requests: 2, whole: 1, cut: 1, tokens: 300, cost: 0.01, unknownCosts: 0 };
const ITEM_PROOF = { key: 'rule:A', chat: PROOF, recent: PROOF, lastAt: 1, nearer: ['src/AGENTS.md'], duplicates: [] };

export function shownResults({ entries }: Pick<PanelState, 'entries'>): readonly ToolResultView[] {
  const parts = entries.flatMap((entry) => (entry.kind === 'assistant' ? entry.parts : []));
  return parts.flatMap((part) => (part.type === 'toolCall' && part.result !== null ? [part.result] : []));
}

const words = fc.string({ maxLength: 6 });

const part: fc.Arbitrary<PartView> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: words }),
  fc.record({ type: fc.constant('reasoning' as const), text: words, ms: fc.constantFrom(null, 1_200) }),
  fc
    .tuple(fc.constantFrom('c', 'd'), words, fc.boolean())
    .map(([callId, args, isDone]) => toolCall(callId, args, isDone ? { status: { kind: 'done' }, durationMs: 12 } : {})),
);

const assistantArbitrary: fc.Arbitrary<EntryView> = fc.record({
  kind: fc.constant('assistant' as const),
  isPinned: fc.boolean(),
  excluded: fc.constantFrom(null, 'turn' as const, 'calls' as const, { callIds: ['c1'] }),
  id: fc.constantFrom('1', '2', '3', '4'),
  parts: fc.array(part, { maxLength: 3 }),
  status: fc.constantFrom('streaming' as const, 'done' as const),
  finishReason: fc.constantFrom(null, 'abort'),
  answeredBy: fc.constantFrom(null, 'other'),
  files: fc.constantFrom([], [WRITTEN_FILE]),
  extras: fc.constantFrom([], [{ type: 'source' as const, url: 'https://a.example', title: '' }]),
  model: fc.constantFrom(null, ANY_MODEL),
  at: fc.constant(1),
  usage: fc.constantFrom(null, {
    inputTokens: 1,
    cachedTokens: null,
    writtenTokens: 0,
    outputTokens: 2,
    inputEstimated: false,
    outputEstimated: false,
    cost: null,
    isAtLeast: false,
    isCharged: false,
    isPretended: false,
    durationMs: 9,
    forecast: null,
    inherited: false,
  }),
  limits: fc.constant([]),
  contextUsed: fc.constant(null),
  canContinue: fc.boolean(),
  failures: fc.constant([]),
});

const price: fc.Arbitrary<ExclusionPrice> = fc.record({
  tokens: fc.nat(3),
  writtenAgain: fc.constantFrom(null, 0, 9),
  cost: fc.constantFrom(null, 0.01),
  saving: fc.constant(null),
  canWait: fc.boolean(),
  state: fc.constantFrom('sent', 'leaving', 'out'),
});

const entry: fc.Arbitrary<EntryView> = fc.oneof(
  { weight: 3, arbitrary: assistantArbitrary },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('user' as const),
      images: fc.constantFrom([], [{ type: 'image' as const, blob: 'b', mimeType: 'image/png', bytes: 4, width: null, height: null }]),
      imagesFirst: fc.nat(1),
      imageTokens: fc.constantFrom(null, { tokens: 1_600, isEstimate: true }),
      isPinned: fc.boolean(),
      isExcluded: fc.boolean(),
      id: fc.constantFrom('1', '5', '6'),
      text: words,
      at: fc.nat(1),
      status: fc.constantFrom('sent' as const, 'unsent' as const, 'queued' as const),
      versions: fc.constantFrom(
        null,
        { number: 1, count: 2, earlier: null, later: 'r' },
        { number: 2, count: 2, earlier: 's', later: null },
      ),
    }),
  },
);

const chat: fc.Arbitrary<ChatView> = fc.record({
  id: fc.constantFrom('x', 'y'),
  title: words,
  running: fc.boolean(),
  isPractice: fc.boolean(),
  readOnly: fc.constantFrom(null, 'Newer.'),
  damage: fc.constantFrom(null, { label: 'Damaged log: line 2', files: [{ file: 'w.jsonl', notes: ['Line 2: it is torn.'] }], others: [] }),
  earlierMessages: fc.nat(2),
  laterMessages: fc.nat(2),
  model: fc.record({ label: words, detail: words, hasKey: fc.boolean() }),
  settings: fc.array(
    fc.record({
      name: fc.constantFrom('model', 'limit'),
      group: fc.constantFrom(null, 'Summaries'),
      label: words,
      help: words,
      value: fc.constantFrom(null, 0, 9, 'a/b'),
      isChanged: fc.boolean(),
      control: fc.constantFrom({ kind: 'model' as const }, { kind: 'text' as const, placeholder: 'p' }),
    }),
    { maxLength: 2 },
  ),
  titleRun: fc.constantFrom(null, { status: 'running' as const, requests: [] }),
  spent: fc.constantFrom(null, {
    ...{ inputTokens: 5, outputTokens: 2, inputEstimated: true, outputEstimated: false },
    cost: null,
    unknownRequests: 1,
    own: [],
  }),
});

function contextRowsOf(tokens: number): ContextRows {
  return {
    groups: [],
    notSelected: { total: 0, first: [] },
    forgotten: NOTHING_FORGOTTEN,
    picks: null,
    blocks: [fileRow('a.ts', tokens)],
    framingTokens: 0,
    adaptations: [],
    warnings: [],
    window: { kind: 'unknown' },
    uncached: null,
  };
}

const fileRows = fc.array(
  fc.tuple(fc.constantFrom('a.ts', 'b.ts', 'c.ts'), fc.nat(1)).map(([path, tokens]) => fileRow(path, tokens)),
  {
    maxLength: 4,
  },
);

const notSelected = fc.record({
  total: fc.nat(1),
  first: fc.array(
    fc.tuple(fc.constantFrom('A', 'B'), fc.boolean()).map(([name, canBeAdded]) => ({
      ...contextItem(name, null, { notSelectedReason: 'score below 0.30' }),
      type: 'rule' as const,
      canBeAdded,
    })),
    { maxLength: 3 },
  ),
});

const repeat = fc.record({
  label: fc.constant('read a.ts'),
  of: fc.constantFrom('result 1 of read {}', 'result 2 of read {}'),
  isChanged: fc.boolean(),
  saved: fc.nat(1),
  messageId: fc.constant('r'),
  callId: fc.constantFrom('c1', 'c2'),
});

const nextRows: fc.Arbitrary<NextRequestRows> = fc.record({
  summary: fc.constantFrom('No files', '1 file'),
  blocks: fileRows,
  notSelected,
  changes: fc.constantFrom<NextRequestRows['changes']>({}, { 'file:a.ts': { kind: 'changed', tokens: 4 } }),
  excludedTurns: fc.constantFrom({ total: 0, first: [] }, { total: 1, first: [{ id: '1', label: 'Why?', tokens: 5, isHeld: false }] }),
  forgotten: fc.constantFrom(NOTHING_FORGOTTEN, { ...NOTHING_FORGOTTEN, calls: 1 }),
  repeats: fc.constantFrom(NOTHING_REPEATED, { ...NOTHING_REPEATED, results: 1 }),
  available: fc.record({ rule: fc.nat(1), reference: fc.constant(1), skill: fc.constant(0), tool: fc.constant(0) }),
  servers: fc.array(
    fc.record({ name: fc.constantFrom('git', 'web'), total: fc.nat(1), notSelected, replies: fc.constant(0), calls: fc.constant([]) }),
    {
      maxLength: 2,
    },
  ),
  remarks: fc.array(fc.record({ text: fc.constant('Line 4.'), path: fc.constant('a.md'), line: fc.option(fc.nat(1)) }), { maxLength: 2 }),
});

/** Any state of the panel. Two states share many ids, so that entries change, grow, move, appear and disappear. */
export const anyPanel: fc.Arbitrary<PanelState> = fc
  .record({
    chats: fc.constantFrom(
      null,
      [],
      [
        {
          id: 'x',
          title: 'X',
          preview: '',
          messageCount: 0,
          updatedAt: 1,
          running: false,
          unsaved: false,
          waiting: false,
          damage: null,
          firstRole: 'user',
          cost: null,
          unknownRequests: 0,
        },
      ],
    ),
    chat: fc.option(chat),
    entries: fc.uniqueArray(entry, { selector: ({ id }) => id, maxLength: 5 }),
    exclusionPrices: fc.dictionary(
      fc.constantFrom('1', '2', '5'),
      fc
        .tuple(price, fc.option(fc.dictionary(fc.constantFrom('c1', 'c2'), price)))
        .map(([whole, calls]) => (calls === null ? whole : { ...whole, calls })),
    ),
    repeats: fc.dictionary(fc.constantFrom('1', '2'), fc.dictionary(fc.constantFrom('c1', 'c2'), repeat)),
    outputs: fc.array(
      fc.record({
        entryId: fc.constantFrom('1', '2'),
        tokens: fc.nat(3),
        isEstimate: fc.boolean(),
        cost: fc.constant(null),
        isPretended: fc.boolean(),
      }),
      {
        maxLength: 2,
      },
    ),
    turns: fc.dictionary(
      fc.constantFrom('1', '2'),
      fc.record({
        ...{ id: fc.constant('u'), steps: fc.nat(2), filesRead: fc.nat(1), filesEdited: fc.constant(0), filesUndone: fc.constant(0) },
        ...{ commands: fc.constant(0), servers: fc.constant([]), failed: fc.nat(1), refused: fc.constant(0), stopped: fc.constant(0) },
        ...{ cost: fc.option(fc.nat(1)), isAtLeast: fc.boolean(), isPretended: fc.boolean(), inherited: fc.boolean() },
      }),
    ),
    compaction: fc.constantFrom(
      null,
      { kind: 'running', messages: 3, startedAt: 1, tokens: 5, mostTokens: 500, isAwaited: false } as const,
      {
        kind: 'failed',
        text: 'The model sent an empty summary.',
        detail: null,
        upTo: null,
        attemptId: null,
        failedAttempts: [],
      } as const,
      { kind: 'cancelled' } as const,
      { kind: 'outdated', madeRoom: false } as const,
      { kind: 'outdated', madeRoom: true } as const,
      { kind: 'due', upTo: '1', messages: 3, tokens: 900, summaryTokens: 500, why: null } as const,
    ),
    summaryPreview: fc.constantFrom(null, {
      plan: null,
      draft: { written: 'x', text: 'x', tokens: 5, mostTokens: 500, kept: [], keptHeading: 'Kept:' },
      hasText: false,
      work: null,
    }),
    draft: fc.record({
      text: words,
      revision: fc.nat(1),
      edit: fc.nat(1),
      editing: fc.constantFrom(null, '1'),
      isShortened: fc.boolean(),
    }),
    withMessage: fc.array(
      fc.record({
        key: words,
        kind: fc.constantFrom('image', 'page', 'editor', 'pick'),
        name: words,
        detail: words,
        tokens: fc.constantFrom(null, 0, 5),
        isEstimate: fc.boolean(),
        price: fc.constantFrom(null, 0.5),
        warning: fc.constantFrom(null, 'x'),
        score: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
        isRemovable: fc.boolean(),
        image: fc.constant(null),
        scaled: fc.constantFrom(null, { longestEdge: 9, mostBytes: 9, tokens: 4, price: null }),
      }),
      { maxLength: 2 },
    ),
    context: fc.array(
      fc.record({
        key: words,
        name: words,
        files: fc.constantFrom(null, 7),
        tokens: fc.constantFrom(null, 0, 5),
        warning: fc.constant(null),
      }),
      { maxLength: 2 },
    ),
    contextTotal: fc.record({
      items: fc.nat(1),
      kinds: fc.constantFrom([], [['rule', 1] as const]),
      tokens: fc.nat(1),
      folded: fc.nat(1),
      foldedWarnings: fc.nat(1),
      tools: fc.nat(1),
      toolsNotOffered: fc.nat(1),
    }),
    restoreOffer: fc.constantFrom(null, { cause: 'retry' as const, messageId: 'm', files: [], isOn: true }),
    stepQuestion: fc.constantFrom(null, { runId: 'r', steps: 25, cost: 0.2 }),
    spendQuestion: fc.constantFrom(null, {
      ...{ id: 'q', about: 'request', cost: 0.62, replyCost: null, tokens: 5 },
      parts: [{ name: 'a.ts', tokens: 5, cost: 0.62 }],
      reason: { kind: 'dear', limit: 0.5 },
    } as const),
    serverQuestion: fc.constantFrom(null, {
      ...{ id: 'h', name: 'files', place: '.vscode/mcp.json', type: 'stdio', line: 'npx files', cwd: null, given: ['TOKEN'] },
    } as const),
    startingServers: fc.constantFrom([], ['files'], ['files', 'web']),
    nextRequest: fc.constant(null),
    nextRequestRows: fc.option(nextRows),
    contextRows: fc.dictionary(fc.constantFrom('1', '2', '3', 'toString', '__proto__'), fc.nat(1).map(contextRowsOf)),
    replyUses: fc.dictionary(
      fc.constantFrom('1', '2', 'toString', '__proto__'),
      fc.nat(1).map((items) => ({ items, tools: 1, uses: { 'file:a.ts': [{ how: 'named', where: 'a.ts' }] as const } })),
    ),
    itemProof: fc.constantFrom(null, ITEM_PROOF),
    manager: fc.constantFrom(null, { isRestricted: false, agent: null, items: 1, tokens: 2, requests: 0, sections: [], tools: NO_TOOLS }),
    introduction: fc.constantFrom(null, ...INTRODUCTION_STEPS),
    hasFolder: fc.boolean(),
    fontSize: fc.constantFrom(null, 15),
    openFile: fc.constantFrom(null, { name: 'a.ts', uri: 'file:///a.ts' }, { name: 'b.ts', uri: 'file:///b.ts' }),
    banners: fc.array(
      fc.record({ id: words, severity: fc.constantFrom('error' as const, 'info' as const), text: words, actions: fc.constant([]) }),
      { maxLength: 2 },
    ),
  })
  // `fc.record` makes some objects without a prototype. Messages have none of these.
  .map((state) => copyOf({ ...EMPTY_PANEL, ...state }));

/** A state, and the same state after streaming: longer text in some parts, and new parts. */
export const growingPanel: fc.Arbitrary<{ readonly before: PanelState; readonly after: PanelState; readonly grown: number }> = fc
  .tuple(anyPanel, fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 }))
  .map(([before, more]) => {
    let grown = 0;
    const entries = before.entries.map((one) => {
      if (one.kind !== 'assistant') {
        return one;
      }
      const parts = more.map((added, index): PartView => {
        grown += added.length;
        const old = one.parts[index] ?? text('');
        if (old.type === 'image') {
          return old;
        }
        return old.type === 'toolCall' ? { ...old, args: old.args + added } : { ...old, text: old.text + added };
      });
      return { ...one, parts: [...parts, ...one.parts.slice(parts.length)] };
    });
    return { before, after: { ...before, entries }, grown };
  });

/** Returns a copy that shares no object with the value, as `postMessage` does. */
export function copyOf<T>(value: T): T {
  return structuredClone(value);
}
