import assert from 'node:assert/strict';
import { join } from 'node:path';
import { isWaiting } from '../../../src/engine/chat/calls/calls.js';
import { messageTexts } from '../../../src/engine/chat/message/message.js';
import { messagesOf } from '../../../src/engine/chat/timeline.js';
import { itemOf, type CatalogItem } from '../../../src/engine/context/catalogItem.js';
import { itemKey, type IncludeMode } from '../../../src/engine/record/item.js';
import { FIND_TOOLS } from '../../../src/engine/tools/findTools.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { CatalogRanker } from '../../../src/host/context/catalog/catalogRanker.js';
import type { ToolSection } from '../../../src/protocol/panel/manager.js';
import type { BlockView } from '../../../src/protocol/panel/requestRows.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { until } from '../../support/host/clocks.js';
import { beginWithTools, openPanel, type TestPanel } from '../../support/host/panel.js';
import { EchoServer, toolboxWith } from '../../support/host/toolServer.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';

const AGENT = '---\nname: Clerk\ntools:\n  files: onDemand\n  files:write: always\nrules:\n  Tides: onDemand\n---\nYou keep the books.';

describe('the tools of a server that an agent has on demand', () => {
  const windows = useWindows();
  let files: EchoServer;
  let test: TestPanel;
  let session: ChatSession;

  beforeEach(async () => {
    files = new EchoServer('files', 'list', 'read', 'write');
    const workspace = new MemoryFiles();
    workspace.texts.set('.loupe/agents/clerk.md', AGENT);
    const window = windows.open({ files: workspace, toolbox: toolboxWith([files], join(windows.folder, 'allowed')) });
    test = openPanel(window, { currentChat: undefined });
    session = await beginWithTools(test, 'files');
    await session.changeConfig({ agent: 'Clerk' });
    await shows('the agent', ({ manager }) => manager?.agent === 'Clerk');
  });

  const state = (): PanelState => test.webview.state;
  const shows = (what: string, is: (view: PanelState) => boolean): Promise<void> => until(() => is(state()), what);
  const rows = (): readonly unknown[] =>
    (state().nextRequestRows?.blocks ?? [])
      .filter(({ category }) => category === 'tools')
      .map(({ label, includeMode, tokens, loadedTokens }) => [label, includeMode, tokens > 0, (loadedTokens ?? 0) > 0]);
  const row = (name: string): BlockView | undefined => state().nextRequestRows?.blocks.find(({ label }) => label === name);
  const section = (): ToolSection => state().manager?.tools ?? assert.fail('There are no tools.');
  const told = (): readonly string[] =>
    messagesOf(session.state.timeline).flatMap((message) => (message.role === 'tool-results' ? messageTexts(message) : []));

  const WRITE = ['files/write', 'always', true, false];
  const NAMES = ['2 tool names, definitions on demand', null, true, false];

  it('are named in the next request, behind those that are whole, and have no tokens', async () => {
    assert.deepEqual(rows(), [WRITE, NAMES, ['files/list', 'onDemand', false, false], ['files/read', 'onDemand', false, false]]);
    assert.deepEqual(
      section().servers.map(({ includeMode, held, total, tools }) => [
        includeMode,
        held,
        total,
        tools?.map((tool) => [tool.includeMode, tool.state, tool.tokens]),
      ]),
      [
        [
          'onDemand',
          3,
          3,
          [
            ['onDemand', 'in', 0],
            ['onDemand', 'in', 0],
            ['always', 'in', row('files/write')?.tokens],
          ],
        ],
      ],
    );
    assert.equal(section().loadsTools, true);
    const remarks = state().nextRequestRows?.remarks.map(({ text }) => text);
    assert.deepEqual(remarks, ['.loupe/agents/clerk.md has rules: Tides as "onDemand". Write always, manual, agent or off.']);
  });

  it('are on demand again when their removal is undone', async () => {
    const before = rows();
    await test.say({ type: 'removeServer', chatId: session.id, server: 'files' });
    await shows('that they are gone', () => rows().length === 0);
    await test.say({ type: 'bannerAction', bannerId: 'contextRemoved', action: 'undoRemove', argument: session.id });
    await shows('that they are back', () => rows().length === 4);
    assert.deepEqual([rows(), session.state.context.size], [before, 0]);
  });

  it('run once the model has loaded them, and are asked about then; before, the model is told to load them', async () => {
    await session.conversation.send('/tool files__list {}');
    assert.deepEqual(told(), [`The tool did not run: files__list is not loaded. Load it with ${FIND_TOOLS}, then call it.`]);
    await session.conversation.send(`/tool ${FIND_TOOLS} {"query":"files__list"}`);
    assert.equal(told().at(-1), 'The tool files__list is loaded.');
    assert.deepEqual(files.calls, []);

    await shows('the load', () => row('files/list')?.loadedTokens !== undefined);
    assert.deepEqual(rows(), [WRITE, NAMES, ['files/list', 'onDemand', false, true], ['files/read', 'onDemand', false, false]]);
    const list = section().servers[0]?.tools?.find(({ name }) => name === 'list');
    assert.equal(list?.tokens, row('files/list')?.loadedTokens);

    const sent = session.conversation.send('/tool files__list {"a":1}');
    const waiting = (): string | undefined => [...session.state.runs.values()].flatMap(({ calls }) => calls).find(isWaiting)?.callId;
    await until(() => waiting() !== undefined, 'the question');
    await session.answers.approve(waiting() ?? '', { scope: 'once', reason: null });
    await sent;
    assert.deepEqual(files.calls, ['{"a":1}']);
  });
});

describe('the ranking of a catalog with tools on demand', () => {
  const item = (name: string, include: IncludeMode): CatalogItem => ({
    ...{ type: 'tool', name, serverName: 'tides', source: 'tides', description: 'High tide and low tide.', text: '', include },
    ...{ applies: null, offBy: null, priority: 0, problem: null, remarks: [], copies: [] },
  });
  const all = [item('tide_high', 'onDemand'), item('tide_low', 'onDemand'), item('sea', 'agent')];
  const catalog = new Map(all.map((each) => [itemKey(itemOf(each)), each]));
  const ranked = async (loadsTools: boolean): Promise<readonly string[]> =>
    (await new CatalogRanker().rank(catalog, 'When is high tide?', { most: 1, loadsTools })).map(({ key }) => key);

  it('leaves them out where the model loads them, so that they take no place from others, and else ranks them', async () => {
    assert.deepEqual(await ranked(true), ['tool:tides/sea']);
    assert.deepEqual(await ranked(false), ['tool:tides/tide_high']);
  });
});
