import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiRequest } from '../../src/protocol/api.js';
import { startCachingServer, type CachingServer } from '../support/cachingServer/cachingServer.js';
import { ChatPanel, latestChat, openLoupe, QuickInput, startWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';

const KEY = 'the-right-key';
const MODELS = [
  { id: 'large-model', label: 'Large model', maxInputTokens: 200_000, maxOutputTokens: 8_000 },
  { id: 'small-model', label: 'Small model', maxInputTokens: 32_000, maxOutputTokens: 4_000 },
];

describe('adding a provider', () => {
  let provider: CachingServer;
  let workbench: Workbench;
  let panel: ChatPanel;
  let quick: QuickInput;

  before(async () => {
    provider = await startCachingServer({ key: KEY, models: MODELS });
    workbench = await startWorkbench({});
    panel = new ChatPanel(await openLoupe(workbench.page));
    quick = new QuickInput(workbench.page);
  });

  after(async () => {
    await workbench.close();
    await provider.stop();
  });

  it('goes from the empty chat, past a wrong key, to a model that answers', async () => {
    await panel.button('add a provider').click();
    await quick.asked('How is the provider reached?');
    await quick.pick('Anthropic');
    await quick.asked('A name for the provider');
    await quick.type('House models');
    await quick.asked('The address');
    await quick.type(provider.url);
    await quick.asked('The key for');
    await quick.type('a-wrong-key');
    await quick.dialog.getByText('House models did not accept the key.').waitFor();
    await quick.answer('Change key');
    await quick.asked('The key for');
    await quick.type(KEY);
    await quick.asked('The models to use');
    await quick.check('Large model');
    await quick.takeChecked();
    await quick.asked('Limits and prices');
    await quick.pick('Save');
    await quick.asked('Try it out');
    await quick.pick('Send a small test message');
    await workbench.page.getByRole('button', { name: 'Use Large model in this chat' }).click();
    await panel.frame.getByText('Large model answers here.').waitFor();

    await panel.sendAndWait('Hello');
    const chat = await latestChat(workbench);
    const reply = chat.messages.at(-1);
    assert.equal(chat.config['model'], 'house-models/large-model');
    assert.equal(reply?.role, 'assistant');
    const received = provider.requests.at(-1);
    const request = (await workbench.api('getRequest', chat.id, reply.id)) as ApiRequest;
    assert.equal(request.body, received?.body, 'the request on show is what came over the wire');
    assert.equal(reply.usage?.promptTokens, received?.usage?.fresh);
  });

  it('keeps the key in the secret storage and nowhere else', () => {
    assert.ok(provider.requests.some(({ key }) => key === KEY));
    assert.deepEqual(filesWith(KEY, workbench.dataDir), []);
  });

  it('asks for the key again when the provider stops taking it, and goes on with it', async () => {
    await workbench.runCommand('loupe.setApiKey', 'house-models', 'a-wrong-key');
    await panel.sendAndWait('Are you there?');
    await panel.frame
      .getByText(/did not accept the key/)
      .last()
      .waitFor();
    await panel.button('Set key').click();
    await quick.asked('key');
    await quick.type(KEY);
    await panel.button('Retry').last().click();
    await waitFor('an answer', async () => (await latestChat(workbench)).messages.at(-1)?.role === 'assistant' || undefined);
    await panel.idle();
    assert.equal(await panel.articles('You').filter({ hasText: 'Are you there?' }).count(), 1);
  });

  it('changes the model in the middle of a chat', async () => {
    await workbench.runCommand('loupe.selectModel', 'practice/standard');
    await panel.sendAndWait('And who are you?');
    assert.equal((await latestChat(workbench)).config['model'], 'practice/standard');
    assert.equal(await panel.articles('Assistant').count(), 3);
  });
});

/** Files below a folder that hold a text. The browser's storage, where VS Code keeps secrets encrypted, is not there. */
function filesWith(text: string, folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name)).filter((path) => readFileSync(path).includes(text));
}
