import assert from 'node:assert/strict';
import { depth } from '../support/depth.mjs';
import { type ChatPanel, latestChat, sharedWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';

const MESSAGES = depth({ short: 8, deep: 60 });

/** The automatic policies, in the order of the form. */
const POLICIES = ['topic-boundary', 'rolling-window', 'message-count'] as const;

describe('A chat with a limit of 4,000 tokens', () => {
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
  });

  for (const policy of depth({ short: POLICIES.slice(2), deep: [...POLICIES] })) {
    it(`answers each message that is typed, and makes room for it: ${policy}`, async () => {
      await panel.newChat();
      await panel.button('Chat settings').click();
      const settings = panel.region('Chat settings');
      const limit = settings.getByRole('textbox', { name: 'Context limit' });
      await limit.fill('4000');
      await limit.press('Enter');
      const group = settings.getByRole('button', { name: /^Summaries/ });
      // The panel keeps open what was open in the chat before.
      if ((await group.getAttribute('aria-expanded')) === 'false') {
        await group.click();
      }
      const choice = settings.getByRole('combobox', { name: 'When to summarize' });
      // The form follows each change, and first the new chat.
      for (const [step, next] of POLICIES.slice(0, POLICIES.indexOf(policy) + 1).entries()) {
        if (step > 0) {
          await choice.press('ArrowDown');
        }
        await waitFor('the policy', async () => (await choice.getAttribute('current-value')) === next || undefined);
      }
      await settings.getByRole('button', { name: 'Close' }).click();

      for (let number = 1; number <= MESSAGES; number += 1) {
        await panel.sendAndWait(`/long 1\n${policy} ${String(number)} ${'Heights are in metres. '.repeat(120)}`);
      }
      const { config, messages } = await latestChat(workbench);
      assert.deepEqual([config['maxPromptTokens'], config['compactionPolicy']], [4_000, policy]);
      const typed = messages.filter(({ role }) => role === 'user');
      assert.deepEqual([typed.length, typed.filter(({ unsent }) => unsent === true).length], [MESSAGES, 0]);
      assert.equal(messages.filter(({ role }) => role === 'assistant').length, MESSAGES);
      assert.ok(messages.some(({ role }) => role === 'summary'));
      assert.equal(await panel.frame.getByRole('note').filter({ hasText: 'Too long' }).count(), 0);
    });
  }
});
