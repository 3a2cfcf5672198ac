import type { ToolSection } from '../../src/protocol/panel/manager.js';
import type { ContextItemView, BlockView, ForgottenCalls, RepeatedResults } from '../../src/protocol/panel/requestRows.js';
import type { ToolCallView } from '../../src/protocol/panel/toolCalls.js';
import type { UserEntry, AssistantEntry, PartView } from '../../src/protocol/panel/entries.js';
import type { WithMessageRow } from '../../src/protocol/panel/composer.js';
import type { NextRequestView } from '../../src/protocol/panel/nextRequest.js';

/* Minimal views of the panel. The states of the preview and the tests add content. */

export { EMPTY_PANEL } from '../../src/protocol/panel/state.js';

export const NO_TOOLS: ToolSection = {
  held: 0,
  total: 0,
  tokens: 0,
  replies: 0,
  notOffered: null,
  loadsTools: true,
  lacksOwn: false,
  mistakes: [],
  servers: [],
};

/** A model for entries whose model does not matter. */
export const ANY_MODEL = { label: 'Model', key: 'p/m' } as const;

export function userEntry(id: string, text: string): UserEntry {
  return {
    kind: 'user',
    id,
    text,
    images: [],
    imagesFirst: 0,
    imageTokens: null,
    status: 'sent',
    isPinned: false,
    isExcluded: false,
    versions: null,
  };
}

export function assistantEntry(id: string, ...parts: PartView[]): AssistantEntry {
  return {
    kind: 'assistant',
    id,
    isPinned: false,
    excluded: null,
    parts,
    status: 'streaming',
    finishReason: null,
    answeredBy: null,
    files: [],
    extras: [],
    model: ANY_MODEL,
    at: 1,
    usage: null,
    limits: [],
    contextUsed: null,
    canContinue: false,
    failures: [],
  };
}

export function text(content: string): PartView {
  return { type: 'text', text: content };
}

/** A tool call that a model is writing. `changes` replaces members. */
export function toolCall(callId: string, args: string, changes: Partial<ToolCallView>): ToolCallView {
  const none = { approval: null, durationMs: null, result: null } as const;
  return {
    type: 'toolCall',
    callId,
    name: 'read',
    serverName: null,
    args,
    subject: '',
    isSplitOff: false,
    status: { kind: 'pending' },
    ...none,
    ...changes,
  };
}

export const NOTHING_AVAILABLE = { rule: 0, reference: 0, skill: 0, tool: 0 } as const;

export const NOTHING_FORGOTTEN: ForgottenCalls = { calls: 0, tokens: 0, replies: 0, first: [] };

export const NOTHING_REPEATED: RepeatedResults = { results: 0, saved: 0, first: [] };

/** A row of the message box. `changes` replaces members, such as the thumbnail. */
export const withMessage = (
  kind: WithMessageRow['kind'],
  name: string,
  tokens: number | null,
  changes: Partial<WithMessageRow>,
): WithMessageRow => ({
  ...{
    key: `${kind}:${name}`,
    kind,
    name,
    detail: '',
    tokens,
    isEstimate: false,
    price: null,
    warning: null,
    score: null,
    isRemovable: true,
    image: null,
    scaled: null,
  },
  ...changes,
});

/** A row of a request without an item. */
export const plainRow = (label: string, category: BlockView['category'], count: number, tokens: number): BlockView => ({
  ...{
    label,
    file: null,
    server: null,
    category,
    around: null,
    count,
    tokens,
    includeMode: null,
    score: null,
    isEarlier: false,
    cache: null,
  },
});

export const fileRow = (path: string, tokens: number): BlockView => ({
  ...plainRow(path, 'files', 1, tokens),
  ...{ file: `file:${path}`, includeMode: 'manual' },
});

/** An item that the user added, and that the request contains without cuts. */
export const contextItem = (name: string, tokens: number | null, changes: Partial<ContextItemView>): ContextItemView => ({
  ...{ name, file: null, includeMode: 'manual', score: null, tokens, ofTokens: null, notSelectedReason: null },
  ...changes,
});

export const fileItem = (path: string, tokens: number | null, changes: Partial<ContextItemView>): ContextItemView =>
  contextItem(path, tokens, { file: `file:${path}`, ...changes });

/** A request to a small model that contains only a system prompt. */
export const SMALL_REQUEST: NextRequestView = {
  totalTokens: 1_280,
  basis: 'exact',
  providerCount: null,
  error: null,
  adaptations: [],
  warnings: [],
  newItems: [],
  unused: { keys: [], tokens: 0, replies: 20 },
  unknownServers: [],
  newToolsCost: null,
  unusedServers: [],
  repeatedRules: { sections: 0, rules: [], agent: null },
  budget: 127_488,
  limit: 128_000,
  reservedTokens: 512,
  shares: [{ category: 'system', tokens: 1_280 }],
  inputCost: null,
  forecast: null,
  uncached: null,
  mayBeCached: false,
  reply: null,
  isPretended: false,
  titleCost: null,
  problem: null,
  isShortened: false,
  isOwnLimit: false,
  assumedLimit: null,
  offersSummary: false,
  shortening: null,
  rewritten: null,
  unusual: null,
  isRestricted: false,
  observation: null,
  history: {
    historyTokens: 900,
    maxHistoryTokens: 8000,
    maxInputTokens: 128000,
    remaining: 126208,
    needsSummary: false,
    compaction: { enabled: true, trigger: 95000, percent: 1 },
  },
  summary: { trigger: { unit: 'tokens', at: 152_000, left: 100_000, then: 'summarized' }, now: null },
};
