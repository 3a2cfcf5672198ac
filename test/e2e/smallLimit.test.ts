import assert from 'node:assert/strict';
import { type CachingServer, startCachingServer } from '../support/cachingServer/cachingServer.js';
import type { ReceivedRequest, Reply, ReplyHandler } from '../support/cachingServer/options.js';
import { words } from '../support/host/cachingHouse.js';
import { type ChatPanel, latestChat, sharedWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';
import { openSettings } from '../support/workbench/openSettings.js';

const KEY = 'the-key';
const LIMIT = 4_000;
/** The end of each message, and of no housekeeping request. */
const LAST_WORDS = 'Which one is higher?';

describe('A chat with a limit of 4,000 tokens', () => {
  let server: CachingServer;
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    const text = (said: string): Reply => ({ parts: [{ type: 'text', text: said }] });
    const reply: ReplyHandler = (request) =>
      text(isForReply(request) ? `The second one. ${words(60, 1)}` : 'They compared the heights of the tides.');
    server = await startCachingServer({ key: KEY, models: [{ id: 'large' }], reply });
    ({ workbench, panel } = await sharedWorkbench());
    const models = [{ id: 'large', maxInputTokens: 100_000, maxOutputTokens: 2_000, capabilities: { countsTokens: false } }];
    await workbench.runCommand(
      'loupe.addProvider',
      { id: 'house', protocol: 'openai-compatible', baseUrl: `${server.url}/v1`, models },
      KEY,
    );
  });

  after(async () => {
    await workbench.updateSettings({ 'loupe.providers': undefined });
    await server.stop();
  });

  /** A chat with this limit and manual summaries, both set in its form. */
  async function newChat(): Promise<void> {
    await panel.newChat();
    const chatId = await workbench.runCommand('loupe.newChat');
    await workbench.runCommand('loupe.selectModel', 'house/large', { chatId });
    await openSettings(panel.frame);
    const settings = panel.region('Chat settings');
    const limit = settings.getByRole('textbox', { name: 'Context limit' });
    // Otherwise the settings would go to the chat before, which has the limit or another model.
    await waitFor('the form of the new chat', async () => (await limit.inputValue()) !== String(LIMIT) || undefined);
    await settings.getByRole('button', { name: 'Model: large' }).waitFor();
    await limit.fill(String(LIMIT));
    await limit.press('Enter');
    const group = settings.getByRole('button', { name: /^Summaries/ });
    // The panel keeps open sections of the chat before.
    if ((await group.getAttribute('aria-expanded')) === 'false') {
      await group.click();
    }
    const choice = settings.getByRole('combobox', { name: 'When to summarize' });
    const isChosen = async (value: string): Promise<true | undefined> =>
      (await choice.getAttribute('current-value')) === value || undefined;
    await waitFor('the policy of new chats', () => isChosen('topic-boundary'));
    // Rows instead of arrow keys: on a busy computer the form's value can be older than the last key.
    await choice.click();
    await choice.locator('vscode-option[value="manual"]').click();
    await waitFor('the policy', () => isChosen('manual'));
    await settings.getByRole('button', { name: 'Close' }).click();
  }

  it('returns a message that is too long with the reason, and takes it after the summary that it offers: only when you ask', async () => {
    await newChat();
    // Two of these have no room.
    const long = (number: number): string => `manual: ${String(number)} ${words(1_000, number)} ${LAST_WORDS}`;
    const typed = async (): Promise<boolean[]> => {
      const { messages } = await latestChat(workbench);
      return messages.filter(({ role }) => role === 'user').map(({ unsent }) => unsent === true);
    };
    await panel.sendAndWait(long(1));
    await panel.send(long(2));
    const next = panel.region('Next request');
    await next.getByText(/^The request is too long: [\d,]+ tokens, limit [\d,]+\..* Summarize the conversation/).waitFor();
    const offered = next.getByRole('button', { name: 'Summarize…' });
    await offered.waitFor();
    await waitFor('the message in its box', async () => (await panel.composer.inputValue()) === long(2) || undefined);
    assert.deepEqual(await typed(), [false]);
    await offered.click();
    const pane = panel.region('Summarize the conversation');
    await pane.getByRole('button', { name: 'Write the summary' }).click();
    await pane.getByRole('button', { name: 'Apply' }).click();
    await panel.articles('Summary').waitFor();
    await offered.waitFor({ state: 'detached' });
    await waitFor('the message to be taken', async () => {
      // The same message can be sent again only after a second. The test can be faster.
      await panel.composer.press('Enter');
      return (await panel.composer.inputValue()) === '' || undefined;
    });
    await panel.articles('Assistant').nth(1).waitFor();
    await panel.idle();
    assert.deepEqual([await panel.composer.inputValue(), await typed()], ['', [false, false]]);
  });
});

function isForReply({ json }: ReceivedRequest): boolean {
  const { messages } = json as { readonly messages: readonly { readonly content: unknown }[] };
  return JSON.stringify(messages.at(-1)?.content).includes(`${LAST_WORDS}"`);
}
