import type { PanelState } from '../../../src/protocol/panel/state.js';
import type { AskedCallView, EditChangeView, ToolCallView, ToolQuestionView } from '../../../src/protocol/panel/toolCalls.js';
import type { PreviewState } from '../state.js';
import { text } from '../views.js';
import { QUESTION, chat, replied, shown, shownAfter } from './parts.js';
import { QUESTION_OF_TOOL, WAITS, toolCall } from './toolCalls.js';

const OPEN_MANAGER = { press: 'Manage context' };

function asks(name: string, open: readonly string[], ...calls: readonly ToolCallView[]): PreviewState {
  const entries = [QUESTION, replied('a1', [text('I write the file.'), ...calls], {})];
  return shown(name, open, { chat: chat({ running: true }), entries });
}

function waits(call: ToolCallView, changes: Partial<ToolQuestionView>): ToolCallView {
  return { ...call, status: { kind: 'waiting', question: { ...QUESTION_OF_TOOL, ...changes } } };
}

const OWN_EDIT = toolCall('c11', 'edit_file', '{"path":"src/heap.ts","old_text":"push(","new_text":"add("}', { subject: 'src/heap.ts' });

function editAsks(name: string, change: EditChangeView): PreviewState {
  return asks(name, [], waits(OWN_EDIT, { change }));
}

const READS: readonly AskedCallView[] = [
  { name: 'read_file', subject: 'src/engine/tokens/bpe.ts', args: '{"path":"src/engine/tokens/bpe.ts"}' },
  { name: 'read_file', subject: 'src/heap.ts', args: '{"path":"src/heap.ts"}' },
  { name: 'search_text', subject: 'countTokens', args: '{"query":"countTokens"}' },
];

/** Three calls with one question, which is below the first of them. */
function readsAsk(name: string, open: readonly string[]): PreviewState {
  const calls = READS.map(({ name: tool, subject, args }, at): ToolCallView => {
    const call = toolCall(`r${String(at)}`, tool, args, { subject });
    return at === 0 ? waits(call, { covers: 'reading', asked: READS }) : { ...call, status: { kind: 'waiting', question: null } };
  });
  return asks(name, open, ...calls);
}

function commandAsks(name: string, open: readonly string[], args: { readonly command: string; readonly folder?: string }): PreviewState {
  const call = toolCall('c15', 'run_command', JSON.stringify(args), { subject: args.command });
  return asks(name, open, waits(call, { covers: 'command' }));
}

const BENCH = { command: 'npm run bench -- --corpus long', folder: 'packages/tides' };
const LONG = {
  command:
    'for station in $(cat docs/stations.txt); do node scripts/predict.mjs --station "$station" --days 14 >> out/tides.csv; done\nrm -r out/tmp',
};

const FOLDERS = { folders: 'tidewatch', hasChanged: false, workingFolder: null };
const ALLOWED: PanelState['allowedTools'] = {
  rows: [
    { binding: 'b1', kind: 'reading', name: 'tidewatch', reach: 'chat', ...FOLDERS },
    { binding: 'b2', kind: 'tool', name: 'filesystem:search_files', reach: 'chat', ...FOLDERS },
    { binding: 'b3', kind: 'command', name: BENCH.command, reach: 'folder', ...FOLDERS, workingFolder: BENCH.folder },
    { binding: 'b4', kind: 'command', name: LONG.command, reach: 'elsewhere', ...FOLDERS, folders: 'harbour' },
    { binding: 'b5', kind: 'everyCommand', name: 'run_command', reach: 'all', ...FOLDERS },
    { binding: 'b6', kind: 'tool', name: 'browser:fetch_url', reach: 'all', ...FOLDERS, hasChanged: true },
  ],
  unreadable: ['3f9a12'],
  problem: null,
};

/** Questions about tool calls, and the list of what the user allowed. */
export function approvals(): readonly PreviewState[] {
  const closed = ['rule', 'reference', 'skill', 'tool', 'file', 'page', 'repository'].map((type) => `manager-closed:${type}`);
  return [
    readsAsk('Tools that ask to read files of the folder', []),
    readsAsk('What tools ask to read', ['a1:tools-1-0:whole']),
    commandAsks('A command that asks', [], BENCH),
    commandAsks('A long command that asks', [], LONG),
    commandAsks('A long command that is open', ['a1:tools-1-0:whole'], LONG),
    commandAsks('All commands', ['a1:tools-1-0:every'], BENCH),
    asks('A tool of a server that asks', [], WAITS),
    asks('The arguments of a tool of a server', ['a1:tools-1-0:whole'], waits(WAITS, { saysItOnlyReads: true })),
    asks('A tool that changed since it was allowed', [], waits(WAITS, { saysItOnlyReads: true, hasChanged: true })),
    asks(
      'A tool that reads a file with secrets',
      [],
      waits(toolCall('c4', 'read_file', '{"path":"config/.env"}', { subject: 'config/.env' }), { covers: 'call', secret: 'name' }),
    ),
    asks(
      'A tool that edits a file which can start programs',
      [],
      waits(toolCall('c4', 'edit_file', '{"path":".git/config"}', { subject: '.git/config' }), {
        ...{ covers: 'call', isSetup: true, change: { ok: true, added: 1, removed: 1 } },
      }),
    ),
    asks('A refusal, with a reason', ['a1:tools-1-0:refusing'], WAITS),
    editAsks('An edit that asks, and what it would change', { ok: true, added: 1, removed: 1 }),
    editAsks('An edit that asks, and would change nothing', {
      ok: false,
      reason:
        'src/heap.ts does not have old_text: it has changed since it was read, or old_text is not exactly what stands there. Read it again.',
    }),
    shownAfter('Allowed tools', ['next-request', ...closed], [OPEN_MANAGER], { allowedTools: ALLOWED }),
    shownAfter('No allowed tools', ['next-request', ...closed], [OPEN_MANAGER], {
      allowedTools: { rows: [], unreadable: [], problem: null },
    }),
  ];
}
