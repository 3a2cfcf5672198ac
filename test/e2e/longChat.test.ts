import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { ChatPanel, openLoupe, sharedWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';
import { LongChat } from '../support/workbench/longChat.js';
import { QuickInput } from '../support/workbench/quickInput.js';

const MESSAGES = 20_000;

/** A question far from both ends. No other test uses its text, because the test takes the first match in all chats. */
const SOUGHT = 9_000;

describe('A chat of 20,000 messages', () => {
  let workbench: Workbench;
  let panel: ChatPanel;
  let chat: LongChat;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    await panel.sendAndWait('/long 2');
    // So short that all of them fit into the context window.
    const texts = new Map([
      [0, 'The long chat'],
      [SOUGHT, 'Where does the ferry turn?'],
    ]);
    chat = await LongChat.write(workbench, MESSAGES, (message) => texts.get(message) ?? 'Yes');
  });

  it('without a restore point is read from its beginning, opens to its end, and can be answered in', async () => {
    // The window that is open has read it when it came.
    panel = new ChatPanel(await openLoupe(await workbench.restartPage()));
    await panel.composer.waitFor();
    await panel.button('Switch chat').click();
    const row = panel.region('Chat list').getByRole('button').filter({ hasText: 'The long chat' });
    await row.getByText('20,000 messages').waitFor();
    chat.removeRestorePoint();
    await row.click();
    await panel.frame.getByRole('heading', { name: 'The long chat' }).waitFor();
    await earlier(19_950).waitFor();
    assert.equal(await panel.log.getByRole('article').count(), 50);
    await panel.sendAndWait('/long 3');
    await panel.articles('Assistant').filter({ hasText: 'Practice text that.' }).waitFor();
    assert.equal(await panel.log.getByRole('article').count(), 50);
    await earlier(19_952).waitFor();
  });

  it('shows earlier messages when they are asked for, and keeps what is on show in its place', async () => {
    const first = panel.log.getByRole('article').first();
    await earlier(19_952).scrollIntoViewIfNeeded();
    const [before, id] = [await topAtRest(first), await entryId(first)];
    await earlier(19_952).press('Enter');
    await earlier(19_902).waitFor();
    assert.equal(await panel.log.getByRole('article').count(), 100);
    const after = await topAtRest(panel.frame.locator(`[data-entry="${id}"] article`));
    assert.ok(Math.abs(after - before) < 2, `the message that was the first one has not moved: from ${String(before)} to ${String(after)}`);
  });

  it('opens to its end from its restore point after a reload', async () => {
    await waitFor('what is derived from all of the log', () => readFileSync(chat.row, 'utf8').includes('"messages":20002') || undefined);
    const [point, row] = [madeAt(chat.restorePoint), madeAt(chat.row)];
    panel = new ChatPanel(await openLoupe(await workbench.restartPage()));
    await earlier(19_952).waitFor();
    await panel.articles('You').filter({ hasText: '/long 3' }).waitFor();
    assert.equal(await panel.log.getByRole('article').count(), 50);
    await waitFor('the row, which is made anew after each opening', () => madeAt(chat.row) !== row || undefined);
    assert.equal(madeAt(chat.restorePoint), point, 'the restore point was not made anew: it could be used');
  });

  it('is searched: what was said far back is brought into sight, and the end is one press away', async () => {
    await search('THE FERRY');
    const found = panel.articles('You').filter({ hasText: 'Where does the ferry turn?' });
    await waitFor('the message that was found has the focus', async () => (await isFocused(found)) || undefined);
    await waitFor('it is in sight', async () => (await isInSight(found)) || undefined);
    assert.equal(await panel.log.getByRole('article').count(), 50);
    await earlier(8_975).waitFor();
    await later(10_977).waitFor();
    await panel.frame.getByRole('status', { name: 'Status' }).getByText('10,977 newer messages below').waitFor({ state: 'attached' });
  });

  it('goes on from there, downwards and upwards, and keeps what is on show in its place', async () => {
    await later(10_977).scrollIntoViewIfNeeded();
    const last = panel.log.getByRole('article').last();
    const [before, id] = [await topAtRest(last), await entryId(last)];
    await later(10_977).press('Enter');
    await later(10_927).waitFor();
    assert.equal(await panel.log.getByRole('article').count(), 100);
    const after = await topAtRest(panel.frame.locator(`[data-entry="${id}"] article`));
    assert.ok(Math.abs(after - before) < 2, `the message that was the last one has not moved: from ${String(before)} to ${String(after)}`);
    const next = panel.frame.locator(`[data-entry="${id}"] + loupe-entry article`);
    await waitFor('the first message that came has the focus', async () => (await isFocused(next)) || undefined);
  });

  it('returns to its end when it is asked to, and when a message is sent', async () => {
    await panel.button('Go to the latest').press('Enter');
    await panel.articles('You').filter({ hasText: '/long 3' }).waitFor();
    await waitFor('the end is in sight', async () => (await isInSight(panel.log.getByRole('article').last())) || undefined);
    assert.equal(await panel.button('Go to the latest').count(), 0);
    await search('the ferry');
    await later(10_977).waitFor();
    await panel.sendAndWait('/long 4');
    await panel.articles('Assistant').filter({ hasText: 'Practice text that says.' }).waitFor();
    await earlier(19_954).waitFor();
  });

  async function search(text: string): Promise<void> {
    const quick = new QuickInput(workbench.page);
    const choosing = workbench.runCommand('loupe.searchHistory');
    await quick.asked('Text in messages and titles of all chats');
    await workbench.page.keyboard.type(text);
    await quick.row('You ·').click();
    await choosing;
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

  async function topOf(element: Locator): Promise<number> {
    const box = await element.boundingBox();
    assert.ok(box !== null);
    return box.y;
  }

  /** What comes into sight for the first time is laid out a frame or two later, and until then has a height that is guessed. */
  async function topAtRest(element: Locator): Promise<number> {
    return waitFor('the entry at rest', async () => {
      const top = await topOf(element);
      await element.evaluate(() => new Promise(requestAnimationFrame));
      return (await isLaidOutInSight()) && (await topOf(element)) === top ? top : undefined;
    });
  }

  /** Whether no entry in sight has a height that is guessed. */
  function isLaidOutInSight(): Promise<boolean> {
    return panel.log.evaluate((log) => {
      const sight = log.closest('.scroller')?.getBoundingClientRect();
      return [...log.querySelectorAll('loupe-entry')].every((entry) => {
        const box = entry.getBoundingClientRect();
        const isInSight = sight !== undefined && box.bottom > sight.top && box.top < sight.bottom;
        return !isInSight || entry.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }) === true;
      });
    });
  }

  /** In epoch milliseconds: what is derived is replaced, never written to. */
  function madeAt(path: string): number {
    return statSync(path).mtimeMs;
  }

  async function entryId(article: Locator): Promise<string> {
    const id = await article.evaluate((element) => element.closest('[data-entry]')?.getAttribute('data-entry'));
    assert.ok(id !== null && id !== undefined);
    return id;
  }
});
