import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilEnded } from '../support/mcp/processes.js';
import { root } from '../support/paths.mjs';
import {
  ChatPanel,
  extensionHosts,
  killExtensionHost,
  latestChat,
  openLoupe,
  QuickInput,
  startWorkbench,
  waitFor,
  type Workbench,
} from '../support/workbench/index.js';

const SERVER = join(root, 'test/support/mcp/hostileServer.mjs');

describe('while the form of a server waits for the user', () => {
  let folder: string;
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loupe-forms-'));
    await mkdir(join(folder, '.vscode'));
    const servers = { forms: { command: process.execPath, args: [SERVER, 'asks'] } };
    await writeFile(join(folder, '.vscode', 'mcp.json'), JSON.stringify({ servers }));
    workbench = await startWorkbench({ workspaceDir: folder });
  });

  after(async () => {
    await workbench.close();
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    panel = new ChatPanel(await openLoupe(workbench.page));
    await panel.newChat();
  });

  const dialog = (): QuickInput => new QuickInput(workbench.page);
  const allow = (tool: string): Promise<void> =>
    panel.log
      .getByRole('group', { name: `Allow forms:${tool}?` })
      .getByRole('button', { name: 'Once' })
      .click();

  /** Has the server ask. Returns the id of its process. */
  async function asked(): Promise<number> {
    await panel.send('/tool forms__pids {}');
    await allow('pids');
    await panel.idle();
    const { messages } = await latestChat(workbench);
    const [pid] = JSON.parse(/\[\d+,\d+\]/.exec(JSON.stringify(messages))?.[0] ?? '[]') as number[];
    assert.ok(pid !== undefined, JSON.stringify(messages));
    await panel.send('/tool forms__ask {}');
    await allow('ask');
    await dialog().asked('Your name?');
    await panel.log.getByText('forms asks you something, at the top of the window.').waitFor();
    return pid;
  }

  /** The call has ended in words, nothing of its server is left, and the chat goes on with a server that is started anew. */
  async function expectGoneAndGoingOn(pid: number): Promise<void> {
    await untilEnded(pid);
    await panel.log.getByText('Interrupted: VS Code closed before the tools had finished.').waitFor();
    assert.equal(await dialog().widget.count(), 0);
    await panel.send('/tool forms__ask {}');
    await allow('ask');
    await dialog().asked('Your name?');
    await dialog().pick('Refuse');
    await panel.idle();
    await panel.log.getByText('"action":"decline"').first().waitFor();
  }

  it('the window is reloaded', async () => {
    const pid = await asked();
    panel = new ChatPanel(await openLoupe(await workbench.restartPage()));
    await expectGoneAndGoingOn(pid);
  });

  it('the extension host is killed', async () => {
    const pid = await asked();
    const killed = await killExtensionHost(workbench);
    await waitFor('a new extension host', () => extensionHosts(workbench.server).find((each) => !killed.includes(each)));
    await panel.gone();
    panel = new ChatPanel(await openLoupe(workbench.page));
    await expectGoneAndGoingOn(pid);
  });
});
