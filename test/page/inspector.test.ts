import assert from 'node:assert/strict';
import { exportedHtml } from '../../src/host/inspector/exportedHtml.js';
import type { InspectorView } from '../../src/host/inspector/inspectorView.js';
import type { InspectorToHost } from '../../src/protocol/inspector/inspector.js';
import { inspectorStates } from '../../webview/preview/states/inspector.js';
import { isDeep } from '../support/depth.mjs';
import { openInspector } from '../support/host/openInspector.js';
import { useWindows } from '../support/host/window.js';
import { turnOf, useLooks } from '../support/workbench/looks.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';
import { waitFor } from '../support/workbench/wait.js';

const HOSTILE = 'Look: <img src="https://tides.example/x.png" onerror="document.title=1"> high water at the quay';
/** Pixels: an editor, and two side by side. */
const WIDTHS = [900, 600] as const;
const HEIGHT = 800;
/** Its audit takes as long as all others together. */
const DEEP_STATE = 'Inspector: many requests';

describe('the Request Inspector in a page', () => {
  const preview = usePreview();
  const looks = useLooks(preview);
  const windows = useWindows();
  const heading = (name: string): Promise<void> => preview.page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

  /** What the user asked for since the test holds it back. Null while the host gets everything at once. */
  let held: (() => void)[] | null;
  beforeEach(() => {
    held = null;
  });

  /** The last of two requests, from the host's own view. */
  async function open(): Promise<InspectorView> {
    const { window, session } = await windows.openChat({}, '/long 20', HOSTILE);
    const [, id = ''] = [...session.state.attempts.keys()];
    const { view } = await openInspector(window, session.id, { id, ports: {} });
    window.closing.push(() => {
      view.dispose();
      return Promise.resolve();
    });
    await preview.show('Inspector: reading', DARK, WIDTHS[0], HEIGHT);
    preview.connect(view.channel, (message: InspectorToHost) => {
      if (message.type !== 'ask') return;
      const pass = (): void => {
        view.ask(message.query);
      };
      if (held === null) pass();
      else held.push(pass);
    });
    await heading('Request 2 of 2');
    return view;
  }

  it('has no number of the request before the host has read the chat', async () => {
    await preview.show('Inspector: reading', DARK, WIDTHS[0], HEIGHT);
    await heading('Request');
  });

  it('goes to the request before and after, and by the chart', async () => {
    await open();
    // By key: the facts of a request can move the buttons during a click.
    await preview.page.getByRole('button', { name: 'Request before' }).press('Enter');
    await heading('Request 1 of 2');
    await preview.page.getByRole('button', { name: 'Request after' }).press('Enter');
    await heading('Request 2 of 2');
    await preview.page.getByRole('button', { name: 'Request after' }).press('Enter');
    await heading('Next request');
    await preview.page
      .getByRole('group', { name: 'Requests' })
      .getByRole('button', { name: /^Request 2: / })
      .press('Enter');
    await heading('Request 2 of 2');
  });

  it('goes on from the request that the user chose last, while the host still answers an earlier choice', async () => {
    await open();
    const go = (name: string): Promise<void> => preview.page.getByRole('button', { name }).press('Enter');
    const blocks = preview.page.locator('.blocks');
    await blocks.getByText('You: Look').waitFor();
    const asked: (() => void)[] = (held = []);
    await go('Request before');
    await heading('Request 1 of 2');
    await go('Request after');
    await heading('Request 2 of 2');
    await waitFor('two questions', () => asked.length === 2 || undefined);
    asked[0]?.();
    await blocks.getByText('You: Look').waitFor({ state: 'detached' });
    await blocks.getByRole('button', { name: /^You: / }).waitFor();
    await go('Request after');
    await heading('Next request');
    // The page shows its heading before the host has the message.
    await waitFor('all three questions', () => asked.length === 3 || undefined);
    asked.slice(1).forEach((pass) => {
      pass();
    });
    await preview.page.locator('.facts', { hasText: 'not sent yet' }).waitFor();
    await heading('Next request');
  });

  it('selects a block by mouse and keyboard, shows its text as text, and its payload, and finds words in the blocks', async () => {
    await open();
    const { page } = preview;
    const selected = (): Promise<string> => page.locator('.blocks [aria-pressed="true"]').first().innerText();
    const selects = (name: string): Promise<true> =>
      waitFor(`the block ${name}`, async () => (await selected()).includes(name) || undefined);
    const lines = (): Promise<string> => page.getByRole('tabpanel').innerText();
    await page
      .locator('.blocks')
      .getByRole('button', { name: /^System prompt, / })
      .click();
    await selects('System prompt');
    await page.keyboard.press('End');
    await selects('You: Look');
    await page.getByRole('tabpanel').getByText('high water at the quay').waitFor();
    assert.equal(await page.locator('img, iframe, a').count(), 0);
    await page.getByRole('tab', { name: 'Exact payload' }).click();
    await waitFor('the payload', async () => (await lines()).includes('onerror=\\"document') || undefined);
    assert.match(await lines(), /Lines \d+ to \d+ of \d+, byte for byte\. Loupe hides API keys\./);
    const strip = page.getByRole('group', { name: 'Blocks by size' });
    await strip.getByRole('button', { name: /System prompt/ }).focus();
    await page.keyboard.press('Enter');
    await selects('System prompt');
    const field = page.getByRole('textbox', { name: 'Find in this request' });
    await field.fill('HIGH WATER');
    await page.getByText('1 block', { exact: true }).waitFor();
    await field.press('Enter');
    await selects('You: Look');
    await field.press('Escape');
    await page.getByText('1 block', { exact: true }).waitFor({ state: 'detached' });
  });

  for (const [width, height] of [
    [600, 800],
    [600, 400],
    [1_100, 800],
  ] as const) {
    it(`shows the detail of a selected block in sight, and keeps the focus: ${String(width)} x ${String(height)} px`, async () => {
      const view = await open();
      const { page } = preview;
      await preview.show('Inspector: reading', DARK, width, height);
      preview.connect(view.channel, (message: InspectorToHost) => {
        if (message.type === 'ask') view.ask(message.query);
      });
      const detail = page.getByRole('region', { name: 'Selected block' });
      const inSight = (name: string): Promise<true> =>
        waitFor(`the detail of ${name} in sight`, async () => {
          const box = (await detail.getByRole('heading', { level: 2, name }).count()) === 0 ? null : await detail.boundingBox();
          const frame = await page.evaluate(() => ({ top: 0, bottom: innerHeight }));
          return box !== null && box.y >= frame.top - 1 && box.y + Math.min(box.height, 100) <= frame.bottom + 1 ? true : undefined;
        });
      // A row that no other row of the view hides.
      const row = page.locator('.blocks').getByRole('button', { name: /^System prompt, / });
      await row.click();
      await inSight('System prompt');
      assert.equal(await row.evaluate((each) => each === document.activeElement), true);
      await page.keyboard.press('End');
      await inSight('You: Look');
      const focused = await page.locator('.blocks :focus').boundingBox();
      const at = await detail.boundingBox();
      assert.ok(focused !== null && at !== null);
      assert.ok(width > 939 || focused.y + focused.height <= at.y + 1, 'the focused row is above the detail');
      const segment = page.getByRole('group', { name: 'Blocks by size' }).getByRole('button', { name: /System prompt/ });
      await segment.press('Enter');
      await inSight('System prompt');
    });
  }

  it('hides columns that have the same value in all rows, and shows the rest of the verdict on demand', async () => {
    await preview.show('Inspector: no prices', DARK, 1_100, HEIGHT);
    const { page } = preview;
    await page.getByRole('columnheader', { name: 'Block', exact: true }).waitFor();
    const columns = await page.locator('.blocks thead th:visible').allInnerTexts();
    assert.deepEqual(columns, ['#', 'Block', 'Tokens']);
    const verdict = page.getByRole('region', { name: 'Verdict' });
    assert.equal((await verdict.innerText()).replaceAll(/\s+/g, ' '), 'Price unknown: acme-large has no prices. Add prices · Details');
    await verdict.getByRole('button', { name: 'Details' }).press('Enter');
    await verdict.getByText('This is the first request of the chat').waitFor();
    assert.equal(
      await verdict.getByRole('button', { name: 'Details', expanded: true }).evaluate((each) => each === document.activeElement),
      true,
    );
    await preview.show('Inspector: a cache that broke', DARK, 1_100, HEIGHT);
    await page.getByRole('columnheader', { name: 'Tier' }).waitFor();
    const all = await page.locator('.blocks thead th:visible').allInnerTexts();
    assert.deepEqual(all, ['#', 'Block', 'Tier', 'Tokens', 'Cache', 'Price', 'Why']);
  });

  for (const width of [900, 600, 400]) {
    it(`keeps its buttons in one line, and shows no empty group: ${String(width)} px`, async () => {
      await preview.show('Inspector: no prices', DARK, width, HEIGHT);
      const { page } = preview;
      await page.getByRole('group', { name: /^Not selected/ }).waitFor();
      assert.equal(await page.getByRole('group', { name: /^Earlier context/ }).count(), 0);
      const tops = new Set<number | undefined>();
      for (const name of ['Send again…', 'Copy payload', 'Export']) {
        tops.add((await page.getByRole('button', { name, exact: true }).boundingBox())?.y);
      }
      assert.equal(tops.size, 1, JSON.stringify([...tops]));
    });
  }

  for (const width of [425, 300]) {
    it(`shows the time and the model whole, and each tab in one line: ${String(width)} px`, async () => {
      await preview.show('Inspector: a cache that broke', DARK, width, HEIGHT);
      const { page } = preview;
      const heights = await page.getByRole('tab').evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().height));
      assert.deepEqual(heights, [28, 28, 28]);
      const facts = page.locator('.head .of-request');
      assert.equal(await facts.evaluate((each) => each.scrollWidth > each.clientWidth), false, await facts.innerText());
    });
  }

  it('leaves the width to the names of the blocks at 600 px', async () => {
    await preview.show('Inspector: a cache that broke', DARK, 600, HEIGHT);
    const { page } = preview;
    await page.getByRole('columnheader', { name: 'Block', exact: true }).waitFor();
    const columns = await page.locator('.blocks thead th:visible').allInnerTexts();
    assert.deepEqual(columns, ['#', 'Block', 'Tokens', 'Cache', 'Price']);
    const name = page.locator('.blocks .row-name', { hasText: 'System prompt' });
    assert.equal(await name.evaluate((each) => each.scrollWidth > each.clientWidth), false, 'the name is cut');
  });

  it('exports a file that opens elsewhere: no request leaves it, nothing in it runs, and it is accessible', async () => {
    const view = await open();
    assert.ok(view.inspected !== null);
    const { html } = await exportedHtml(view.inspected, view, { keys: [], servers: [], homes: [] });
    const { page } = preview;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.route('https://exported.example/', (route) => route.fulfill({ contentType: 'text/html', body: html }));
    await page.goto('https://exported.example/');
    await page.locator('details').evaluateAll((all) => {
      for (const each of all) each.setAttribute('open', '');
    });
    await page.getByText('high water at the quay').first().waitFor();
    assert.deepEqual(asked, ['https://exported.example/']);
    assert.equal(await page.locator('img, script, iframe').count(), 0);
    assert.match(await page.title(), /^Request 2 of 2 - /);
    // The file's policy blocks all scripts. It is removed only for the audit.
    await page.setContent(html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, ''));
    await looks.load();
    assert.deepEqual(await looks.violations({}), []);
  });

  const states = inspectorStates().filter(({ name }) => isDeep || name !== DEEP_STATE);
  for (const [at, { name }] of states.entries()) {
    it(`${name}: is without errors, accessible and readable, with everything within the view`, async () => {
      const turn = turnOf(at, WIDTHS);
      await preview.show(name, turn.themes[0] ?? '', turn.widths[0] ?? 0, HEIGHT);
      assert.equal(await preview.page.getByText('The Request Inspector failed').count(), 0);
      assert.deepEqual(await looks.faults(turn), []);
    });
  }
});
