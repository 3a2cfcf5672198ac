import { type ContextChip, MOST_CHIPS } from '../../../src/protocol/panel/composer.js';
import type { ManagerSection } from '../../../src/protocol/panel/manager.js';
import type { ContextItemView, BlockView, ForgottenCalls } from '../../../src/protocol/panel/requestRows.js';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';
import type { PreviewState } from '../state.js';
import { MANAGER, SIGNED_IN_TOOLS, VSCODE_TOOLS } from './managed.js';
import { picked, ruleMenu } from './picked.js';
import { excludedTurns, repeatedResults } from './conversations.js';
import { NOT_OFFERED, STARTING, servedTools } from './toolCalls.js';
import {
  CHAT_ID,
  CONTEXT_ROWS,
  MINUTE,
  NEXT,
  QUESTION,
  contextRows,
  chat,
  listed,
  requestRows,
  replied,
  shown,
  shownAfter,
} from './parts.js';
import { NO_TOOLS, fileItem, fileRow, plainRow, text } from '../views.js';

const FORGOTTEN: ForgottenCalls = {
  calls: 48,
  tokens: 38_240,
  replies: 43,
  first: [
    { label: 'read_file', calls: 3, tokens: 12_480, reason: 'after 1 turn', bringsBack: null },
    { label: 'search_text, list_directory_with_sizes, read_file', calls: 3, tokens: 4_031, reason: 'after 1 turn', bringsBack: null },
    { label: 'run_command', calls: 1, tokens: 912, reason: 'after 1 turn', bringsBack: null },
  ],
};

/** Tool calls that the next request omits or still contains, and calls that the request of a reply omitted. */
function forgotten(): PreviewState {
  const carried = { ...plainRow('Excluded content, still sent', 'conversation', 6, 2_160), isEarlier: true };
  return shown('Forgotten tool calls', ['a1:context', 'a1:forgotten', 'next-request', 'next-request:earlier', 'next-request:forgotten'], {
    nextRequest: {
      ...NEXT,
      totalTokens: 4_508,
      inputCost: 0.0135,
      forecast: null,
      mayBeCached: true,
      shares: [{ category: 'conversation', tokens: 4_470 }],
    },
    nextRequestRows: requestRows('No files', [carried, plainRow('Conversation', 'conversation', 8, 2_310)], { forgotten: FORGOTTEN }),
    contextRows: {
      a1: {
        ...CONTEXT_ROWS,
        forgotten: FORGOTTEN,
        uncached: '4,917 tokens written to the cache again because Loupe removed old tool calls.',
      },
    },
  });
}

const MANY = 60;

/** A word longer than a line. The layout must break or scroll it. */
const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3);

/** Paths with the same beginning. One file name is too long for a line. */
const DEEP = ['predict.ts', 'stations.ts', `${'harmonic-constituents-'.repeat(4)}table.ts`].map(
  (name) => `packages/tide-prediction-and-storm-surge/source/northern-stations/${name}`,
);

/** A size that Loupe estimated and corrected by earlier replies. The provider can also count the tokens. */
const CORRECTED: NextRequestView = {
  ...NEXT,
  totalTokens: NEXT.totalTokens - 131,
  basis: 'estimate',
  error: 0.02,
  providerCount: { label: 'House models', isOn: false, switchable: 'house' },
};

const OPEN_MANAGER = { press: 'Manage context' };

const RESTRICTED = shownAfter('Restricted Mode', ['next-request'], [OPEN_MANAGER], {
  nextRequest: { ...NEXT, isRestricted: true },
  manager: { ...MANAGER, isRestricted: true, agent: null, sections: MANAGER.sections.map(nothingOf), tools: NO_TOOLS },
});

const NOTHING_READ = { read: 0, written: 3_495, fresh: 75 };

/** The parts of the editor state in the next request, after the cache has expired. */
function editorState(): PreviewState {
  const parts = [
    plainRow('Editor: date', 'editor', 1, 18),
    plainRow('Editor: active file', 'editor', 1, 12),
    plainRow('Editor: selection', 'editor', 1, 1_136),
    plainRow('Editor: problems', 'editor', 1, 94),
  ];
  return shown('Editor state in the next request', ['next-request', 'next-request:editor'], {
    nextRequest: {
      ...NEXT,
      totalTokens: 3_570,
      inputCost: 0.0134,
      forecast: NEXT.forecast === null ? null : { ...NEXT.forecast, parts: NOTHING_READ, expiresAt: null, longWriteCost: 0 },
      uncached: { reason: { kind: 'expired', at: Date.now() - 720_000, isPartly: false }, way: 'longer' },
      shares: [
        { category: 'conversation', tokens: 2_310 },
        { category: 'editor', tokens: 1_260 },
      ],
    },
    nextRequestRows: requestRows('No files', [plainRow('Conversation', 'conversation', 8, 2_310), ...parts], {}),
  });
}

/** The next request after a pause that outlived only the 5-minute entries of the cache. */
function partlyExpired(): PreviewState {
  return shown('A part of the cache has expired', ['next-request'], {
    nextRequest: {
      ...NEXT,
      totalTokens: 6_575,
      inputCost: 0.01425,
      forecast:
        NEXT.forecast === null
          ? null
          : {
              ...NEXT.forecast,
              parts: { read: 3_000, written: 3_500, fresh: 75 },
              expiresAt: Date.now() + 2_723_000,
              longWriteCost: 0,
              costAfter: 0.0247,
            },
      uncached: { reason: { kind: 'expired', at: Date.now() - 720_000, isPartly: true }, way: 'longer' },
      shares: [{ category: 'conversation', tokens: 6_575 }],
    },
    nextRequestRows: requestRows('No files', [plainRow('Conversation', 'conversation', 8, 6_575)], {}),
  });
}

/** The file tree and the definitions of the workspace in the next request. */
function repositoryMap(): PreviewState {
  const row = (key: string, label: string, size: number): BlockView => ({
    ...plainRow(label, 'repository', 1, size),
    file: `repository:${key}`,
    includeMode: 'always',
  });
  const folders = [
    row('map/src/tides/', 'src/tides/', 642),
    row('map/src/harbour/', 'src/harbour/', 388),
    row(`map/${DEEP[0] ?? ''}`, 'packages/tide-prediction-and-storm-surge/source/northern-stations/', 214),
  ];
  return shown('Repository map in the next request', ['next-request', 'next-request:repository'], {
    nextRequest: {
      ...NEXT,
      totalTokens: 4_508,
      inputCost: 0.0135,
      forecast: null,
      shares: [
        { category: 'repository', tokens: 2_198 },
        { category: 'conversation', tokens: 2_310 },
      ],
    },
    nextRequestRows: requestRows(
      'No files',
      [
        row('tree', 'File tree', 921),
        plainRow('Heading', 'repository', 1, 33),
        ...folders,
        plainRow('Conversation', 'conversation', 8, 2_310),
      ],
      {},
    ),
  });
}

function managed(): readonly PreviewState[] {
  const closed = ['rule', 'reference', 'skill', 'file'].map((type) => `manager-closed:${type}`);
  const onlyTools = ['next-request', ...closed, 'manager-closed:repository'];
  return [
    shownAfter('Context of the chat', ['next-request'], [OPEN_MANAGER], {}),
    shownAfter('Tools of the chat', onlyTools, [OPEN_MANAGER], {}),
    shownAfter('Session files of the chat', [...onlyTools, 'manager-closed:tool'], [OPEN_MANAGER], {}),
    shownAfter('Repository map of the chat', ['next-request', ...closed, 'manager-closed:tool', 'manager-closed:page'], [OPEN_MANAGER], {}),
    shownAfter('No servers yet', onlyTools, [OPEN_MANAGER], { manager: { ...MANAGER, agent: null, tools: VSCODE_TOOLS } }),
    shownAfter('Servers with a sign-in', onlyTools, [OPEN_MANAGER], { manager: { ...MANAGER, agent: null, tools: SIGNED_IN_TOOLS } }),
    shownAfter('Proof of a rule', ['next-request'], [OPEN_MANAGER, { press: 'Show the requests with this item' }], {}),
  ];
}

/**
 * States with open details, and with too much content.
 *
 * @param now - epoch milliseconds
 */
export function opened(now: number): readonly PreviewState[] {
  const chats = manyChats(now);
  return [
    shown('Context used open', ['a1:context'], {}),
    shown('Next request open', ['next-request', 'next-request:files', 'next-request:system'], { nextRequest: CORRECTED }),
    ...[
      deepFolders(),
      manyFiles(),
      picked(),
      ruleMenu(),
      forgotten(),
      repeatedResults(),
      editorState(),
      partlyExpired(),
      repositoryMap(),
      excludedTurns(),
      servedTools(),
      NOT_OFFERED,
      ...STARTING,
      RESTRICTED,
    ],
    shownAfter('Settings open', [], [{ press: 'Chat menu' }, { press: 'Chat settings' }], {}),
    ...managed(),
    shownAfter('Many chats', [], [{ press: 'Switch chat' }], { chats }),
    shownAfter('Search', [], [{ press: 'Switch chat' }, { into: 'Search chats', type: 'surrogate' }], {
      chats: [...chats, listed('surrogates', 'Where surrogates come from', { updatedAt: now - 50 * MINUTE })],
    }),
    shown('Many chips', [], {
      context: [FOLDER, ...Array.from({ length: MOST_CHIPS - 1 }, (_, index) => chip(index))],
      contextTotal: { items: 242, kinds: [['file', 242]], tokens: 912_345, folded: 42, foldedWarnings: 2, tools: 0, toolsNotOffered: 0 },
    }),
    shown('Long words and code', [], {
      chat: chat({ model: { label: 'A model of the northern stations, small window', detail: 'House', hasKey: true } }),
      entries: [
        { ...QUESTION, text: `${LONG_WORD}\n${'A pasted line of a log, which says nothing new.\n'.repeat(30)}` },
        replied(
          'a1',
          [
            text(
              `# ${LONG_WORD}\n\n${LONG_WORD}\n\n\`${LONG_WORD}\`\n\n\`\`\`json\n{"${LONG_WORD}": ${JSON.stringify(LONG_WORD)}}\n\`\`\`\n\n| ${LONG_WORD} | b |\n|---|---|\n| 1 | ${LONG_WORD} |\n\n- ${LONG_WORD}\n\nHidden: a\u202Eb\u200Bc`,
            ),
          ],
          {},
        ),
      ],
      context: [
        {
          key: 'file:long',
          name: `src/${LONG_WORD}.ts`,
          files: null,
          tokens: 1_234_567,
          warning: { kind: 'changed', text: 'It has changed.' },
        },
      ],
    }),
  ];
}

function nothingOf(section: ManagerSection): ManagerSection {
  return section.type === 'file' ? section : { ...section, held: 0, total: 0, tokens: 0, rows: [] };
}

function deepFolders(): PreviewState {
  return shown('Deep folders', ['a1:context', 'next-request', 'next-request:files'], {
    nextRequestRows: requestRows('3 files, added by you', DEEP.map(blockOf), {}),
    contextRows: { a1: contextRows([{ type: 'file', items: DEEP.map(itemOf) }], DEEP.map(blockOf), {}) },
  });
}

/** The maximum number of files that a folder adds. */
function manyFiles(): PreviewState {
  const paths = Array.from({ length: 200 }, (_, index) => `src/stations/station${index}.ts`);
  const system = plainRow('System prompt', 'system', 1, 412);
  const blocks = [system, ...paths.map(blockOf)];
  const [files, framingTokens] = [200 * 1_874, 9];
  const totalTokens = system.tokens + files + framingTokens;
  const shares: NextRequestView['shares'] = [
    { category: 'system', tokens: system.tokens },
    { category: 'files', tokens: files },
    { category: 'framing', tokens: framingTokens },
  ];
  return shown('Many files', ['a1:context', 'next-request', 'next-request:files'], {
    entries: [
      QUESTION,
      replied('a1', [text('They are all alike.')], { contextUsed: { summary: '200 files, added by you', totalTokens, basis: 'exact' } }),
    ],
    nextRequest: {
      ...NEXT,
      totalTokens,
      budget: 999_488,
      limit: 1_000_000,
      shares,
      inputCost: 1.125636,
      forecast: null,
      mayBeCached: true,
    },
    nextRequestRows: requestRows('200 files, added by you', blocks, {}),
    contextRows: { a1: contextRows([{ type: 'file', items: paths.map(itemOf) }], blocks, { framingTokens }) },
  });
}

const blockOf = (path: string): BlockView => fileRow(path, 1_874);

const itemOf = (path: string): ContextItemView => fileItem(path, 1_874, {});

const FOLDER: ContextChip = { key: 'folder:docs', name: 'docs/', files: 5, tokens: 938, warning: null };

function chip(index: number): ContextChip {
  const name = `src/stations/station${index}.ts`;
  const warning = index % 9 === 4 ? ({ kind: 'missing', text: `${name} does not exist.` } as const) : null;
  return { key: `file:${name}`, name, files: null, tokens: warning === null ? 120 + index * 37 : null, warning };
}

/** The damage of chats, by their position in the list: two damaged lines, and a damaged file. */
const DAMAGED = new Map([
  [4, { lines: 2 }],
  [5, { lines: 0 }],
]);

function manyChats(now: number): ReturnType<typeof listed>[] {
  const rows = Array.from({ length: MANY }, (_, index) =>
    listed(`other${index}`, index % 7 === 0 ? `Storm of ${2_020 - index}` : `Station ${index}, and how its gauge is read`, {
      updatedAt: now - index * index * 20 * MINUTE,
      messageCount: 2 + index * 11,
      unsaved: index === 1,
      running: index === 2,
      damage: DAMAGED.get(index) ?? null,
      firstRole: index === 4 ? 'assistant' : 'user',
    }),
  );
  const unreadable = listed('unreadable', 'Unreadable chat', { updatedAt: 0, preview: 'Its folder cannot be read: access was denied.' });
  return [listed(CHAT_ID, 'How the tide is predicted', { updatedAt: now }), unreadable, ...rows];
}
