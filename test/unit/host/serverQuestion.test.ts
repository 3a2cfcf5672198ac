import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ServerStatus } from '../../../src/engine/tools/tool.js';
import { apiQuestions, respond } from '../../../src/host/api/api.js';
import { ServerPermissions } from '../../../src/host/tools/serverPermissions.js';
import { columns } from '../../support/columns.js';
import { until } from '../../support/host/clocks.js';
import { panelOf, type TestPanel } from '../../support/host/panel.js';
import { EchoServer, toolboxWith } from '../../support/host/toolServer.js';
import { type Window, useWindows } from '../../support/host/window.js';

class AskingServer extends EchoServer {
  override status: ServerStatus = 'stopped';
  readonly #leaves: ServerPermissions;
  #answer: Promise<boolean> | null = null;

  constructor(leaves: ServerPermissions) {
    super('files', 'read');
    this.#leaves = leaves;
  }

  override async allowed(): Promise<void> {
    const launch = { type: 'stdio', line: 'npx files', cwd: null, given: [] } as const;
    this.#answer ??= this.#leaves.mayStart(
      { name: this.name, place: '.vscode/mcp.json', identity: 'hash', launch },
      new AbortController().signal,
    );
    await this.#answer;
  }

  override async start(): Promise<void> {
    await this.allowed();
    this.status = (await this.#answer) === true ? 'running' : 'failed';
  }
}

describe('a message that needs a server of the workspace', () => {
  const windows = useWindows();
  let window: Window;
  let test: TestPanel;
  let server: AskingServer;

  beforeEach(async () => {
    const leaves = new ServerPermissions({ get: () => undefined, update: () => Promise.resolve() }, assert.ifError);
    server = new AskingServer(leaves);
    const asks = { startQuestion: leaves.question.bind(leaves), answerStart: leaves.answer.bind(leaves) };
    window = windows.open({ toolbox: { ...toolboxWith([server], join(windows.folder, 'allowed')), ...asks } });
    test = await panelOf(window, undefined);
  });

  it('waits for the answer, says so in the panel, in the list of chats and in the API, and is answered then', async () => {
    const session = await test.shown.current();
    const sending = test.say({ type: 'send', chatId: session.id, text: 'Which files?' });
    await until(() => test.webview.state.startingServers.length > 0, 'the message to wait');
    assert.deepEqual(test.webview.state.startingServers, ['files']);
    await until(() => test.webview.state.serverQuestion?.line === 'npx files', 'the question');
    await until(() => window.chats.list().find(({ id }) => id === session.id)?.waiting === true, 'the chat to wait');
    assert.deepEqual(columns(apiQuestions(session), 'kind', 'id'), [['server', 'hash']]);
    assert.equal(window.model.bodies.length, 0);
    await respond(session, 'hash', true);
    await until(() => window.model.bodies.length > 0, 'the request');
    await sending;
    await until(() => !session.conversation.isRunning, 'the reply');
    assert.equal(server.status, 'running');
    assert.deepEqual(apiQuestions(session), []);
    await until(() => test.webview.state.startingServers.length === 0, 'the panel to say nothing of servers');
    await until(() => window.chats.list().find(({ id }) => id === session.id)?.waiting === false, 'the chat to wait no longer');
  });

  it('can be sent without it, and the question stays for later', async () => {
    const session = await test.shown.current();
    const sending = test.say({ type: 'send', chatId: session.id, text: 'Which files?' });
    await until(() => test.webview.state.startingServers.length > 0, 'the message to wait');
    await test.say({ type: 'sendWithoutServers', chatId: session.id });
    await until(() => window.model.bodies.length > 0, 'the request');
    await sending;
    assert.equal(server.status, 'stopped');
    assert.deepEqual(apiQuestions(session), [], 'no message waits for it');
    assert.equal(test.webview.state.serverQuestion?.name, 'files');
  });
});
