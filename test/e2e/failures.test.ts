import assert from 'node:assert/strict';
import { deltas } from '../unit/openaiCompatible/support.js';
import { EVENTS, json, ScriptedServer } from '../support/wire/compatibleServer.js';
import { type ChatPanel, QuickInput, sharedWorkbench, type Workbench } from '../support/workbench/index.js';

const KEY = 'the-right-key';
const MODEL = { id: 'plain', maxInputTokens: 100_000, maxOutputTokens: 2_000 };

describe('the buttons of a failed reply', () => {
  const server = new ScriptedServer();
  let workbench: Workbench;
  let panel: ChatPanel;
  let quick: QuickInput;
  /** The server refuses a wrong key after this. */
  let refusal = Promise.resolve();

  before(async () => {
    await server.start();
    ({ workbench, panel } = await sharedWorkbench());
    quick = new QuickInput(workbench.page);
    server.answer = async (response, seen) => {
      if (seen.url === '/v1/models') {
        return json(200, { data: [MODEL] })(response, seen);
      }
      if (seen.url !== '/v1/chat/completions') {
        return json(404, { error: { message: 'Not found' } })(response, seen);
      }
      if (seen.headers.authorization !== `Bearer ${KEY}`) {
        await refusal;
        return json(401, { error: { message: 'Incorrect API key provided' } })(response, seen);
      }
      return void response.writeHead(200, EVENTS).end(deltas('stop', { content: 'At 10:25.' }));
    };
  });

  after(async () => {
    await workbench.updateSettings({ 'loupe.providers': undefined });
    await server.stop();
  });

  async function askAt(path: string, key: string): Promise<void> {
    const provider = { id: 'tides', label: 'Tides', protocol: 'openai-compatible', baseUrl: `${server.origin}${path}`, models: [MODEL] };
    await workbench.runCommand('loupe.addProvider', provider, key);
    // An empty chat looks like the new chat that replaces it, so the model could be set in the chat that goes.
    if ((await panel.articles('You').count()) > 0) {
      await panel.newChat();
    }
    await workbench.runCommand('loupe.selectModel', 'tides/plain');
    await panel.send('When is low water?');
  }

  async function failAt(path: string, key: string, sentence: string): Promise<void> {
    await askAt(path, key);
    await note().getByText(sentence).waitFor();
    await panel.idle();
  }

  const note = () => panel.log.getByRole('group', { name: 'Reply failed' });
  const firstButton = (): Promise<string | null> => note().locator('.run-note-actions vscode-button').first().textContent();

  async function answered(): Promise<void> {
    await panel.log.getByText('At 10:25.').waitFor();
    await panel.idle();
    assert.equal(await note().count(), 0, 'the reply replaces the failed one');
    assert.equal(await panel.articles('You').count(), 1);
    assert.equal(await panel.log.getByText('Retry after error').count(), 0);
  }

  it('ask for a refused key, and then send the message again', async () => {
    await failAt('/v1', 'a-wrong-key', 'Tides rejected the key.');
    assert.equal(await firstButton(), 'Set key and retry');
    await panel.button('Set key and retry').click();
    await quick.asked('API key for');
    await quick.type(KEY);
    await answered();
    assert.equal(server.seen.at(-1)?.headers.authorization, `Bearer ${KEY}`);
  });

  it('send nothing again when the user enters no key', async () => {
    await failAt('/v1', 'a-wrong-key', 'Tides rejected the key.');
    const sent = server.seen.length;
    await panel.button('Set key and retry').click();
    await quick.asked('API key for');
    await workbench.page.keyboard.press('Escape');
    await quick.widget.waitFor({ state: 'detached' });
    assert.equal(server.seen.length, sent);
    assert.equal(await note().count(), 1);
  });

  it('come before a message that waits: it is sent at a click', async () => {
    let refuse = (): void => undefined;
    refusal = new Promise((resolve) => {
      refuse = resolve;
    });
    await askAt('/v1', 'a-wrong-key');
    await panel.button('Stop').waitFor();
    await panel.send('And high water?');
    const waiting = panel.articles('You').last();
    await waiting.getByText('Waiting to be sent').waitFor();
    refuse();
    await note().getByText('Tides rejected the key.').waitFor();
    await waiting.getByText('Not sent yet').waitFor();
    await panel.button('Set key and retry').click();
    await quick.asked('API key for');
    await quick.type(KEY);
    await panel.log.getByText('At 10:25.').waitFor();
    await panel.idle();
    await waiting.getByText('Not sent yet').waitFor();
    await waiting.getByRole('button', { name: 'Send now' }).click();
    await panel.log.getByText('At 10:25.').nth(1).waitFor();
    await panel.idle();
  });

  it('open the wizard at the provider whose path is wrong', async () => {
    await failAt('/wrong', KEY, 'Tides found nothing at this address (HTTP 404). Check the base URL.');
    assert.equal(await firstButton(), 'Edit provider');
    await panel.button('Edit provider').click();
    await quick.asked('Name of the provider');
    await quick.confirm();
    await quick.asked('Base URL of the API');
    await quick.type(`${server.origin}/v1`);
    await quick.asked('Leave the field empty to keep the stored key.');
    await quick.confirm();
    await quick.asked('Choose the models to use');
    await quick.takeChecked();
    await quick.pick('Save without a test');
    await workbench.page.locator('.notification-list-item').getByText('Tides is saved.').last().waitFor();
    await note().locator('vscode-button', { hasText: 'Retry' }).click();
    await answered();
  });

  it('still send the message again when another provider has replaced the one that failed', async () => {
    await failAt('/wrong', KEY, 'Tides found nothing at this address');
    await workbench.updateSettings({ 'loupe.providers': undefined });
    await panel.button('Edit provider').click();
    await panel.frame.getByText('The provider tides does not exist.').waitFor();
    await workbench.runCommand('loupe.selectModel', 'practice/standard');
    await note().locator('vscode-button', { hasText: 'Retry' }).click();
    await note().waitFor({ state: 'detached' });
    await panel.idle();
    assert.equal(await panel.articles('Assistant').count(), 1);
  });
});
