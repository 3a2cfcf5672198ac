import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { ChatPanel, chatTab, sharedWorkbench, uriArgument, waitFor, type Workbench } from '../support/workbench/index.js';

describe('a chat in an editor tab', () => {
  let workbench: Workbench;
  let view: ChatPanel;
  let tab: ChatPanel;

  before(async () => {
    ({ workbench, panel: view } = await sharedWorkbench());
  });

  function tabs(): Locator {
    return workbench.page.locator('.part.editor .tab');
  }

  async function hasTitles(titles: readonly string[]): Promise<void> {
    await waitFor(`the tabs ${titles.join(', ')}`, async () => {
      const shown = (await tabs().allInnerTexts()).map((text) => text.replaceAll('\n', ''));
      return JSON.stringify(shown) === JSON.stringify(titles) || undefined;
    });
  }

  async function hasText(panel: ChatPanel, text: string): Promise<void> {
    await waitFor(`the draft "${text}"`, async () => (await panel.composer.inputValue()) === text || undefined);
  }

  it('is opened by a command, once, and has its title', async () => {
    await view.sendAndWait('/long 20');
    await workbench.runCommand('loupe.openInEditor');
    tab = new ChatPanel(await chatTab(workbench.page));
    await tab.articles('You').filter({ hasText: '/long 20' }).waitFor();
    await workbench.runCommand('loupe.openInEditor');
    await hasTitles(['/long 20']);
  });

  it('shows with the view what is said in either of them', async () => {
    await tab.sendAndWait('/long 21');
    await view.articles('You').filter({ hasText: '/long 21' }).waitFor();
    assert.equal(await view.articles('Assistant').count(), 2);
    await view.sendAndWait('/long 22');
    await tab.articles('You').filter({ hasText: '/long 22' }).waitFor();
    assert.equal(await tab.articles('Assistant').count(), 3);
  });

  it('shares the message that is being written with the view, and leaves the focus where the user is', async () => {
    await tab.composer.click();
    await workbench.page.keyboard.type('Half a sent');
    await hasText(view, 'Half a sent');
    await view.composer.click();
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.type('ence');
    await hasText(tab, 'Half a sentence');
    await tab.articles('You').last().getByRole('button', { name: 'Edit' }).click();
    await hasText(view, '/long 22');
    // Escape ends the edit only when the tab shows it, too.
    await hasText(tab, '/long 22');
    await workbench.page.keyboard.press('Escape');
    await hasText(view, 'Half a sentence');
    assert.ok(await tab.frame.evaluate(() => document.hasFocus()));
    await tab.composer.fill('');
    await hasText(view, '');
  });

  it('is what the keys act on, where it was used last', async () => {
    await tab.composer.click();
    await workbench.page.keyboard.press('Control+f');
    await tab.frame.getByRole('textbox', { name: 'Find' }).waitFor();
    await workbench.page.keyboard.press('Escape');
    await workbench.runCommand('loupe.renameChat', undefined, 'Tides');
    await hasTitles(['Tides']);
    await workbench.runCommand('loupe.newChat');
    await hasTitles(['New chat']);
    await view.frame.getByRole('heading', { name: 'Tides' }).waitFor();
    await tab.send('/long 23');
    await tab.articles('You').filter({ hasText: '/long 23' }).waitFor();
    await tab.idle();
    await hasTitles(['/long 23']);
    assert.equal(await view.articles('You').filter({ hasText: '/long 23' }).count(), 0);
  });

  it('says nothing of what fails in the view, where the button is', async () => {
    await tab.composer.click();
    await view.post([{ type: 'setModelLimit', provider: 'none', model: 'none' }]);
    const failed = 'The provider none does not exist.';
    await view.frame.getByText(failed).waitFor();
    assert.equal(await tab.frame.getByText(failed).count(), 0);
    await view.button('Dismiss').click();
    await tab.composer.click();
  });

  it('is behind another tab as it was, and still follows its chat', async () => {
    await workbench.runCommand('vscode.open', uriArgument(workbench, 'README.md'));
    await tab.gone();
    await workbench.runCommand('loupe.sendMessage', '/long 24');
    await tabs().first().click();
    tab = new ChatPanel(await chatTab(workbench.page));
    await tab.articles('You').filter({ hasText: '/long 24' }).waitFor();
  });

  it('is opened from a row of the list of chats, too', async () => {
    await view.button('Switch chat').click();
    const row = view.region('Chat list').getByRole('button').filter({ hasText: 'Tides' }).first();
    await row.focus();
    await workbench.page.keyboard.press('Control+Enter');
    await hasTitles(['/long 23', 'Tides', 'README.md']);
    await view.button('Switch chat').click();
  });

  it('is closed when its chat is deleted elsewhere, which can be undone there', async () => {
    await view.button('Switch chat').click();
    const row = view.region('Chat list').getByRole('button').filter({ hasText: '/long 23' }).first();
    await row.focus();
    await workbench.page.keyboard.press('Delete');
    await hasTitles(['Tides', 'README.md']);
    await view.button('Undo').click();
    // The chat is in the list again, and the view still shows its own chat.
    await row.waitFor();
    assert.equal(await view.frame.getByRole('heading', { name: '/long 23' }).count(), 0);
  });

  it('suggests to explain the file beside it', async () => {
    await tabs().first().click();
    await workbench.runCommand('vscode.open', uriArgument(workbench, 'src/gauge.ts'), { viewColumn: 2 });
    tab = new ChatPanel(await chatTab(workbench.page));
    await tab.composer.click();
    await tab.newChat();
    await tab.frame.getByRole('button', { name: /^Explain the open file/ }).waitFor();
  });
});
