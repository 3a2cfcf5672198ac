import assert from 'node:assert/strict';
import { join } from 'node:path';
import { html } from 'lit';
import { nextRequest } from '../../webview/chat/nextRequest/nextRequestSection.js';
import { installed, McpRig, NEVER } from '../support/mcp/rig.js';
import { until } from '../support/host/clocks.js';
import { openPanel } from '../support/host/panel.js';
import { toolboxWith } from '../support/host/toolServer.js';
import { useWindows } from '../support/host/window.js';
import { words } from '../support/webview/markup.js';
import { pressed } from '../support/webview/pressed.js';

/** Starting the servers takes a second on a busy computer. */
const START_MS = 30_000;

describe('Start now beside the price before sending', function () {
  this.timeout(START_MS);
  const windows = useWindows();
  let rig: McpRig;

  beforeEach(() => {
    rig = new McpRig({});
  });

  afterEach(() => rig.servers.dispose());

  it('starts a server whose tools were never told: the price then has them, and is no lower bound any more', async () => {
    const server = rig.server(installed('everything'));
    const toolbox = toolboxWith([server], join(windows.folder, 'allowed'));
    const test = openPanel(windows.open({ toolbox }), { currentChat: undefined });
    // As in the window.
    rig.servers.listen({ configured: () => undefined, changed: test.panel.requestChanged.bind(test.panel) });
    await test.say({ type: 'ready' });
    await test.say({ type: 'showRows', chips: false, nextRequest: true, contextUsed: [], manager: null });
    const section = (): unknown => {
      const { state } = test.webview;
      const nothing = (): void => undefined;
      const groups = { isOpen: () => false, toggle: nothing };
      const chat = state.chat ?? assert.fail('No chat is on show.');
      return nextRequest(state, { chat, isOpen: true, onToggle: nothing, onManage: nothing, onSettings: nothing, groups, items: html`` });
    };
    const shown = (): string => words(section());
    await until(() => test.webview.state.nextRequest !== null, 'the request is composed');
    assert.match(shown(), /≥ .*\+ tools of tested, size unknown until the server starts with this message · Start now/);
    for (const message of pressed(section(), 'Start now')) {
      await test.say(message);
    }
    assert.equal(server.status, 'stopped', 'the host of this test only notes it');
    await rig.servers.restart('tested', NEVER);
    await until(() => test.webview.state.contextTotal.tools > 0, 'the tools are in the request');
    assert.doesNotMatch(shown(), /≥|Start now/);
    assert.equal(server.status, 'running');
  });
});
