import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { addedByHand } from '../../../src/host/context/catalog/catalogChoice.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { until } from '../../support/host/clocks.js';
import { beginWithTools, openPanel, type TestPanel } from '../../support/host/panel.js';
import { EchoServer, toolboxWith } from '../../support/host/toolServer.js';
import { MemoryFiles, useWindows, type Window } from '../../support/host/window.js';

const AGENT = '---\nname: Reader\ntools:\n  workspace: always\n---\nYou read.';

describe("Loupe's own tools in a chat", () => {
  const windows = useWindows();
  let workspace: EchoServer;
  let config: { workspaceTools: 'on' | 'off' };

  const open = (): { readonly window: Window; readonly test: TestPanel } => {
    config = { workspaceTools: 'on' };
    workspace = new EchoServer('workspace', 'list_files', 'read_file');
    const files = new MemoryFiles();
    files.texts.set('.loupe/agents/reader.md', AGENT);
    const toolbox = toolboxWith([workspace, new EchoServer('git', 'log')], join(windows.folder, 'allowed'));
    const window = windows.open({ files, toolbox, config });
    return { window, test: openPanel(window, { currentChat: undefined }) };
  };

  const begin = (test: TestPanel): Promise<ChatSession> => beginWithTools(test, 'workspace');

  const told = ({ contextTotal, nextRequestRows, manager }: PanelState): unknown => ({
    chip: contextTotal.tools,
    request: nextRequestRows?.servers.map(({ name, total }) => [name, total]),
    leftOut: nextRequestRows?.notSelected.total,
    available: nextRequestRows?.available.tool,
    managed: manager?.tools.servers.map(({ name, held, total }) => [name, held, total]),
    lacksOwn: manager?.tools.lacksOwn,
  });

  const WITH = {
    ...{ chip: 3, leftOut: 0, available: 3, lacksOwn: false },
    request: [
      ['workspace', 2],
      ['git', 1],
    ],
    managed: [
      ['workspace', 2, 2],
      ['git', 1, 1],
    ],
  };
  const WITHOUT = { chip: 1, leftOut: 0, available: 1, lacksOwn: true, request: [['git', 1]], managed: [['git', 1, 1]] };

  const shows = (test: TestPanel, expected: { readonly chip: number }, what: string): Promise<void> =>
    until(() => test.webview.state.nextRequest !== null && test.webview.state.contextTotal.tools === expected.chip, what);

  const sent = ({ model }: Window): unknown =>
    model.bodies.map((body) =>
      (JSON.parse(body) as { readonly tools?: readonly { readonly name: string }[] }).tools?.map(({ name }) => name),
    );

  const set = ({ test, id }: { readonly test: TestPanel; readonly id: string }, value: string): Promise<void> =>
    test.say({ type: 'changeSetting', chatId: id, name: 'workspaceTools', value });

  const send = async (test: TestPanel, session: ChatSession): Promise<void> => {
    const requests = session.state.attempts.size;
    await test.say({ type: 'send', chatId: session.id, text: '/long 1' });
    await until(() => session.state.attempts.size > requests && !session.conversation.isRunning, 'the reply');
  };

  it('leave it and come back by its settings, wherever the panel counts them, and those of another chat stay', async () => {
    const { window, test } = open();
    const session = await begin(test);
    await shows(test, WITH, 'all tools');
    assert.deepEqual(told(test.webview.state), WITH);
    const other = await window.chats.create();
    await send(test, session);
    await set({ test, id: session.id }, 'off');
    await shows(test, WITHOUT, 'the chat without them');
    assert.deepEqual(told(test.webview.state), WITHOUT);
    assert.deepEqual(test.webview.state.nextRequest?.warnings, [], 'the server has changed nothing');
    await send(test, session);
    await other.conversation.send('/long 1');
    await set({ test, id: session.id }, 'on');
    await shows(test, WITH, 'all tools again');
    assert.deepEqual(told(test.webview.state), WITH);
    await send(test, session);
    const all = ['list_files', 'read_file', 'git__log'];
    assert.deepEqual(sent(window), [all, ['git__log'], all, all]);
  });

  it('are not in it where the default of new chats is off, whatever its agent and the user have put in; a chat from before keeps them', async () => {
    const { window, test } = open();
    const before = await begin(test);
    config.workspaceTools = 'off';
    test.panel.requestChanged();
    await test.say({ type: 'newChat' });
    const session = await test.shown.current();
    assert.notEqual(session.id, before.id);
    await shows(test, WITHOUT, 'the new chat');
    await session.changeConfig({ agent: 'Reader' });
    await session.context.add(addedByHand({ type: 'tool', name: 'read_file', serverName: 'workspace' }));
    await shows(test, WITHOUT, 'the new chat with an agent');
    await until(() => test.webview.state.manager?.agent === 'Reader', 'the agent');
    assert.deepEqual(told(test.webview.state), WITHOUT);
    await send(test, session);
    await before.conversation.send('/long 1');
    assert.deepEqual(sent(window), [['git__log'], ['list_files', 'read_file', 'git__log']]);
  });

  it('stay in a run that began with them', async () => {
    const { window, test } = open();
    const session = await begin(test);
    workspace.work = async () => {
      await set({ test, id: session.id }, 'off');
      return { content: [], isError: false, edits: [] };
    };
    const run = test.say({ type: 'send', chatId: session.id, text: '/tool read_file {}' });
    const call = (): string | undefined => [...session.state.runs.values()].flatMap(({ calls }) => calls).at(-1)?.callId;
    await until(() => call() !== undefined, 'the call');
    await session.answers.approve(call() ?? '', { scope: 'once', reason: null });
    await run;
    await send(test, session);
    const all = ['list_files', 'read_file', 'git__log'];
    assert.deepEqual(sent(window), [all, all, ['git__log']]);
  });
});
