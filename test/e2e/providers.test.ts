import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiRequest } from '../../src/protocol/api/api.js';
import { startCachingServer, type CachingServer } from '../support/cachingServer/cachingServer.js';
import { type ChatPanel, latestChat, latestReply, QuickInput, sharedWorkbench, type Workbench } from '../support/workbench/index.js';

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
    ({ workbench, panel } = await sharedWorkbench());
    quick = new QuickInput(workbench.page);
  });

  after(async () => {
    await workbench.updateSettings({ 'loupe.providers': undefined, 'loupe.defaults.model': undefined });
    await provider.stop();
  });

  it('goes from the empty chat, past a wrong key, to a model that answers', async () => {
    await panel.button('add your own provider').click();
    await quick.asked('Choose the kind of provider');
    await quick.pick('Other server with the Anthropic API');
    await quick.asked('Name of the provider');
    await quick.type('House models');
    await quick.asked('Base URL of the API');
    await quick.type(provider.url);
    await quick.asked('API key for');
    await quick.type('a-wrong-key');
    await quick.dialog.getByText('House models rejected the key.').waitFor();
    await quick.answer('Change key');
    await quick.asked('API key for');
    await quick.type(KEY);
    await quick.asked('Choose the models to use');
    await quick.takeChecked();
    await quick.asked('No model is selected. Select the models to use');
    await quick.check('Large model');
    await quick.takeChecked();
    await quick.asked('1 model lacks its context size or price. Choose a model to enter them.');
    await quick.takeByKeyboard('Enter the unknown values');
    await quick.asked('Context size of Large model, in tokens.');
    await quick.confirm();
    await quick.asked('Prices of Large model in US dollars per million tokens: input, output, cache read');
    await quick.type('3, 15');
    await quick.asked('Send a test message before saving?');
    await quick.row('200,000 tokens · $3.00 in, $15.00 out per million').waitFor();
    await quick.pick('Send a test message to');
    await quick.pick('Use Large model in this chat and in new chats');
    await panel.frame.getByText('Model: Large model.').waitFor();

    await panel.sendAndWait('Hello');
    const chat = await latestChat(workbench);
    const reply = await latestReply(workbench);
    assert.equal(chat.config['model'], 'house-models/large-model');
    // Loupe counts the next request in the background.
    const received = provider.requests.findLast(({ path }) => path === '/v1/messages');
    const request = (await workbench.api('getRequest', chat.id, reply.id)) as ApiRequest;
    assert.equal(request.body, received?.body, 'the request on show is what came over the wire');
    assert.equal(reply.usage?.promptTokens, received?.usage?.fresh);
  });

  it('keeps the key in the secret storage and nowhere else', () => {
    assert.ok(provider.requests.some(({ key }) => key === KEY));
    assert.deepEqual(filesWith(KEY, workbench.dataDir), []);
  });

  it('asks for the key again when the provider stops taking it, and sends the message again with it', async () => {
    await workbench.runCommand('loupe.setApiKey', 'house-models', 'a-wrong-key');
    await panel.sendAndWait('Are you there?');
    await panel.frame
      .getByText(/rejected the key/)
      .last()
      .waitFor();
    await panel.button('Set key and retry').click();
    await quick.asked('key');
    await quick.type(KEY);
    await latestReply(workbench);
    await panel.idle();
    assert.equal(await panel.articles('You').filter({ hasText: 'Are you there?' }).count(), 1);
  });

  it('changes the model in the middle of a chat', async () => {
    const model = panel.button('Model: Large model');
    assert.match((await model.getAttribute('title')) ?? '', /^Large model · House models · 200,000 tokens · /);
    await model.click();
    await quick.asked('Model for this chat');
    await quick.pick('Practice model (offline)');
    await panel.button('Model: Practice model (offline)').waitFor();
    await panel.sendAndWait('And who are you?');
    assert.equal((await latestChat(workbench)).config['model'], 'practice/standard');
    assert.equal(await panel.articles('Assistant').count(), 3);
  });

  it('renames it, and removes it after a question, by commands of their own', async () => {
    void workbench.runCommand('loupe.editProvider', 'house-models');
    await quick.asked('Name of the provider');
    await quick.type('Home');
    await quick.asked('Base URL of the API');
    await quick.confirm();
    await quick.asked('Leave the field empty to keep the stored key.');
    await quick.confirm();
    await quick.asked('Choose the models to use');
    await quick.takeChecked();
    await quick.pick('Save without a test');
    await workbench.page.locator('.notification-list-item').getByText('Home is saved.').last().waitFor();
    void workbench.runCommand('loupe.removeProvider', 'house-models');
    await quick.dialog.getByText('Remove Home with its models and its key?').waitFor();
    await quick.answer('Cancel');
  });

  it('begins new chats with the model that was chosen for them', async () => {
    await panel.newChat();
    await panel.frame.getByText('Model: Large model.').waitFor();
  });

  it('changes the model of new chats by the star in the list of models', async () => {
    const choosing = workbench.runCommand('loupe.selectModel');
    const small = quick.row('small window');
    await small.hover();
    await small.getByRole('button', { name: 'Make this model the default for new chats' }).click();
    await small.getByText('default for new chats').waitFor();
    await workbench.page.keyboard.press('Escape');
    await choosing;
    await panel.sendAndWait('Hello');
    await panel.newChat();
    const { config } = await latestChat(workbench);
    assert.equal(config['model'], 'practice/small');
  });
});

describe('a model whose context size is unknown', () => {
  const OWN = { id: 'own', label: 'Own model' };
  const HOUSE = { id: 'house', protocol: 'openai-compatible', label: 'House', baseUrl: 'http://127.0.0.1:9/v1', models: [OWN] };
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    await workbench.updateSettings({ 'loupe.providers': [HOUSE] });
  });

  after(async () => {
    await workbench.updateSettings({ 'loupe.providers': undefined });
  });

  it('gets its size from the panel', async () => {
    const quick = new QuickInput(workbench.page);
    const set = panel.button('Set it: the context size of Own model');
    await workbench.runCommand('loupe.selectModel', 'house/own');
    await set.click();
    await quick.asked('Context size of Own model');
    await quick.type('32,768');
    await workbench.page.locator('.notification-list-item').getByText('The context size of Own model is saved.').last().waitFor();
    await set.waitFor({ state: 'detached' });
    const saved = savedProviders(workbench).map(({ id, models }) => [id, models.map((model) => [model.id, model.maxInputTokens])]);
    assert.deepEqual(saved, [['house', [['own', 32_768]]]]);
  });
});

interface SavedProvider {
  readonly id: string;
  readonly models: readonly { readonly id: string; readonly maxInputTokens?: number }[];
}

function savedProviders({ dataDir }: Workbench): readonly SavedProvider[] {
  const settings = JSON.parse(readFileSync(join(dataDir, 'data/User/settings.json'), 'utf8')) as Record<string, unknown>;
  return settings['loupe.providers'] as readonly SavedProvider[];
}

/** Files with a text in a folder. VS Code's encrypted secrets are in the browser's storage, which is elsewhere. */
function filesWith(text: string, folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name)).filter((path) => readFileSync(path).includes(text));
}
