import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { deltas } from '../unit/openaiCompatible/support.js';
import { EVENTS, json, ScriptedServer } from '../support/wire/compatibleServer.js';
import { type ChatPanel, sharedWorkbench, type Workbench } from '../support/workbench/index.js';

const MODEL = { id: 'plain', maxInputTokens: 100_000, maxOutputTokens: 2_000 };

/** OpenAI's words about a bad schema. */
const invalid = (tool: string): object => ({ error: { message: `Invalid schema for function '${tool}': array schema missing items.` } });

describe('a tool that the server does not accept', () => {
  const server = new ScriptedServer();
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    await server.start();
    ({ workbench, panel } = await sharedWorkbench());
    const provider = { id: 'strict', label: 'Strict', protocol: 'openai-compatible', baseUrl: `${server.origin}/v1`, models: [MODEL] };
    await workbench.runCommand('loupe.addProvider', provider, 'the-key');
    await workbench.updateSettings({ 'loupe.defaults.workspaceTools': 'on' });
    // Until the panel shows a chat with these tools, it would send to the chat before.
    await workbench.runCommand('loupe.newChat');
    await panel.frame.locator('.items-kinds', { hasText: /\b10 tools\b/ }).waitFor();
  });

  after(async () => {
    await workbench.updateSettings({ 'loupe.providers': undefined, 'loupe.defaults.workspaceTools': undefined });
    await server.stop();
  });

  beforeEach(async () => {
    server.seen.length = 0;
    await panel.newChat();
    await workbench.runCommand('loupe.selectModel', 'strict/plain');
  });

  const offered = (at: number): string[] => {
    const { tools = [] } = JSON.parse(server.seen.at(at)?.body.toString('utf8') ?? '{}') as { tools?: { function: { name: string } }[] };
    return tools.map(({ function: { name } }) => name);
  };

  async function refusal(tool: string): Promise<Locator> {
    await panel.send('When is low water?');
    const note = panel.log.getByRole('group', { name: 'Reply failed' });
    await note.getByText(`Strict does not accept the tool "${tool}".`).waitFor();
    return note;
  }

  async function answeredWithout(tool: string): Promise<void> {
    await panel.log.getByText('At 10:25.').waitFor();
    await panel.idle();
    assert.ok(offered(0).includes(tool));
    assert.deepEqual(
      offered(-1),
      offered(0).filter((name) => name !== tool),
    );
    assert.equal(await panel.log.getByRole('group', { name: 'Reply failed' }).count(), 0, 'the retry replaces the failed reply');
  }

  it('is excluded from the chat by the button of the failure, which then sends the message again', async () => {
    server.answer = (response, seen) =>
      seen.body.includes('"read_file"')
        ? json(400, invalid('read_file'))(response, seen)
        : void response.writeHead(200, EVENTS).end(deltas('stop', { content: 'At 10:25.' }));
    const note = await refusal('read_file');
    await note.getByRole('button', { name: 'Exclude the tool and retry' }).click();
    await answeredWithout('read_file');
  });

  it('is not offered by a retry either, also when the server refuses it inside a stream with status 200', async () => {
    server.answer = (response, { body }) => {
      const events = body.includes('"list_files"')
        ? `data: ${JSON.stringify(invalid('list_files'))}\n\n`
        : deltas('stop', { content: 'At 10:25.' });
      response.writeHead(200, EVENTS).end(events);
    };
    const note = await refusal('list_files');
    await note.getByRole('button', { name: 'Retry', exact: true }).click();
    await answeredWithout('list_files');
    assert.ok(!offered(0).includes('read_file'), 'the server refused this tool in the chat before');
  });
});
