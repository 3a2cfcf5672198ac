import {
  type ChartRequest,
  type DetailLine,
  firstQuery,
  type InspectedBlock,
  type InspectorDetail,
  type InspectorState,
  NEXT_REQUEST,
} from '../../../src/protocol/inspector/inspector.js';
import type { ObservationView, CacheParts } from '../../../src/protocol/forecast.js';

const RATES: CacheParts = { read: 0.0000003, written: 0.00000375, fresh: 0.000003 };

function block(
  name: string,
  kind: InspectedBlock['kind'],
  [size, cached]: readonly [number, keyof CacheParts],
  more: Partial<InspectedBlock>,
): InspectedBlock {
  const cache = { read: 0, written: 0, fresh: 0, [cached]: size };
  const shared = { message: null, server: null, tier: 'L0', breakpoint: null, why: 'always', problem: null };
  return { name, kind, tokens: size, cache, price: size * RATES[cached], ...shared, ...more };
}

const SERVERS = ['files', 'git', 'vscode'];
const TOOLS = Array.from({ length: 31 }, (_, at) =>
  block(`tool_${at + 1}`, 'tool', [304, 'read'], { server: SERVERS[at % 3] ?? '', why: at < 23 ? 'always' : 'manual' }),
);
const HISTORY = Array.from({ length: 13 }, (_, at) =>
  block(`${at % 2 === 0 ? 'You' : 'Assistant'}: message ${at + 1}`, 'message', [797, 'written'], {
    tier: 'active',
    why: 'history',
    message: `m${at}`,
    breakpoint: at === 12 ? '5m' : null,
  }),
);

const BLOCKS: readonly InspectedBlock[] = [
  ...TOOLS,
  block('System prompt', 'system', [1_150, 'read'], { breakpoint: '1h' }),
  block('AGENTS.md', 'rule', [1_160, 'read'], { tier: 'L1' }),
  block('Error handling', 'rule', [412, 'read'], { tier: 'L1', why: 'agent 0.87' }),
  block('Tokenizer notes', 'reference', [3_962, 'read'], { tier: 'L2', breakpoint: '1h', why: 'manual' }),
  block('Conversation summary', 'summary', [486, 'read'], { tier: 'L2', why: 'replaces earlier messages' }),
  block('src/engine/heap.ts', 'file', [1_614, 'read'], { tier: 'L2', breakpoint: '5m', why: 'manual' }),
  block('src/engine/tokens/bpe.ts', 'file', [1_940, 'written'], { tier: 'L3', why: 'manual, changed' }),
  ...HISTORY,
  block('You: And how do I prove the counts stay identical?', 'message', [14, 'fresh'], {
    tier: 'active',
    why: 'your message',
    message: 'you',
  }),
  block('Editor: selection', 'editor', [1_136, 'fresh'], { tier: 'active', why: 'editor state' }),
];
const BROKEN_AT = 37;

function bar(at: number): ChartRequest {
  const read = at === 0 ? 0 : 9_000 + 900 * at;
  const parts = { read, written: at === 0 ? 8_400 : 1_300, fresh: 600 };
  const signs = at === 6 ? (['edit'] as const) : at === 9 ? (['summary'] as const) : [];
  return { id: `a${at}`, parts, isReported: true, signs, changed: null };
}

const SHOWN: ChartRequest = {
  id: 'a13',
  parts: { read: 18_208, written: 12_301, fresh: 1_361 },
  isReported: true,
  signs: [],
  changed: 'AGENTS.md and 1 more',
};

const CHART: NonNullable<InspectorState['chart']> = {
  chat: 'Make the token counter linear',
  requests: Array.from({ length: 17 }, (_, at) => (at === 13 ? SHOWN : bar(at))),
  input: 485_651,
  read: 408_000,
  ...{ output: 10_287, isOutputEstimated: false },
  cost: 0.5554,
  unknown: 0,
};

function line(text: string, mark: DetailLine['mark'], number: number | null, numberBefore: number | null): DetailLine {
  return { text, cut: 0, mark, number, numberBefore };
}

const CHANGE: InspectorDetail = {
  block: BROKEN_AT,
  kind: 'change',
  note: 'This is the first changed block. The provider cached all later blocks again.',
  lines: [
    line('41 lines before are the same', '@', null, null),
    line('function merge(parts: Part[]): Part[] {', '', 42, 42),
    line('  while (true) {', '−', null, 43),
    line('    const best = lowest(parts);', '−', null, 44),
    line('  const heap = new Heap(byRank);', '+', 43, null),
    line('  for (const part of parts) heap.push(part.left, part.right, ranks.get(join(part)) ?? NONE);', '+', 44, null),
    line('  while (heap.size > 0) {', '+', 45, null),
    line('    const best = heap.pop();', '+', 46, null),
    line('    if (best.rank === NONE) break;', '', 47, 45),
    line('    join(parts, best);', '', 48, 46),
    line('118 lines after are the same', '@', null, null),
  ],
  linesBefore: 0,
  linesAfter: 0,
};

const PAYLOAD: InspectorDetail = {
  ...CHANGE,
  kind: 'payload',
  note: 'Lines 812 to 818 of 1,204, byte for byte. Loupe hides API keys.',
  lines: [
    '{',
    '  "role":"user",',
    '  "content":[',
    '    {',
    '      "type":"text",',
    '      "text":"src/engine/tokens/bpe.ts\\n```ts\\nimport {',
    '    }',
  ].map((text, at) => ({ ...line(text, '', 812 + at, null), cut: at === 5 ? 6_412 : 0 })),
  linesBefore: 811,
  linesAfter: 386,
};

const HOSTILE = '<img src="https://tides.example/x.png" onerror="alert(1)"> \u202Egnp.\u200Bx [a](https://tides.example)';

const TEXT: InspectorDetail = {
  ...CHANGE,
  block: BROKEN_AT + 15,
  kind: 'text',
  note: '',
  lines: ['And how do I prove the counts stay identical?', '', HOSTILE].map((text, at) => line(text, '', at + 1, null)),
};

const STATE: InspectorState = {
  chatId: 'chat',
  query: firstQuery('a13'),
  chart: CHART,
  request: {
    id: 'a13',
    number: 14,
    purpose: 'reply',
    at: Date.UTC(2026, 10, 21, 1, 24, 11),
    model: 'Sonnet 4.5',
    notes: [],
    blocks: BLOCKS,
    input: 31_870,
    ...{ awaitsReply: false, isReplyEstimated: false },
    source: 'reported',
    parts: SHOWN.parts,
    framing: 95,
    difference: 110,
    inputPrice: 0.0557,
    reply: 612,
    replyPrice: 0.0092,
    before: { id: 'a12', number: 13 },
    differsAt: BROKEN_AT,
    notSelected: {
      total: 11,
      first: ['Release notes', 'Database schema', 'src/fixtures.json', 'Commit messages'].map((name, at) => ({
        type: at === 2 ? 'file' : 'reference',
        name,
        file: `reference:${name}`,
        includeMode: 'agent',
        score: null,
        tokens: null,
        ofTokens: null,
        notSelectedReason: ['score 0.12, below 0.30', 'score 0.31, not in the top 2', '1.2 MB, over the limit'][at] ?? 'switched off',
        canBeAdded: true,
      })),
    },
    earlier: [],
    observation: {
      text: '1 of 41 breakpoints expired too early, after 3 min 10 s, although 5 min was requested.',
      isAlarm: false,
      isOfPrices: false,
      proofs: [],
    },
  },
  verdict: {
    tone: 'miss',
    cost: 'Cost $0.0649',
    reason: '12,304 tokens written to the cache again because src/engine/tokens/bpe.ts changed above the conversation.',
    providerSays: 'The provider says that an earlier message differs from the previous request. Tokens after the difference: about 12,180.',
    details: 'Cost if the cache had kept everything: $0.0224. Forecast: $0.0646, 0.4% too low. Figures from the provider.',
    offersPrices: false,
    brokenAt: BROKEN_AT,
  },
  hint: {
    text: 'The prompt layout "Continue" would have put this change at the end of the request: $0.0224 instead of $0.0649.',
    offer: 'use',
    done: '',
  },
  detail: CHANGE,
  found: null,
  problem: null,
};

const NOTHING_READ: InspectorState = { ...STATE, chart: null, request: null, verdict: null, hint: null, detail: null };

const GOOD: NonNullable<InspectorState['verdict']> = {
  tone: 'good',
  cost: 'Cost $0.0388',
  reason: '91% came from the cache, the rest is new.',
  providerSays: null,
  details: '',
  offersPrices: false,
  brokenAt: null,
};

const EXPIRED: NonNullable<InspectorState['verdict']> = {
  ...GOOD,
  tone: 'expired',
  cost: 'Cost $0.1593',
  reason: '36,708 tokens written to the cache again because the cache expired in a pause of 12 min.',
};

const UNPRICED: NonNullable<InspectorState['verdict']> = {
  ...GOOD,
  tone: 'plain',
  cost: 'Price unknown',
  reason: 'acme-large has no prices.',
  details: 'This is the first request of the chat, so nothing was in the cache yet. Figures from the provider.',
  offersPrices: true,
};

const NOTHING_CACHED: CacheParts = { read: 0, written: 0, fresh: 1_150 };

const TAKEN: NonNullable<InspectorState['hint']> = {
  text: 'The prompt layout "Continue" would have cost less: $0.0802 instead of $0.1593.',
  offer: 'undo',
  done: 'This chat now uses the prompt layout "Continue". Loupe rebuilds the next request.',
};

const ALARM: ObservationView = {
  text: '7 of 12 breakpoints expired too early, the last one after 14 min, although 1 h was requested: $3.10 more today. Forecasts use 12 min.',
  isAlarm: true,
  isOfPrices: false,
  proofs: [{ chatId: 'chat', attemptId: 'a13' }],
};

const AWAITS_REPLY: NonNullable<InspectorState['verdict']> = {
  ...GOOD,
  tone: 'plain',
  cost: 'Price unknown',
  reason: 'the model is writing a reply, which will be in this request.',
};

/** The next request while a call of the reply waits for the user. */
function duringReply(request: NonNullable<InspectorState['request']>): InspectorState {
  const said = { tier: 'active', why: 'history', message: 'you', cache: null, price: null } as const;
  const blocks = [
    ...BLOCKS.map((each) => ({ ...each, cache: null, price: null })),
    block('Assistant, call of edit_file', 'message', [33, 'fresh'], said),
    block('Result of edit_file', 'message', [20, 'fresh'], { ...said, why: 'no result yet' }),
  ];
  const open = {
    number: null,
    at: null,
    parts: null,
    inputPrice: null,
    reply: null,
    replyPrice: null,
    difference: 0,
    before: null,
  } as const;
  return {
    ...STATE,
    query: firstQuery(NEXT_REQUEST),
    chart: { ...CHART, unknown: 1 },
    request: {
      ...request,
      ...open,
      id: NEXT_REQUEST,
      purpose: 'after this reply',
      source: 'counted',
      awaitsReply: true,
      blocks,
      differsAt: null,
    },
    verdict: AWAITS_REPLY,
    hint: null,
    detail: { ...TEXT, block: blocks.length - 1, lines: [line('The call has not ended yet.', '', 1, null)] },
  };
}

/** A request without a difference between its blocks, to a model without prices. */
function unpriced(request: NonNullable<InspectorState['request']>): InspectorState {
  const blocks = BLOCKS.slice(-2).map((each) => ({ ...each, price: null, why: 'history' }));
  const shown = { ...request, blocks, parts: NOTHING_CACHED, inputPrice: null, replyPrice: null, differsAt: null };
  return { ...STATE, request: shown, verdict: UNPRICED, hint: null, detail: { ...TEXT, block: 1 } };
}

export function inspectorStates(): readonly { readonly name: string; readonly state: InspectorState }[] {
  const { request } = STATE;
  if (request === null) {
    throw new Error('The states show a request.');
  }
  const torn = request.blocks.map((each, at) =>
    at === 36 ? { ...each, problem: 'The content of file:src/engine/heap.ts is missing.' } : each,
  );
  const unknown = request.blocks.map((each) => ({ ...each, cache: null, price: null }));
  return [
    { name: 'Inspector: a cache that broke', state: STATE },
    { name: 'Inspector: a hint that was taken', state: { ...STATE, verdict: EXPIRED, hint: TAKEN } },
    { name: 'Inspector: the payload of a block', state: { ...STATE, detail: PAYLOAD } },
    { name: 'Inspector: a cache that ends early', state: { ...STATE, request: { ...request, observation: ALARM } } },
    { name: 'Inspector: hostile text', state: { ...STATE, verdict: GOOD, hint: null, detail: TEXT, found: [BROKEN_AT + 15] } },
    {
      name: 'Inspector: no usage',
      state: {
        ...STATE,
        request: { ...request, blocks: unknown, parts: null, source: 'counted', inputPrice: null, reply: null, replyPrice: null },
        verdict: { ...GOOD, tone: 'plain', cost: 'Cost unknown', reason: 'the provider reported no usage. Loupe counted the tokens.' },
        hint: null,
        detail: TEXT,
      },
    },
    {
      name: 'Inspector: a torn record',
      state: {
        ...STATE,
        request: { ...request, blocks: torn },
        detail: { ...TEXT, block: 36, note: 'The content of file:src/engine/heap.ts is missing or has changed.', lines: [] },
      },
    },
    {
      name: 'Inspector: many requests',
      state: {
        ...STATE,
        query: firstQuery('b1000'),
        chart: { ...CHART, requests: Array.from({ length: 2_000 }, (_, at) => ({ ...bar(at % 17), id: `b${at}` })) },
      },
    },
    {
      name: 'Inspector: cannot be read',
      state: {
        ...STATE,
        request: null,
        verdict: null,
        hint: null,
        detail: null,
        problem: 'Loupe cannot show the request: the record of an earlier request is missing.',
      },
    },
    { name: 'Inspector: during a reply', state: duringReply(request) },
    { name: 'Inspector: no prices', state: unpriced(request) },
    { name: 'Inspector: a deleted chat', state: { ...NOTHING_READ, problem: 'This chat was deleted.' } },
    { name: 'Inspector: reading', state: NOTHING_READ },
  ];
}
