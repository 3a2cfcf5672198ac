import assert from 'node:assert/strict';
import type { FailedServer, UnknownServer } from '../../../src/protocol/panel/nextRequest.js';
import { join } from 'node:path';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { addServer } from '../../../src/host/context/catalog/catalogChoice.js';
import { lastCalls } from '../../../src/engine/next/lastCalls.js';
import { nextRequestView } from '../../../src/host/panel/nextRequest/nextRequestView.js';
import { nextRequestRows } from '../../../src/host/panel/nextRequest/contextUsed.js';
import { UNUSED_REPLIES, type ManagerView } from '../../../src/protocol/panel/manager.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { price } from '../../../src/protocol/numbers.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { column, columns } from '../../support/columns.js';
import { RunningClock, until } from '../../support/host/clocks.js';
import { beginWithTools, openPanel, type TestPanel } from '../../support/host/panel.js';
import { EchoServer, toolboxWith, toolNamed } from '../../support/host/toolServer.js';
import { MemoryFiles, useWindows, type Window } from '../../support/host/window.js';

const NO_DRAFT = { text: '', editing: null };
const AGENT = '---\nname: Clerk\ntools:\n  git: manual\n  files:write: off\n---\nYou keep the books.';

describe('the servers of tools in the panel', () => {
  const windows = useWindows();
  let files: EchoServer;
  let git: EchoServer;
  let window: Window;
  let test: TestPanel;
  let session: ChatSession;
  let workspace: MemoryFiles;

  beforeEach(async () => {
    files = new EchoServer('files', 'list', 'read', 'write');
    git = new EchoServer('git', 'log');
    workspace = new MemoryFiles();
    workspace.texts.set('.loupe/agents/clerk.md', AGENT);
    window = windows.open({ files: workspace, toolbox: toolboxWith([files, git], join(windows.folder, 'allowed')) });
    test = openPanel(window, { currentChat: undefined });
    session = await beginWithTools(test, 'files');
    await shows('the servers', () => servers().length > 0);
  });

  const state = (): PanelState => test.webview.state;
  const servers = (): ManagerView['tools']['servers'] => state().manager?.tools.servers ?? [];
  const shows = (what: string, is: (view: PanelState) => boolean): Promise<void> => until(() => is(state()), what);
  const boxes = (): unknown => servers().map(({ name, state: box, held, total, includeMode }) => [name, box, held, total, includeMode]);

  it('have a row each, opened one for each tool, with what the next request holds of them and their tokens there', async () => {
    assert.deepEqual(boxes(), [
      ['files', 'in', 3, 3, 'always'],
      ['git', 'in', 1, 1, 'always'],
    ]);
    const [open, closed] = servers();
    assert.deepEqual(
      open?.tools?.map(({ name, state: box, description }) => [name, box, description]),
      ['list', 'read', 'write'].map((name) => [name, 'in', `Does ${name}.`]),
    );
    assert.equal(closed?.tools, null);
    const { nextRequestRows: rows, manager, contextTotal } = state();
    const inBlocks = rows?.blocks.filter(({ category }) => category === 'tools').reduce((sum, { tokens }) => sum + tokens, 0);
    assert.ok((inBlocks ?? 0) > 0);
    assert.deepEqual([manager?.tools.tokens, manager?.tools.held, contextTotal.tools], [inBlocks, 4, 4]);
    assert.deepEqual(
      [rows?.available.tool, columns(rows?.servers, 'name', 'total')],
      [
        4,
        [
          ['files', 3],
          ['git', 1],
        ],
      ],
    );
  });

  it('are as the agent of the chat has them, by tool and by server, and count of a tool that is out what it would take', async () => {
    const before = servers().find(({ name }) => name === 'git')?.tokens;
    await session.changeConfig({ agent: 'Clerk' });
    await shows('the agent', () => state().manager?.agent === 'Clerk');
    assert.deepEqual(boxes(), [
      ['files', 'in', 2, 3, 'always'],
      ['git', 'out', 0, 1, 'manual'],
    ]);
    assert.deepEqual(columns(servers()[0]?.tools, 'name', 'state', 'includeMode'), [
      ['list', 'in', 'always'],
      ['read', 'in', 'always'],
      ['write', 'off', 'off'],
    ]);
    assert.equal(servers()[1]?.tokens, before, 'the same as in the request');
    const { notSelected } = state().nextRequestRows ?? assert.fail('There are no rows.');
    assert.deepEqual(columns(notSelected.first, 'name', 'notSelectedReason', 'canBeAdded'), [
      ['files:write', 'off for the agent of the chat', false],
    ]);
    await addServer(session, 'git', window.catalog);
    await shows('git', () => servers()[1]?.state === 'in');
  });

  it('leave the chat as a whole, and Undo brings all their tools back', async () => {
    await test.say({ type: 'removeServer', chatId: session.id, server: 'files' });
    await shows('the removal', () => servers()[0]?.state === 'out');
    assert.deepEqual(column(state().nextRequestRows?.servers, 'name'), ['git']);
    assert.deepEqual(column(state().banners, 'text'), ['3 tools were removed from this chat.']);
    await test.say({ type: 'bannerAction', bannerId: 'contextRemoved', action: 'undoRemove', argument: session.id });
    await shows('the tools', () => servers()[0]?.state === 'in');
    assert.deepEqual(boxes(), [
      ['files', 'in', 3, 3, 'always'],
      ['git', 'in', 1, 1, 'always'],
    ]);
  });

  it('leave with an offer to undo it, also where one has a single tool', async () => {
    await test.say({ type: 'removeServer', chatId: session.id, server: 'git' });
    await shows('the removal', () => servers()[1]?.state === 'out');
    assert.deepEqual(column(state().banners, 'text'), ['log was removed from this chat.']);
    await test.say({ type: 'bannerAction', bannerId: 'contextRemoved', action: 'undoRemove', argument: session.id });
    await shows('the tool', () => servers()[1]?.state === 'in');
  });

  it('that never told their tools are named before sending, where the chat wants them', async () => {
    const unknown = (): readonly UnknownServer[] | undefined => state().nextRequest?.unknownServers;
    assert.deepEqual(unknown(), []);
    git.status = 'stopped';
    test.panel.requestChanged();
    await until(() => state().nextRequest !== null, 'the request is composed');
    assert.deepEqual(unknown(), [], 'its last known tools count');
    git.tools = [];
    for (const isStarting of [false, true]) {
      git.status = isStarting ? 'starting' : 'stopped';
      test.panel.requestChanged();
      await shows('the server', () => unknown()?.[0]?.isStarting === isStarting);
      assert.deepEqual(unknown(), [{ name: 'git', isStarting }]);
    }
  });

  it('that failed are told before sending, with the reason, unless the chat does not want them; their tools are no new items', async () => {
    const fail = (server: EchoServer): void => {
      server.status = 'failed';
      server.problem = 'The server stopped when it started, with code 1.';
      test.panel.requestChanged();
    };
    const failed = (): readonly FailedServer[] => state().failedServers;
    fail(git);
    await shows('the failure', () => failed().length === 1);
    assert.deepEqual(failed(), [{ name: 'git', problem: 'The server stopped when it started, with code 1.', wantsSignIn: false }]);
    assert.deepEqual(state().nextRequest?.newItems, []);
    assert.deepEqual(columns(servers(), 'name', 'status', 'state').at(-1), ['git', 'failed', 'out']);
    assert.deepEqual(columns(state().nextRequestRows?.notSelected.first, 'name', 'notSelectedReason', 'canBeAdded'), [
      ['git:log', 'its server failed', false],
    ]);
    await test.say({ type: 'removeServer', chatId: session.id, server: 'git' });
    await shows('the removal', () => failed().length === 0);
    files.tools = [];
    fail(files);
    await shows('that of a server without known tools', () => failed().length === 1);
    workspace.texts.set('.loupe/agents/clerk.md', '---\nname: Clerk\ntools:\n  files: manual\n---\nYou keep the books.');
    await session.changeConfig({ agent: 'Clerk' });
    await shows('that the agent does not want it', () => failed().length === 0);
  });

  it('lose a single tool whose box is unchecked: the others stay, and a removal of all files takes none', async () => {
    await test.say({ type: 'removeItems', chatId: session.id, keys: ['tool:files/read'] });
    await shows('the removal', () => servers()[0]?.state === 'some');
    assert.deepEqual(columns(servers()[0]?.tools, 'name', 'state'), [
      ['list', 'in'],
      ['read', 'out'],
      ['write', 'in'],
    ]);
    const [rows] = state().nextRequestRows?.servers ?? [];
    assert.deepEqual(columns(rows?.notSelected.first, 'name', 'notSelectedReason'), [['read', 'excluded from this chat']]);
    await addServer(session, 'files', window.catalog);
    await test.say({ type: 'removeAllContext', chatId: session.id });
    await shows('all', () => servers()[0]?.state === 'in');
  });

  it('are found by their names, those of their tools, and their descriptions', async () => {
    const search = async (text: string): Promise<unknown> => {
      await test.say({
        ...{ type: 'showRows', chips: false, nextRequest: false, contextUsed: [] },
        manager: { search: text, open: [], servers: [], proof: null, rows: {} },
      });
      test.panel.channel.snapshot();
      return servers().map(({ name, tools }) => [name, tools?.map((tool) => tool.name) ?? null]);
    };
    assert.deepEqual(await search('WRITE'), [['files', ['write']]]);
    assert.deepEqual(await search('does l'), [
      ['files', ['list']],
      ['git', ['log']],
    ]);
    assert.deepEqual(await search('git'), [['git', null]]);
    assert.deepEqual(await search('nothing of it'), []);
  });

  it('are none in Restricted Mode, where nothing is said of a server whose tool was added by hand', async () => {
    await session.changeConfig({ agent: 'Clerk' });
    await addServer(session, 'git', window.catalog);
    await shows('git', () => servers()[1]?.state === 'in');
    workspace.isTrusted = false;
    test.panel.requestChanged();
    await shows('Restricted Mode', () => state().manager?.isRestricted === true);
    assert.deepEqual([state().contextTotal.tools, servers()], [0, []]);
  });

  it('say before sending what they changed of their tools since the last request, and nothing of what the user changed', async () => {
    const warnings = async (): Promise<readonly string[]> => {
      const composed = await session.next.preview(NO_DRAFT);
      return nextRequestView(composed, nextRequestRows(composed).blocks, session.state).warnings;
    };
    files.tools = files.tools.slice(0, 2);
    await session.conversation.send('/long 1');
    assert.deepEqual(await warnings(), []);
    await session.context.remove({ type: 'tool', name: 'log', serverName: 'git' });
    assert.deepEqual(await warnings(), []);
    files.tools = [{ ...toolNamed('list'), description: 'Lists, and tells others.' }, toolNamed('move'), toolNamed('write')];
    // It is too short for the cache.
    assert.deepEqual(await warnings(), ['The server "files" changed its tools (added move, write; removed read; changed list).']);
    await session.conversation.send('/long 1');
    assert.deepEqual(await warnings(), []);
  });

  it('say what their changes cost: the forecast with the change, less the forecast without it', async () => {
    const { isPretended: _isPretended, ...prices } = PRACTICE_STANDARD.prices ?? assert.fail('It has prices.');
    const models = [{ ...PRACTICE_STANDARD, prices }];
    const clock = new RunningClock();
    const toolbox = toolboxWith([git, files], join(windows.folder, 'allowed'));
    const billed = windows.open({ models, clock, toolbox, config: { cacheLifetime: '1h' } });
    const chat = await billed.chats.create();
    await chat.conversation.send('The tide comes in. '.repeat(400));
    const kept = await chat.next.preview(NO_DRAFT);
    files.tools = [toolNamed('list'), toolNamed('read'), ...['move', 'copy', 'find', 'name'].map(toolNamed)];
    const composed = await chat.next.preview(NO_DRAFT);
    const [warning, ...others] = nextRequestView(composed, nextRequestRows(composed).blocks, chat.state).warnings;
    const told =
      'The server "files" changed its tools (added move, copy, find and 1 more; removed write). This message rebuilds the cache once:';
    const more = (composed.forecast?.costNow ?? 0) - (kept.forecast?.costNow ?? 0);
    assert.deepEqual([warning, others], [`${told} about ${price(more)} more.`, []]);
    assert.ok(
      (kept.forecast?.parts.read ?? 0) > 1_000 && composed.forecast?.parts.read === 0,
      'the tools before the change are not read either',
    );
    files.tools = [toolNamed('list'), toolNamed('read')];
    // No entry lives longer than an hour.
    clock.time += 3_601_000;
    const later = await chat.next.preview(NO_DRAFT);
    assert.deepEqual(nextRequestView(later, nextRequestRows(later).blocks, chat.state).warnings, [
      'The server "files" changed its tools (removed write).',
    ]);
  });

  it('are offered for removal with their tokens when none of their tools was called for long', async () => {
    const unused = async (): Promise<unknown> => {
      const composed = await session.next.preview(NO_DRAFT);
      return nextRequestView(composed, nextRequestRows(composed).blocks, session.state).unusedServers;
    };
    for (let reply = 2; reply <= UNUSED_REPLIES; reply += 1) {
      await session.conversation.send('/long 1');
    }
    assert.deepEqual(await unused(), [], 'there are too few replies');
    const sent = session.conversation.send('/tool git__log {}');
    await until(() => callOf(session) !== null, 'the call');
    await session.answers.approve(callOf(session) ?? assert.fail('No call waits.'), { scope: 'chat', reason: null });
    await sent;
    assert.equal(lastCalls(session.state).ago.get('git__log'), 0);
    const [server, ...others] = (await unused()) as { readonly name: string; readonly tokens: number }[];
    assert.deepEqual([server?.name, others], ['files', []]);
    assert.ok((server?.tokens ?? 0) > 0);
    await shows('the offer', () => servers()[0]?.isUnused === true);
    assert.deepEqual(columns(servers(), 'isUnused', 'lastCall'), [
      [true, null],
      [false, 0],
    ]);
    assert.deepEqual(columns(state().nextRequestRows?.servers, 'replies', 'calls'), [
      [UNUSED_REPLIES, []],
      [UNUSED_REPLIES, [{ name: 'log', ago: 0 }]],
    ]);
    await test.say({ type: 'removeServer', chatId: session.id, server: 'files' });
    assert.deepEqual(await unused(), []);
    await session.conversation.send('/long 1');
    assert.equal(lastCalls(session.state).ago.get('git__log'), 1);
  });
});

function callOf({ state }: ChatSession): string | null {
  const calls = [...state.runs.values()].flatMap((run) => run.calls);
  return calls.at(-1)?.callId ?? null;
}
