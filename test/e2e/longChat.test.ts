import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { depth } from '../support/depth.mjs';
import { type ChatPanel, sharedWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';
import { LongChat } from '../support/workbench/longChat.js';
import { QuickInput } from '../support/workbench/quickInput.js';

/** Far more than is visible at once, and enough for a restore point. */
const MESSAGES = depth({ short: 2_000, deep: 20_000 });
/** A question far from both ends. Its text is unique, because the test takes the first match in all chats. */
const SOUGHT = MESSAGES / 2;
/** The number of messages that an opened chat shows. */
const STEP = 50;

describe('A long chat', () => {
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    await panel.sendAndWait('/long 2');
    // Short, so that all fit into the context window.
    const texts = new Map([
      [0, 'The long chat'],
      [SOUGHT, 'Where does the ferry turn?'],
    ]);
    await LongChat.write(workbench, MESSAGES, (message) => texts.get(message) ?? 'Yes');
  });

  it('opens to its end, can be answered in, and shows earlier messages when they are asked for', async () => {
    await panel.button('Switch chat').click();
    const row = panel.region('Chat list').getByRole('button').filter({ hasText: 'The long chat' });
    await row.getByText(`${MESSAGES.toLocaleString('en-US')} messages`).waitFor();
    await row.click();
    await panel.frame.getByRole('heading', { name: 'The long chat' }).waitFor();
    await earlier(MESSAGES - STEP).waitFor();
    assert.equal(await panel.log.getByRole('article').count(), STEP);
    await panel.sendAndWait('/long 3');
    await panel.articles('Assistant').filter({ hasText: 'Practice text that.' }).waitFor();
    assert.equal(await panel.log.getByRole('article').count(), STEP);
    await earlier(MESSAGES + 2 - STEP).press('Enter');
    await earlier(MESSAGES + 2 - 2 * STEP).waitFor();
    assert.equal(await panel.log.getByRole('article').count(), 2 * STEP);
  });

  it('is searched: what was said far back is brought into sight, and the end is one press away, and comes with a message', async () => {
    const around = STEP / 2;
    const after = MESSAGES + 2 - SOUGHT - around;
    await search('THE FERRY');
    const found = panel.articles('You').filter({ hasText: 'Where does the ferry turn?' });
    await waitFor('the focus on the message that was found', async () => (await isFocused(found)) || undefined);
    await waitFor('it in sight', async () => (await isInSight(found)) || undefined);
    assert.equal(await panel.log.getByRole('article').count(), STEP);
    await earlier(SOUGHT - around).waitFor();
    await later(after).press('Enter');
    await later(after - STEP).waitFor();
    assert.equal(await panel.log.getByRole('article').count(), 2 * STEP);
    await panel.button('Go to the latest').press('Enter');
    await panel.articles('You').filter({ hasText: '/long 3' }).waitFor();
    await waitFor('the end in sight', async () => (await isInSight(panel.log.getByRole('article').last())) || undefined);
    assert.equal(await panel.button('Go to the latest').count(), 0);
    await search('the ferry');
    await later(after).waitFor();
    await panel.sendAndWait('/long 4');
    await panel.articles('Assistant').filter({ hasText: 'Practice text that says.' }).waitFor();
    await earlier(MESSAGES + 4 - STEP).waitFor();
  });

  async function search(text: string): Promise<void> {
    const quick = new QuickInput(workbench.page);
    const input = quick.widget.locator('input[placeholder*="Search messages and titles of all chats"]:focus');
    // VS Code can move the focus to the panel, which closes the question. Retries as a user would.
    await waitFor('the message in the search', async () => {
      const choosing = workbench.runCommand('loupe.searchHistory');
      if (!(await quick.shows(input))) return undefined;
      await workbench.page.keyboard.type(text);
      if (!(await quick.shows(quick.row('You ·')))) return undefined;
      await quick.row('You ·').click();
      await choosing;
      return true;
    });
  }

  function isFocused(element: Locator): Promise<boolean> {
    return element.evaluate((node) => node === document.activeElement);
  }

  function isInSight(element: Locator): Promise<boolean> {
    return element.evaluate((node) => {
      const [box, sight] = [node.getBoundingClientRect(), node.closest('.scroller')?.getBoundingClientRect()];
      return sight !== undefined && box.top >= sight.top && box.bottom <= sight.bottom;
    });
  }

  function later(count: number): Locator {
    return panel.button(`Show later messages (${count.toLocaleString('en-US')})`);
  }

  function earlier(count: number): Locator {
    return panel.button(`Show earlier messages (${count.toLocaleString('en-US')})`);
  }
});
