import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ChatPanel, extensionHosts, openLoupe, startWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';

/** Fits the practice model's longest wait between two words, and writing every 250 ms. */
const REPLY = '/long 400';

describe('two windows on one workspace', () => {
  let workbench: Workbench;
  let firstHosts: readonly number[];
  let first: ChatPanel;
  let secondPage: Page;
  let second: ChatPanel;

  before(async () => {
    workbench = await startWorkbench({});
    first = new ChatPanel(await openLoupe(workbench.page));
    firstHosts = await waitFor('the extension host', () => nonEmpty(extensionHosts(workbench.server)));
    await first.sendAndWait('/long 2');
    secondPage = await workbench.secondPage();
    second = new ChatPanel(await openLoupe(secondPage));
    await second.articles('You').first().waitFor();
  });

  after(async () => {
    await workbench.close();
  });

  it('both write to one chat, and each sees the turns of the other as they come in', async () => {
    await first.send(REPLY);
    await second.articles('You').filter({ hasText: REPLY }).waitFor();
    const text = (): Promise<string> => lastReply(second);
    const early = await waitFor('text in the other window', async () => nonEmpty(await text()));
    await waitFor('more text in the other window', async () => ((await text()).length > early.length ? true : undefined));
    assert.equal(await first.button('Stop').count(), 1, 'the reply still streams');
    await first.idle();
    await waitFor('the whole reply in both windows', async () => ((await text()) === (await lastReply(first)) ? true : undefined));

    await second.sendAndWait('/long 3');
    await first.articles('You').filter({ hasText: '/long 3' }).waitFor();
    await waitFor('the whole reply in both windows', async () =>
      (await lastReply(second)) === (await lastReply(first)) ? true : undefined,
    );
    assert.deepEqual(await said(first), await said(second));
  });

  it('answer in a chat one after the other: what is sent meanwhile waits, and is sent next', async () => {
    await first.send(REPLY);
    await second.articles('You').filter({ hasText: REPLY }).nth(1).waitFor();
    await second.frame.getByText('A reply is being written in another window.').waitFor();
    await second.send('Me too');
    for (const window of [first, second]) {
      await window.articles('You').filter({ hasText: 'Me too' }).getByText('Waiting to be sent').waitFor();
    }
    assert.equal(await second.composer.inputValue(), '');
    await first.idle();
    await second.articles('You').filter({ hasText: 'Me too' }).getByText('Waiting to be sent').waitFor({ state: 'detached' });
    await waitFor('the same replies in both windows', async () =>
      (await second.button('Stop').count()) === 0 && (await lastReply(second)) === (await lastReply(first)) ? true : undefined,
    );
    assert.deepEqual((await said(second)).slice(-2), (await said(first)).slice(-2));
  });

  it('take back what waits into the message box', async () => {
    await first.send(REPLY);
    await second.frame.getByText('A reply is being written in another window.').waitFor();
    await second.send('Not now');
    const waiting = second.articles('You').filter({ hasText: 'Not now' });
    await waiting.getByRole('button', { name: 'Take back into the message box' }).click();
    await waiting.waitFor({ state: 'detached' });
    await waitFor('its text in the message box', async () => ((await second.composer.inputValue()) === 'Not now' ? true : undefined));
    await second.composer.fill('');
    await first.idle();
  });

  it('answer in two chats at once, and neither shows in the other', async () => {
    await second.button('New chat').click();
    await second.articles('You').first().waitFor({ state: 'detached' });
    const before = await first.articles('You').count();
    await Promise.all([first.sendAndWait('/long 30'), second.sendAndWait('/long 20')]);
    assert.equal(await second.articles('You').count(), 1);
    assert.equal(await first.articles('You').count(), before + 1);
  });

  it('go to another chat when theirs is deleted in the other window, and say so', async () => {
    await second.send('/long 4');
    await second.idle();
    const chats = (await workbench.api('listChats', { limit: 10 })) as { id: string; title: string }[];
    const shared = chats.find(({ title }) => title === '/long 2');
    assert.ok(shared);
    // The driver talks to the window that was opened last.
    await workbench.runCommand('loupe.deleteChat', shared.id);
    const notice = first.frame.getByRole('note').filter({ hasText: `"${shared.title}" was deleted in another window.` });
    await notice.waitFor();
    await first.articles('You').filter({ hasText: '/long 20' }).waitFor();
    assert.equal(await first.articles('You').count(), 2);
    await second.button('Undo').click();
    await second.articles('You').filter({ hasText: 'Me too' }).waitFor();
    await notice.waitFor({ state: 'detached' });
  });

  it('show a reply as interrupted when the window that got it is killed', async () => {
    await second.button('New chat').click();
    await second.articles('You').first().waitFor({ state: 'detached' });
    await second.sendAndWait('/long 1');
    await first.button('Switch chat').click();
    await first.region('Chat list').getByRole('button').filter({ hasText: '/long 1' }).first().click();
    await first.articles('You').filter({ hasText: '/long 1' }).waitFor();
    await first.send('/slow');
    await second.articles('You').filter({ hasText: '/slow' }).waitFor();
    await waitFor('text in the other window', async () => nonEmpty(await lastReply(second)));
    for (const pid of firstHosts) process.kill(pid, 'SIGKILL');
    await second.frame
      .getByText(/^Interrupted/)
      .first()
      .waitFor();
    await second.sendAndWait('/long 2');
    assert.equal(await second.articles('You').count(), 3);
  });
});

function nonEmpty<T extends { readonly length: number }>(value: T): T | undefined {
  return value.length > 0 ? value : undefined;
}

async function lastReply(panel: ChatPanel): Promise<string> {
  return (await panel.articles('Assistant').last().getByRole('paragraph').allInnerTexts()).join('\n');
}

function said(panel: ChatPanel): Promise<string[]> {
  return panel.articles('You').allTextContents();
}
