import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { startCachingServer, type CachingServer } from '../support/cachingServer/cachingServer.js';
import { words } from '../support/host/cachingHouse.js';
import { ChatPanel, openLoupe, sharedWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';

const KEY = 'the-key';
const MINIMUM = 256;
/** Loupe sends a keep-warm request 30 seconds before the expiry, so 20 seconds after a reply. */
const LIFETIME_SECONDS = 50;
/** Longer than the peer keeps a cache, in ms. */
const EXPIRY_MS = 3_600_000;

/** Only the input costs something, so that a small part of the prompt outside the cache is cheap. */
const MODEL = {
  ...{ id: 'large', maxInputTokens: 100_000, maxOutputTokens: 2_000 },
  prices: { input: 100, output: 1, cacheRead: 0.1, cacheWrite5m: 100, cacheWrite1h: 100 },
  capabilities: {
    countsTokens: false,
    cache: { kind: 'automatic', minimumTokens: MINIMUM, stepTokens: 128, lifetimeSeconds: LIFETIME_SECONDS },
  },
};
/** Its cache expires soon and saves little, so that a summary after the expiry pays in a short chat. */
const DEAR_READS = {
  ...{ ...MODEL, id: 'dear-reads', prices: { ...MODEL.prices, cacheRead: 50 } },
  capabilities: { ...MODEL.capabilities, cache: { ...MODEL.capabilities.cache, lifetimeSeconds: 20 } },
};
const SETTINGS = { 'loupe.spend.askAbove': 100, 'loupe.defaults.compaction': 'off' };

const OFFER = /^The cache of this chat \([\d,]+ tokens\) expires in 1 min\. Coming back later costs about \$\d+\.\d\d\.$/;
const SUMMARIZE = /^Summarize for \$\d+\.\d+$/;
const KEEP_WARM = /^Keep warm \d+ min for \$\d+\.\d+$/;
const WARM = /^Cache warm until /;

describe('a chat of a user who is away', () => {
  let server: CachingServer;
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    server = await startCachingServer({
      key: KEY,
      models: ['large', 'dear-reads'].map((id) => ({ id, minimumTokens: MINIMUM })),
      reply: ({ body }) =>
        body.includes('Reply with OK.')
          ? { parts: [{ type: 'text', text: 'O' }], stop: 'length', outputTokens: 1 }
          : { parts: [{ type: 'text', text: words(20, 5) }] },
    });
    ({ workbench, panel } = await sharedWorkbench());
    const baseUrl = `${server.url}/v1`;
    await workbench.updateSettings(SETTINGS);
    await workbench.runCommand(
      'loupe.addProvider',
      { id: 'house', protocol: 'openai-compatible', baseUrl, models: [MODEL, DEAR_READS] },
      KEY,
    );
  });

  after(async () => {
    // The chat would still follow its cache during the next tests.
    if (latest !== null) {
      await workbench.runCommand('loupe.deleteChat', latest);
    }
    const unset: Readonly<Record<string, undefined>> = Object.fromEntries(Object.keys(SETTINGS).map((key) => [key, undefined]));
    await workbench.updateSettings({ ...unset, 'loupe.providers': undefined });
    await workbench.runCommand('notifications.clearAll');
    await server.stop();
  });

  let latest: string | null = null;

  /** Deletes the chat before, which could show a notification, too. */
  async function newChat(): Promise<string> {
    const chatId = (await workbench.runCommand('loupe.newChat')) as string;
    await workbench.runCommand('loupe.selectModel', 'house/large', { chatId });
    if (latest !== null) {
      await workbench.runCommand('loupe.deleteChat', latest);
    }
    latest = chatId;
    return chatId;
  }

  /** Sends a prompt of about 18,000 tokens through the API, because the message box would take long. */
  async function say(chatId: string, first: string, from: number): Promise<void> {
    await workbench.api('sendMessage', `${first} ${words(10_000, from)}`, { chatId });
  }

  const strip = (): Locator => panel.frame.getByRole('group', { name: 'Cache of this chat' });
  const action = (name: RegExp): Locator => strip().getByRole('button', { name });
  const notice = (text: string): Locator => workbench.page.locator('.notification-list-item').filter({ hasText: text });
  const offerNotice = (): Locator => notice('Coming back later costs about');
  const hide = (): Promise<unknown> => workbench.runCommand('workbench.action.closeAuxiliaryBar');
  const requestsAfter = (length: number): Promise<true> =>
    waitFor('the request', () => Promise.resolve(server.requests.length > length || undefined));

  async function show(): Promise<void> {
    await workbench.runCommand('loupe.chat.focus');
    panel = new ChatPanel(await openLoupe(workbench.page));
  }

  async function undoSummary(): Promise<void> {
    await panel.log.getByRole('button', { name: 'Undo', exact: true }).click();
    await panel.log.getByText(/Summary undone\./).waitFor();
  }

  it('is offered a summary or a warm cache with prices, and sends nothing without an answer', async () => {
    await say(await newChat(), 'Ebb', 1);
    await strip().getByText(OFFER).waitFor();
    await action(SUMMARIZE).waitFor();
    await action(KEEP_WARM).waitFor();
    const { length } = server.requests;
    await panel.composer.fill('And now?');
    await strip()
      .getByText(/^The cache expired, so this message costs \$\d+\.\d+ more\.$/)
      .waitFor({ timeout: 2 * LIFETIME_SECONDS * 1_000 });
    assert.equal(server.requests.length, length);
  });

  it('is summarized before the first message after the expiry where that pays, which the user can undo', async () => {
    const chatId = await newChat();
    await workbench.runCommand('loupe.selectModel', 'house/dear-reads', { chatId });
    await say(chatId, 'Spring', 4);
    for (let turn = 0; turn < 4; turn += 1) {
      await workbench.api('sendMessage', 'And then?', { chatId });
    }
    await panel.composer.fill('And now?');
    await strip()
      .getByText(
        /^The cache expired, so this message costs \$\d+\.\d+ more\. A summary for \$\d+\.\d+ saves \$\d+\.\d+ on each later request\.$/,
      )
      .waitFor();
    server.advance(EXPIRY_MS);
    const { length } = server.requests;
    await panel.button('Summarize first').click();
    await requestsAfter(length + 1);
    await panel.idle();
    const bodies = server.requests.slice(length).map(({ body }) => body);
    assert.deepEqual(
      bodies.map((body) => body.includes('And now?')),
      [false, true],
    );
    await undoSummary();
  });

  it('is kept warm by one small request that reads the cache, until the user stops it', async () => {
    await say(await newChat(), 'Flood', 2);
    const { length } = server.requests;
    await action(KEEP_WARM).click();
    await strip()
      .getByText(/^Cache warm until \d\d:\d\d · \$\d+\.\d+$/)
      .waitFor();
    assert.equal(server.requests.length, length + 1);
    const { usage } = server.requests.at(-1) ?? assert.fail('The server got a request.');
    const { read, fresh, output } = usage ?? assert.fail('The server has billed.');
    assert.ok(read > 50 * fresh, `${read} tokens read, ${fresh} not`);
    assert.equal(output, 1);
    await panel.frame.getByRole('button', { name: /^Kept the cache warm: 1 request for \$\d+\.\d+/ }).waitFor();
    await strip().getByRole('button', { name: 'Stop' }).press('Enter');
    await strip().waitFor({ state: 'detached' });
  });

  it('is summarized at once if the user wants that, which the user can undo', async () => {
    await say(await newChat(), 'Neap', 3);
    const { length } = server.requests;
    await action(SUMMARIZE).click();
    await requestsAfter(length);
    await undoSummary();
  });

  it('is offered in one notification what the hidden panel cannot show, without links from its title', async () => {
    const chatId = await newChat();
    await hide();
    await panel.gone();
    await say(chatId, '[Spring](command:loupe.newChat)', 4);
    const ended = notice('has ended');
    await ended.getByText('The reply in "(Spring)(command:loupe.newChat)').waitFor();
    assert.equal(await ended.locator('.notification-list-item-message a').count(), 0);
    await offerNotice().getByText(SUMMARIZE).waitFor();
    const links = await offerNotice().locator('.notification-list-item-message a').allInnerTexts();
    assert.deepEqual(
      links.map((text) => text.split(' ')[0]),
      ['Summarize', 'Keep', 'Leave'],
    );
    await offerNotice().getByText('Leave it').click();
    await offerNotice().waitFor({ state: 'detached' });
    await show();
    assert.equal(await strip().count(), 0);
  });

  it('is offered in a notification what a panel showed that is now hidden, and kept warm from there', async () => {
    await say(await newChat(), 'Slack', 5);
    await action(KEEP_WARM).waitFor();
    assert.equal(await offerNotice().count(), 0);
    await hide();
    await offerNotice().getByText(KEEP_WARM).click();
    await offerNotice().waitFor({ state: 'detached' });
    await show();
    await strip().getByText(WARM).waitFor();
    await strip().getByRole('button', { name: 'Stop' }).click();
    await strip().waitFor({ state: 'detached' });
  });
});
