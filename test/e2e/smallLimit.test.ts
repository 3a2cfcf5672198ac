import assert from 'node:assert/strict';
import { type CachingServer, startCachingServer } from '../support/cachingServer/cachingServer.js';
import type { ReceivedRequest, ReplyHandler } from '../support/cachingServer/options.js';
import { depth } from '../support/depth.mjs';
import { words } from '../support/host/cachingHouse.js';
import { type ChatPanel, latestChat, sharedWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';

const KEY = 'the-key';
const LIMIT = 4_000;
const MESSAGES = depth({ short: 8, deep: 60 });

/** The automatic policies. */
const POLICIES = ['topic-boundary', 'rolling-window', 'message-count'] as const;

/** The model's answers to housekeeping requests. */
const SUMMARIZERS = {
  works: () => ({ parts: [{ type: 'text', text: 'They compared the heights of the tides.' }] }),
  fails: () => ({ status: 500, message: 'Out of order' }),
  'answers nothing': () => ({ parts: [{ type: 'text', text: '' }] }),
} satisfies Readonly<Record<string, ReplyHandler>>;

type Summarizer = keyof typeof SUMMARIZERS;

const ALL = POLICIES.flatMap((policy) => (Object.keys(SUMMARIZERS) as Summarizer[]).map((summarizer) => [policy, summarizer] as const));

/** The end of each message, and of no housekeeping request. */
const LAST_WORDS = 'Which one is higher?';

describe('A chat with a limit of 4,000 tokens', () => {
  let server: CachingServer;
  let workbench: Workbench;
  let panel: ChatPanel;
  let summarizer: Summarizer = 'works';

  before(async () => {
    const reply: ReplyHandler = (request) =>
      isForReply(request) ? { parts: [{ type: 'text', text: `The second one. ${words(60, 1)}` }] } : SUMMARIZERS[summarizer]();
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

  /** A chat with this limit and policy, both set in its form. */
  async function newChat(policy: (typeof POLICIES)[number] | 'manual'): Promise<void> {
    await panel.newChat();
    const chatId = await workbench.runCommand('loupe.newChat');
    await workbench.runCommand('loupe.selectModel', 'house/large', { chatId });
    await panel.button('Chat settings').click();
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
    await waitFor('the policy of new chats', () => isChosen(POLICIES[0]));
    // Arrow keys start from the form's value, which can be older than the last key on a busy computer. Rows are
    // definite.
    await choice.click();
    await choice.locator(`vscode-option[value="${policy}"]`).click();
    await waitFor('the policy', () => isChosen(policy));
    await settings.getByRole('button', { name: 'Close' }).click();
  }

  for (const [policy, how] of depth({ short: [['message-count', 'works'] as const, ['topic-boundary', 'fails'] as const], deep: ALL })) {
    it(`answers each message that is typed, and makes room for it: ${policy}, with a summarizer that ${how}`, async () => {
      summarizer = how;
      await newChat(policy);
      // The page has only the end of a long conversation.
      let hasDropped = false;
      for (let number = 1; number <= MESSAGES; number += 1) {
        await panel.sendAndWait(`${policy}, ${how}: ${String(number)} ${words(500, number)} ${LAST_WORDS}`);
        hasDropped ||= (await panel.frame.getByText('Left out without a summary.').count()) > 0;
      }
      const { config, messages } = await latestChat(workbench);
      assert.deepEqual([config['maxPromptTokens'], config['compactionPolicy']], [LIMIT, policy]);
      const typed = messages.filter(({ role }) => role === 'user');
      assert.deepEqual([typed.length, typed.filter(({ unsent }) => unsent === true).length], [MESSAGES, 0]);
      assert.equal(messages.filter(({ role }) => role === 'assistant').length, MESSAGES);
      assert.ok(messages.some(({ role }) => role === 'summary'));
      assert.equal(hasDropped, how !== 'works');
    });
  }

  it('returns a message that is too long with the reason, and takes it after the summary that it offers: only when you ask', async () => {
    summarizer = 'works';
    await newChat('manual');
    // Two of these have no room.
    const long = (number: number): string => `manual: ${String(number)} ${words(1_000, number)} ${LAST_WORDS}`;
    const typed = async (): Promise<boolean[]> => {
      const { messages } = await latestChat(workbench);
      return messages.filter(({ role }) => role === 'user').map(({ unsent }) => unsent === true);
    };
    await panel.sendAndWait(long(1));
    await panel.send(long(2));
    const next = panel.region('Next request');
    await next.getByText(/^Too long: [\d,]+ tokens, limit [\d,]+\..* Summarize the conversation/).waitFor();
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
