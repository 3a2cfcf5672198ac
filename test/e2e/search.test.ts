import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { type ChatPanel, sharedWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';
import { QuickInput } from '../support/workbench/quickInput.js';

const TALLER_THAN_THE_PANEL = '/long 400';

describe('Search in all chats', () => {
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    await workbench.runCommand('loupe.sendMessage', '/long 3 The Anemometer');
    await workbench.runCommand('loupe.sendMessage', TALLER_THAN_THE_PANEL);
  });

  async function newChat(): Promise<void> {
    await workbench.runCommand('loupe.newChat');
    await panel.log.getByRole('article').first().waitFor({ state: 'detached' });
  }

  async function hasFocus(message: Locator): Promise<void> {
    await waitFor(
      'the focus on the message',
      async () => (await message.evaluate((element) => element === document.activeElement)) || undefined,
    );
  }

  it('finds while typing, says when there is nothing, and opens the message that is chosen, also one that Enter finds', async () => {
    const { keyboard } = workbench.page;
    await newChat();
    const quick = new QuickInput(workbench.page);
    const choosing = workbench.runCommand('loupe.searchHistory');
    await quick.asked('Search messages and titles of all chats');
    await keyboard.type('no such thing');
    await quick.row('Nothing found').waitFor();
    await keyboard.press('Control+A');
    await keyboard.type('ANEMOMETER');
    const row = quick.row('You ·');
    await row.waitFor();
    assert.match((await row.textContent()) ?? '', /The Anemometer/);
    await row.click();
    await choosing;
    const found = panel.articles('You').first();
    await hasFocus(found);
    assert.match((await found.textContent()) ?? '', /The Anemometer/);
    // The lines above the message box appear later, which makes the conversation lower.
    await panel.frame.locator('.items-line').waitFor();
    const hidden = await found.evaluate(
      (element) => (element.closest('.scroller')?.getBoundingClientRect().top ?? Infinity) - element.getBoundingClientRect().top,
    );
    assert.ok(hidden <= 0, `${String(hidden)} px of it are out of sight, above a long reply`);
    await newChat();
    await workbench.runCommand('loupe.sendMessage', '/long 3 Which way does the barograph turn?');
    await newChat();
    const again = workbench.runCommand('loupe.searchHistory');
    await quick.asked('Search messages and titles of all chats');
    await keyboard.type('anemometer');
    await quick.row('You ·').waitFor();
    await keyboard.press('Control+A');
    await keyboard.type('the barograph');
    // Before its search has run.
    await keyboard.press('Enter');
    await again;
    await panel.articles('You').first().getByText('barograph').waitFor();
  });

  it('finds in the list of chats by the keyboard alone, and marks the text in the message that Enter opens', async () => {
    const { keyboard } = workbench.page;
    await newChat();
    await panel.button('Switch chat').press('Enter');
    await keyboard.type('no such thing');
    await panel.frame.getByText('No chat matches', { exact: true }).first().waitFor();
    for (const _ of 'no such thing') await keyboard.press('Backspace');
    await keyboard.type('ANEMOM');
    const status = panel.frame.getByRole('status', { name: 'Status' });
    await status.getByText('2 messages in 1 chat').waitFor({ state: 'attached' });
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.press('ArrowRight');
    await status.getByText('1 message in 1 chat').waitFor({ state: 'attached' });
    assert.equal(await panel.frame.locator('.hit-text mark').innerText(), 'Anemom');
    const focused = (): Promise<string> => panel.frame.evaluate(() => document.activeElement?.className ?? '');
    await keyboard.press('Tab');
    await waitFor('the chat of that title', async () => (await focused()).includes('chat-open') || undefined);
    await keyboard.press('ArrowDown');
    await waitFor('the message below it', async () => (await focused()).includes('hit-open') || undefined);
    await keyboard.press('Enter');
    await hasFocus(panel.articles('You').first());
    const marked = await panel.frame.evaluate(() => [...(CSS.highlights.get('loupe-found') ?? [])].map(String));
    assert.deepEqual(marked, ['Anemom']);
    await keyboard.press('Escape');
    await waitFor(
      'the mark gone with the focus',
      async () => (await panel.frame.evaluate(() => !CSS.highlights.has('loupe-found'))) || undefined,
    );
  });
});
