import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ChatView } from '../../src/protocol/panel/view.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';
import { openSettings } from '../support/workbench/openSettings.js';

/* A chat's settings in a browser without VS Code. The preview provides the state, and no host answers. */

function withMemory(chat: ChatView | null, value: number | null): ChatView | null {
  return chat === null ? null : { ...chat, settings: chat.settings.map((row) => (row.name === 'toolMemory' ? { ...row, value } : row)) };
}

describe('the settings of a chat', () => {
  const preview = usePreview();
  const heading = (name: string, expanded: boolean): Locator => preview.page.getByRole('button', { name, exact: true, expanded });

  it('shows what most people change, and the rest below headings that say how much of it is changed', async () => {
    await preview.show('Settings open', DARK, 300, 700);
    const region = preview.page.getByRole('region', { name: 'Chat settings' });
    await region.getByRole('button', { name: /^Model: / }).waitFor();
    await region.getByRole('combobox', { name: 'Cache' }).waitFor();
    await region.getByRole('button', { name: /^Agent: / }).waitFor();
    await region.getByRole('textbox', { name: 'Context limit' }).waitFor();
    const asking = region.getByRole('combobox', { name: 'Ask each time' });
    assert.equal(await asking.isVisible(), false);
    assert.deepEqual(
      (await region.getByRole('button', { expanded: false }).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()).slice(-7),
      [
        'Prompt layout and cache',
        'Picked rules and skills 2 changed',
        'Tools 1 changed',
        'Summaries',
        'Titles',
        'Editor state',
        'Repository map',
      ],
    );
    await heading('Summaries', false).press('Enter');
    await asking.waitFor();
    assert.equal(await heading('Summaries', true).evaluate((button) => button === document.activeElement), true);
    await preview.page.getByRole('button', { name: 'Close' }).click();
    await openSettings(preview.page);
    await asking.waitFor();
  });

  it('open when the host says so, as after Raise the limit', async () => {
    await preview.show('First chat', DARK, 425, 800);
    await preview.tell({ type: 'settings' });
    await preview.page.getByRole('region', { name: 'Chat settings' }).getByRole('textbox', { name: 'Context limit' }).waitFor();
  });

  it('has room beside the opened details of the next request', async () => {
    await preview.show('Settings open', DARK, 260, 600);
    await preview.page.getByRole('button', { name: /^Next request/ }).click();
    await preview.page.getByText('Formatting').waitFor({ state: 'attached' });
    const box = await preview.page.getByRole('region', { name: 'Chat settings' }).boundingBox();
    assert.ok((box?.height ?? 0) >= 200, JSON.stringify(box));
  });

  it('switches the tool memory on and off, with the turns beside it, and says in words what holds', async () => {
    await preview.show('Settings open', DARK, 300, 900);
    await heading('Tools 1 changed', false).click();
    const memory = preview.page.getByRole('group', { name: 'Tool memory' });
    const box = memory.getByRole('checkbox', { name: 'Forget old tool calls' });
    const turns = memory.getByRole('combobox', { name: 'Tool memory' });
    assert.equal(await box.isChecked(), true);
    assert.equal(await memory.locator('label').getAttribute('title'), 'forget after 1 turn');
    await turns.click();
    await memory.getByRole('option', { name: 'Immediately' }).click();
    await box.press('Space');
    assert.deepEqual(
      (await preview.posted(2, 'changeSetting')).map((message) => message.type === 'changeSetting' && [message.name, message.value]),
      [
        ['toolMemory', 0],
        ['toolMemory', null],
      ],
    );
    await preview.change((state) => ({ ...state, chat: withMemory(state.chat, null) }));
    await memory.getByText('Always remember').waitFor();
    assert.deepEqual([await box.isChecked(), await turns.count()], [false, 0]);
    assert.equal(await memory.locator('label').getAttribute('title'), 'Always remember');
    await box.press('Space');
    const [, , last] = await preview.posted(3, 'changeSetting');
    assert.deepEqual(last?.type === 'changeSetting' && [last.name, last.value], ['toolMemory', 1]);
  });

  it('keeps what was typed and is not valid in a group that is closed, and says so in its heading', async () => {
    await preview.show('Settings open', DARK, 300, 700);
    await heading('Summaries', false).click();
    const kept = preview.page.getByRole('textbox', { name: 'Turns kept' });
    await kept.fill('none');
    await heading('Summaries 1 invalid', true).click();
    assert.equal(await kept.isVisible(), false);
    await heading('Summaries 1 invalid', false).click();
    assert.equal(await kept.inputValue(), 'none');
    await preview.page.getByRole('alert').getByText('Enter a whole number, 1 or more').waitFor();
    await kept.fill('3');
    await heading('Summaries', true).waitFor();
  });
});
