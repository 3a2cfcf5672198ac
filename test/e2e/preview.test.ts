import assert from 'node:assert/strict';
import axe, { type RunOptions } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { startPreview } from '../../build/preview.mjs';
import { launchBrowser } from '../support/browser.mjs';

const STATES = 21;

const ALL_RULES: RunOptions = { resultTypes: ['violations'] };
/** A theme changes colours and nothing else. */
const RULES_OF_THEMES: RunOptions = { ...ALL_RULES, runOnly: ['color-contrast'] };

describe('the preview of the panel', () => {
  let preview: Awaited<ReturnType<typeof startPreview>>;
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];

  before(async () => {
    preview = await startPreview({ port: 0, watch: false });
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
  });

  after(async () => {
    await browser.close();
    await preview.stop();
  });

  it('renders all states in all themes, without an error and without an accessibility violation', async () => {
    await page.goto(preview.url);
    const options = (label: string): Promise<string[]> => page.getByLabel(label).getByRole('option').allInnerTexts();
    const [states, themes] = [await options('State'), await options('Theme')];
    assert.equal(states.length, STATES);
    for (const state of states) {
      for (const [index, theme] of themes.entries()) {
        await page.goto(`${preview.url}frame.html?${new URLSearchParams({ state, theme }).toString()}`);
        await page.locator(`body[data-ready="${state}"]`).waitFor();
        assert.deepEqual(errors, [], state);
        assert.equal(await page.getByText('The panel failed').count(), 0, state);
        assert.deepEqual(await axeFaults(page, index === 0 ? ALL_RULES : RULES_OF_THEMES), [], `${state}, ${theme}`);
      }
    }
  });

  it('wraps the lines of a code block, and back', async () => {
    await page.setViewportSize({ width: 260, height: 900 });
    await page.goto(`${preview.url}frame.html?${new URLSearchParams({ state: 'First chat', theme: 'Dark Modern' }).toString()}`);
    const block = page.locator('.code-block pre').first();
    const scrolls = (): Promise<boolean> => block.evaluate((pre) => pre.scrollWidth > pre.clientWidth);
    const wrap = page.getByRole('button', { name: 'Wrap lines' }).first();
    assert.equal(await scrolls(), true);
    await wrap.press('Enter');
    assert.deepEqual([await scrolls(), await wrap.getAttribute('aria-pressed')], [false, 'true']);
    await wrap.press('Enter');
    assert.deepEqual([await scrolls(), await wrap.getAttribute('aria-pressed')], [true, 'false']);
  });

  it('goes through the states with the keyboard, and keeps its choice in the address', async () => {
    await page.goto(`${preview.url}?state=Streaming&theme=Light+Modern&width=600`);
    const shown = page.frameLocator('#panel');
    await shown.locator('body[data-ready="Streaming"].vscode-light').waitFor();
    await page.getByRole('button', { name: 'Next' }).press('Enter');
    await shown.locator('body[data-ready="Reasoning"].vscode-light').waitFor();
    const { searchParams } = new URL(page.url());
    assert.deepEqual(Object.fromEntries(searchParams), { state: 'Reasoning', theme: 'Light Modern', width: '600' });
    assert.deepEqual(errors, []);
  });
});

async function axeFaults(page: Page, rules: RunOptions): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async (options) => {
    const { axe: audit } = globalThis as unknown as { axe: typeof axe };
    return (await audit.run('loupe-chat', options)).violations;
  }, rules);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
