import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { ApiChat } from '../../src/protocol/api.js';
import type { Frame, Page } from 'playwright-core';
import { sharedBrowser } from '../support/workbench/browser.js';
import {
  ALL_THEMES,
  ChatPanel,
  latestChat,
  openInspector,
  openLoupe,
  setTheme,
  sharedWorkbench,
  uriArgument,
  waitFor,
  type Workbench,
} from '../support/workbench/index.js';

const HOSTILE = 'Look: <img src="https://tides.example/x.png" onerror="document.title=1"> high water at the quay';

/** VS Code in a browser keeps which editors are open every five seconds. */
const KEPT_MS = 6_000;

interface Audited {
  readonly axe: { run(root: Document, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
}

/** What axe finds wrong with a page. */
async function violations(page: Frame | Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: audit } = window as unknown as Audited;
    const result = await audit.run(document, { resultTypes: ['violations'] });
    return result.violations.map((violation) => `${violation.id}: ${violation.nodes[0]?.html ?? ''}`);
  });
}

describe('the Request Inspector in the workbench', () => {
  let workbench: Workbench;
  let panel: ChatPanel;
  let inspector: Frame;
  let chat: string;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    // The inspector of another chat would be found as well.
    await workbench.runCommand('workbench.action.closeAllEditors');
    await panel.newChat();
    await panel.sendAndWait('/long 20');
    await panel.sendAndWait(HOSTILE);
    chat = (await latestChat(workbench)).id;
  });

  after(async () => {
    await workbench.runCommand('workbench.action.closeAllEditors');
    await setTheme(workbench, 'Dark Modern');
  });

  const heading = (name: string): Promise<void> => inspector.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const press = (key: string): Promise<void> => workbench.page.keyboard.press(key);
  const selected = (): Promise<string> => inspector.locator('.blocks [aria-pressed="true"]').first().innerText();
  const lines = (): Promise<string> => inspector.getByRole('tabpanel').innerText();

  it('opens on the request of a reply by its button, with the verdict first', async () => {
    await panel.articles('Assistant').last().getByRole('button', { name: 'Show this request' }).click();
    inspector = await openInspector(workbench.page);
    await heading('Request 2 of 2');
    const verdict = await inspector.getByRole('region', { name: 'Verdict' }).innerText();
    assert.match(verdict, /^Would cost \$0\.\d{4} with a paid model: /);
  });

  it('goes to the request before and after, and by the chart, in the same tab', async () => {
    await inspector.getByRole('button', { name: 'Request before' }).click();
    await heading('Request 1 of 2');
    await inspector.getByRole('button', { name: 'Request after' }).click();
    await heading('Request 2 of 2');
    await inspector.getByRole('button', { name: 'Request after' }).click();
    await heading('Next request');
    await inspector
      .getByRole('group', { name: 'Requests' })
      .getByRole('button', { name: /^Request 2: / })
      .click();
    await heading('Request 2 of 2');
    assert.equal(await workbench.page.getByRole('tab', { name: 'Request Inspector' }).count(), 1);
  });

  it('selects a block by mouse and keyboard, and shows its text as text, and its payload', async () => {
    const rows = inspector.locator('.blocks');
    await rows.getByRole('button', { name: /^System prompt, / }).click();
    await waitFor('the system prompt', async () => (await selected()).includes('System prompt') || undefined);
    await press('End');
    await waitFor('the message', async () => (await selected()).includes('You: Look') || undefined);
    await inspector.getByRole('tabpanel').getByText('high water at the quay').waitFor();
    assert.equal(await inspector.locator('img, iframe, a').count(), 0);
    await inspector.getByRole('tab', { name: 'Exact payload' }).click();
    await waitFor('the payload', async () => (await lines()).includes('onerror=\\"document') || undefined);
    assert.match(await lines(), /Lines \d+ to \d+ of \d+, byte for byte\. Keys are hidden\./);
    const strip = inspector.getByRole('group', { name: 'Blocks by size' });
    await strip.getByRole('button', { name: /System prompt/ }).focus();
    await press('Enter');
    await waitFor('the system prompt again', async () => (await selected()).includes('System prompt') || undefined);
  });

  it('finds words in the blocks, and goes from one to the next', async () => {
    const field = inspector.getByRole('textbox', { name: 'Find in this request' });
    await field.fill('HIGH WATER');
    await inspector.getByText('1 block', { exact: true }).waitFor();
    await field.press('Enter');
    await waitFor('the block that was found', async () => (await selected()).includes('You: Look') || undefined);
    await field.press('Escape');
    await inspector.getByText('1 block', { exact: true }).waitFor({ state: 'detached' });
  });

  it('follows what is sent meanwhile', async () => {
    await panel.sendAndWait('/long 3');
    await heading('Request 2 of 3');
  });

  it('follows the reply that has the focus, but not from a request that was chosen in it', async () => {
    await panel.articles('Assistant').first().focus();
    // It was chosen by the chart.
    await heading('Request 2 of 3');
    await panel.articles('Assistant').last().getByRole('button', { name: 'Show this request' }).click();
    await heading('Request 3 of 3');
    await panel.articles('Assistant').first().focus();
    await heading('Request 1 of 3');
    const reply = panel.articles('Assistant').first();
    assert.ok(await reply.evaluate((article) => document.hasFocus() && article === document.activeElement), 'the focus stays');
  });

  it('goes along to another chat and back, and comes back with a reload of the window', async () => {
    await panel.newChat();
    await heading('Next request');
    await workbench.runCommand('loupe.openChat', chat);
    await heading('Request 3 of 3');
    // VS Code keeps which editors are open every five seconds.
    await setTimeout(KEPT_MS);
    await workbench.page.reload();
    panel = new ChatPanel(await openLoupe(workbench.page));
    inspector = await openInspector(workbench.page);
    await heading('Request 3 of 3');
    await inspector.getByRole('tabpanel').waitFor();
  });

  it('is accessible, and readable in every theme', async () => {
    for (const theme of ALL_THEMES) {
      await setTheme(workbench, theme);
      assert.deepEqual(await waitFor('the audit', () => violations(inspector)), [], theme);
    }
  });

  it('says what is blacked out before it exports, and can be left', async () => {
    await inspector.getByRole('button', { name: 'Export' }).click();
    const dialog = workbench.page.getByRole('dialog').filter({ hasText: 'Export this request?' });
    await dialog.getByText(/blacked out/i).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('exports a file that opens elsewhere: no request leaves it, nothing in it runs, and it is accessible', async () => {
    await inspector.getByRole('tab', { name: 'Text' }).click();
    await workbench.runCommand('loupe.exportRequest', uriArgument(workbench, 'request.html'));
    const html = readFileSync(join(workbench.workspaceDir, 'request.html'), 'utf8');
    const page = await (await (await sharedBrowser()).newContext()).newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.route('https://exported.example/', (route) => route.fulfill({ contentType: 'text/html', body: html }));
    await page.goto('https://exported.example/');
    await page.locator('details').evaluateAll((all) => {
      for (const each of all) each.setAttribute('open', '');
    });
    await page.getByText('high water at the quay').first().waitFor();
    assert.deepEqual(
      asked.filter((url) => url !== 'https://exported.example/'),
      [],
    );
    assert.equal(await page.locator('img, script, iframe').count(), 0);
    assert.match(await page.title(), /^Request 3 of 3 - /);
    // The policy of the file lets no script in, the audit's neither: it is lifted for that alone.
    await page.setContent(html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, ''));
    assert.deepEqual(await violations(page), []);
    await page.context().close();
    const { messages } = (await workbench.api('getChat', chat)) as ApiChat;
    assert.equal(messages.filter(({ role }) => role === 'assistant').length, 3);
  });
});
