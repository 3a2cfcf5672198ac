import type { NotSelectedView } from '../../../src/protocol/panel/contextItems.js';
import type { BlockView } from '../../../src/protocol/panel/requestRows.js';
import type { PreviewState } from '../state.js';
import { chat, CONTEXT_ROWS, NEXT, NO_TURNS, said, shown } from './parts.js';
import { NOTHING_AVAILABLE, NOTHING_FORGOTTEN, plainRow } from '../views.js';

type Mode = NonNullable<BlockView['includeMode']>;

const tool = (server: string, name: string, includeMode: Mode, score: number | null): BlockView => ({
  ...{ label: `${server}/${name}`, file: `tool:${server}/${name}`, server, category: 'tools', count: 1, tokens: 233 },
  ...{ includeMode, score, isEarlier: false, cache: null },
});

const out = (name: string, notSelectedReason: string): NotSelectedView => ({
  ...{ type: 'tool', name, file: `tool:vscode/${name}`, includeMode: 'manual', score: null, tokens: null, ofTokens: null },
  ...{ notSelectedReason, canBeAdded: notSelectedReason !== 'switched off' },
});

const FILES = ['create_directory', 'edit_file', 'list_directory', 'read_file', 'write_file'].map((name) =>
  tool('filesystem', name, 'always', null),
);
const GIT = [tool('git', 'git_diff', 'agent', 0.87), tool('git', 'git_log', 'always', null), tool('git', 'git_status', 'always', null)];
const VSCODE = [tool('vscode', 'find_references', 'manual', null), tool('vscode', 'run_tests', 'manual', null)];
/** Two tools on demand, one already loaded by the model, and the list of their names. */
const GITHUB: readonly BlockView[] = [
  { ...tool('github', 'create_issue', 'onDemand', null), tokens: 0, loadedTokens: 512 },
  { ...tool('github', 'merge_pull_request', 'onDemand', null), tokens: 0 },
];
const NAMES = plainRow('2 names, definitions when needed', 'tools', 1, 118);
const LEFT_OUT = [out('rename_symbol', 'switched off'), out('search_web', 'not added')];

const TOOLS = [...FILES, ...GIT, ...VSCODE, ...GITHUB];
const SIZE = [...TOOLS, NAMES].reduce((sum, { tokens }) => sum + tokens, 0);

/** Tools of three servers in the next request. One server changed its tools, another was not called for long. */
export function servedTools(): PreviewState {
  return shown(
    'Tools in the next request',
    ['next-request', ...['tools', 'server:git', 'server:vscode', 'server:github'].map((group) => `next-request:${group}`)],
    {
      contextTotal: { items: 2, files: 2, tokens: 2_777, folded: 0, foldedWarnings: 0, tools: TOOLS.length, toolsNotOffered: 0 },
      nextRequest: {
        ...NEXT,
        warnings: [
          'git has changed its tools since the last request: added git_diff; changed git_log, git_status. So 4,917 tokens are not read from the cache, which costs about $0.0170 more.',
          'browser failed, so its tools are not offered. It ended at its start with code 1.',
        ],
        unusedServers: [{ name: 'vscode', tokens: 466 }],
        totalTokens: 412 + SIZE + 1_204,
        inputCost: 0.0124,
        forecast: null,
        mayBeCached: true,
        shares: [
          { category: 'system', tokens: 412 },
          { category: 'tools', tokens: SIZE },
          { category: 'conversation', tokens: 1_204 },
        ],
      },
      nextRequestRows: {
        summary: `${String(TOOLS.length)} tools (1 agent, 7 always, 2 manual, 2 on demand)`,
        blocks: [plainRow('System prompt', 'system', 1, 412), ...TOOLS, NAMES, plainRow('Conversation', 'conversation', 1, 1_204)],
        notSelected: { total: 2, first: LEFT_OUT.map((each) => ({ ...each, name: `vscode:${each.name}` })) },
        forgotten: NOTHING_FORGOTTEN,
        excludedTurns: NO_TURNS,
        available: { ...NOTHING_AVAILABLE, tool: 14 },
        servers: [
          { name: 'filesystem', total: 5, notSelected: { total: 0, first: [] }, replies: 24, calls: [{ name: 'read_file', ago: 0 }] },
          { name: 'git', total: 3, notSelected: { total: 0, first: [] }, replies: 24, calls: [{ name: 'git_log', ago: 4 }] },
          { name: 'vscode', total: 4, notSelected: { total: 2, first: LEFT_OUT }, replies: 24, calls: [] },
          { name: 'github', total: 2, notSelected: { total: 0, first: [] }, replies: 24, calls: [] },
        ],
        remarks: [],
      },
      contextRows: { a1: CONTEXT_ROWS },
    },
  );
}

/** A chat with tools and a model without tool support. */
export const NOT_OFFERED: PreviewState = shown('Tools that the model does not take', ['next-request'], {
  contextTotal: { items: 2, files: 2, tokens: 2_777, folded: 0, foldedWarnings: 0, tools: 0, toolsNotOffered: TOOLS.length },
  nextRequest: {
    ...NEXT,
    forecast: NEXT.forecast === null ? null : { ...NEXT.forecast, turn: null },
    adaptations: [
      `${String(TOOLS.length)} tools are not offered, because llama-3.2-3b-instruct takes none.`,
      '4 tool calls and results are sent as text, because llama-3.2-3b-instruct takes no tools.',
    ],
  },
});

/** Servers with unknown tools before sending, one that needs approval, and servers that a message waits for. */
export const STARTING: readonly PreviewState[] = [
  shown('Servers that have not run yet', [], {
    nextRequest: {
      ...NEXT,
      unknownServers: [
        { name: 'filesystem', isStarting: false },
        { name: 'github', isStarting: true },
      ],
    },
  }),
  shown('A server that asks whether it may start', [], {
    chat: chat({ running: true }),
    entries: [said('u1', 'Which files changed since the spring tide?', {})],
    startingServers: ['filesystem'],
    serverQuestion: {
      ...{ id: 'q1', name: 'filesystem', place: '.vscode/mcp.json', type: 'stdio', cwd: 'tools' },
      line: "npx -y @modelcontextprotocol/server-filesystem@2026.1.14 '${workspaceFolder}' '/home/ada/tide tables'",
      given: ['TIDES_TOKEN', 'LOG_LEVEL', '.env'],
    },
  }),
  shown('Servers that start', [], {
    chat: chat({ running: true }),
    entries: [said('u1', 'Which files changed since the spring tide?', {})],
    startingServers: ['filesystem', 'github'],
  }),
];
