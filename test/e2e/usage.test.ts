import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Frame } from 'playwright-core';
import {
  ALL_THEMES,
  type ChatPanel,
  latestChat,
  openUsage,
  setTheme,
  sharedWorkbench,
  waitFor,
  type Workbench,
} from '../support/workbench/index.js';

describe('the tab Usage', () => {
  let workbench: Workbench;
  let panel: ChatPanel;
  let usage: Frame;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    await panel.sendAndWait('/long 20');
    await panel.newChat();
    await panel.sendAndWait('/long 30');
    await workbench.runCommand('loupe.showUsage', (await latestChat(workbench)).id);
    usage = await openUsage(workbench.page);
  });

  after(async () => {
    await workbench.runCommand('workbench.action.closeAllEditors');
    await setTheme(workbench, 'Dark Modern');
  });

  const rows = (): ReturnType<Frame['locator']> => usage.locator('.requests tbody tr');
  const focused = (): Promise<string> => usage.evaluate(() => (document.activeElement?.textContent ?? '').trim());
  const press = (key: string): Promise<void> => workbench.page.keyboard.press(key);

  async function count(of: number): Promise<void> {
    await waitFor(`${String(of)} requests`, async () => (await rows().count()) === of || undefined);
  }

  it('shows the chat that it was opened for, and all chats without that filter', async () => {
    await count(1);
    assert.match(await usage.locator('.verdict').innerText(), /tokens in and .+ out this week\. Nobody billed them\./);
    await usage.getByRole('button', { name: 'Remove the filter /long 30' }).click();
    const all = await waitFor('the other chat', async () => {
      const shown = await rows().count();
      return shown > 1 ? shown : undefined;
    });
    await usage.getByRole('textbox', { name: 'Filter' }).fill('/long 20');
    await usage.locator('.requests tbody').getByText('/long 30').first().waitFor({ state: 'detached' });
    await usage.getByRole('textbox', { name: 'Filter' }).fill('');
    await count(all);
  });

  it('shows all chats on this computer, which are here those of this workspace', async () => {
    const before = await rows().count();
    const chats = usage.getByRole('combobox', { name: 'Chat' });
    await chats.selectOption('All workspaces');
    await count(before);
    await chats.selectOption('All chats');
    await count(before);
  });

  it('follows what is sent meanwhile', async () => {
    const before = await rows().count();
    await panel.sendAndWait('/long 5');
    await waitFor('the new request', async () => (await rows().count()) > before || undefined);
  });

  it('can be used with the keyboard alone: bars, parts, periods, and a row that opens its request', async () => {
    const bars = usage.getByRole('group', { name: /^Tokens by day/ });
    await bars.getByRole('button').first().focus();
    await press('End');
    assert.match(await focused(), /^Sun /);
    await press('Home');
    assert.match(await focused(), /^Mon /);
    const today = bars.getByRole('button').filter({ hasText: 'request' }).filter({ hasNotText: 'no requests' }).first();
    await today.focus();
    await usage.locator('.card').waitFor();
    await press('Escape');
    await usage.locator('.card').waitFor({ state: 'detached' });
    await press('Enter');
    await usage.getByRole('button', { name: /^Remove the filter/ }).waitFor();
    await press('Enter');
    await usage.getByRole('radio', { name: 'Week' }).focus();
    await press('ArrowRight');
    await usage.getByRole('group', { name: /^Tokens by week/ }).waitFor();
    await press('ArrowLeft');
    await bars.waitFor();
    await rows().getByRole('button').first().focus();
    await press('ArrowDown');
    assert.match(await focused(), /^\d+ \w+ \d\d:\d\d$/);
    await press('Enter');
    await workbench.page.getByRole('tab', { name: 'Request Inspector' }).waitFor();
    await workbench.runCommand('loupe.showUsage');
    usage = await openUsage(workbench.page);
  });

  it('says so where no request matches', async () => {
    const all = await rows().count();
    await usage.getByRole('textbox', { name: 'Filter' }).fill('no such words');
    await usage.getByText('No request matches.').waitFor();
    await usage.getByRole('textbox', { name: 'Filter' }).fill('');
    await count(all);
  });

  it('is accessible, and readable in every theme', async () => {
    for (const theme of ALL_THEMES) {
      await setTheme(workbench, theme);
      await usage.evaluate(axe.source);
      const violations = await waitFor('the audit', () =>
        usage.evaluate(async () => {
          const { axe: audit } = window as unknown as {
            axe: { run(root: Document, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
          };
          const result = await audit.run(document, { resultTypes: ['violations'] });
          return result.violations.map((violation) => `${violation.id}: ${violation.nodes[0]?.html ?? ''}`);
        }),
      );
      assert.deepEqual(violations, [], theme);
    }
  });
});
