import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { UsageRows } from '../../src/host/usage/usageRows.js';
import type { UsageToHost } from '../../src/protocol/usage/usage.js';
import type { SpendLimits } from '../../src/engine/spend/limits.js';
import { markedCache } from '../support/engine/models.js';
import { cachingHouse, HOUSE_MINIMUM, words } from '../support/host/cachingHouse.js';
import { RunningClock } from '../support/host/clocks.js';
import { BILLED_MODELS } from '../support/host/billedModels.js';
import { depth } from '../support/depth.mjs';
import { NO_OTHERS, openUsage } from '../support/host/openUsage.js';
import { useWindows } from '../support/host/window.js';
import { THEMES, turnOf, useLooks } from '../support/workbench/looks.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';
import { waitFor } from '../support/workbench/wait.js';

/** Pixels: an editor, and two side by side. */
const WIDTHS = [900, 600] as const;
const HEIGHT = 800;

/** The headers of a reply of Anthropic with a rate limit that resets at this time. */
function limitHeaders(resetsAt: number): Readonly<Record<string, string>> {
  const limits = { limit: '80000', remaining: '12400', reset: new Date(resetsAt).toISOString() };
  return Object.fromEntries(Object.entries(limits).map(([name, value]) => [`anthropic-ratelimit-tokens-${name}`, value]));
}

describe('the tab Usage in a page', () => {
  const preview = usePreview();
  const looks = useLooks(preview);
  const windows = useWindows();
  const rows = (): Locator => preview.page.locator('.requests tbody tr.opens');
  const press = (key: string): Promise<void> => preview.page.keyboard.press(key);
  const focused = (): Promise<string> => preview.page.evaluate(() => (document.activeElement?.textContent ?? '').trim());

  async function count(of: number): Promise<void> {
    await waitFor(`${String(of)} requests`, async () => (await rows().count()) === of || undefined);
  }

  /** Opens the usage of two chats with one request each. Returns the page's messages to VS Code. */
  async function open(theme: string, width: number): Promise<readonly UsageToHost[]> {
    let limits: SpendLimits = { askAbove: null, capPerChat: null, capPerDay: null };
    const window = windows.open({
      models: BILLED_MODELS,
      spend: () => limits,
      writeSpendLimit: (name, usd) => {
        limits = { ...limits, [name]: usd };
        return Promise.resolve();
      },
    });
    for (const text of ['/long 20', '/long 30']) {
      const session = await window.chats.create();
      await session.conversation.send(text);
    }
    const { view } = openUsage(window, new UsageRows(window.chats), NO_OTHERS);
    window.closing.push(() => {
      view.dispose();
      return Promise.resolve();
    });
    await view.show(null);
    const asked: UsageToHost[] = [];
    await preview.show('Usage', theme, width, HEIGHT);
    preview.connect(view.channel, (message: UsageToHost) => {
      if (message.type === 'ask') view.ask(message.query);
      else if (message.type === 'showLimits') void view.limits.show(message.inChat);
      else if (message.type === 'setLimit') void view.limits.set(message.inChat, message.limit, message.usd);
      else asked.push(message);
    });
    await count(2);
    return asked;
  }

  it('filters by words, and says so where no request matches', async () => {
    await open(DARK, WIDTHS[0]);
    const filter = preview.page.getByRole('textbox', { name: 'Filter' });
    await filter.fill('/long 20');
    await count(1);
    await rows().getByText('/long 20').waitFor();
    await filter.fill('no such words');
    await preview.page.getByText('No request matches.').waitFor();
    await filter.fill('');
    await count(2);
  });

  it('shows one chat, all of the workspace, and all on this computer, which are here the same', async () => {
    await open(DARK, WIDTHS[0]);
    const chats = preview.page.getByRole('combobox', { name: 'Chat' });
    await chats.selectOption('/long 20');
    await count(1);
    await preview.page.getByRole('button', { name: 'Remove the filter /long 20' }).click();
    await count(2);
    await chats.selectOption('All workspaces');
    await count(2);
    await chats.selectOption('All chats');
    await count(2);
  });

  it('leads to the limits of what may be spent', async () => {
    const asked = await open(DARK, WIDTHS[0]);
    await preview.page.getByRole('button', { name: 'Limit…' }).click();
    const day = preview.page.getByRole('textbox', { name: 'Stop all chats each day at' });
    await day.fill('5');
    await press('Enter');
    await waitFor('the limit to be saved', async () => (await day.inputValue()) === '$5.00' || undefined);
    assert.equal(await preview.page.getByRole('textbox', { name: 'Stop this chat at' }).count(), 0, 'all chats are shown');
    await preview.page.getByText(/\$[\d.]+ spent today/).waitFor();
    await preview.page.getByRole('button', { name: 'Spend settings' }).click();
    await waitFor('the settings to be asked for', () => asked.some(({ type }) => type === 'openSpendSettings') || undefined);
  });

  it('can be used with the keyboard alone: bars, parts, periods, and a row that opens its request', async () => {
    const asked = await open(DARK, WIDTHS[0]);
    const bars = preview.page.getByRole('group', { name: /^Cost by day/ });
    await bars.getByRole('button').first().focus();
    await press('End');
    assert.match(await focused(), /^Sun /);
    await press('Home');
    assert.match(await focused(), /^Mon /);
    const today = bars.getByRole('button').filter({ hasText: 'request' }).filter({ hasNotText: 'no requests' }).first();
    await today.focus();
    await preview.page.locator('.card').waitFor();
    await press('Escape');
    await preview.page.locator('.card').waitFor({ state: 'detached' });
    await press('Enter');
    await preview.page.getByRole('button', { name: /^Remove the filter/ }).waitFor();
    await press('Enter');
    await preview.page.getByRole('radio', { name: 'Week' }).focus();
    await press('ArrowRight');
    await preview.page.getByRole('group', { name: /^Cost by week/ }).waitFor();
    await press('ArrowLeft');
    await bars.waitFor();
    await rows().getByRole('button').first().focus();
    await press('ArrowDown');
    assert.match(await focused(), /^\d+ \w+ \d\d:\d\d$/);
    await press('Enter');
    await waitFor('the request to be asked for', () => asked.some(({ type }) => type === 'showRequest') || undefined);
  });

  /**
   * Opens the turns of a chat with a provider that caches for 5 minutes. The cache expired before the third turn. The
   * last reply reports rate limits.
   */
  async function openTurns(theme: string, width: number): Promise<readonly UsageToHost[]> {
    const clock = new RunningClock();
    const house = await cachingHouse({
      ...{ protocol: 'anthropic', clock, minimumTokens: HOUSE_MINIMUM },
      cache: markedCache({ minimumTokens: HOUSE_MINIMUM }),
    });
    const config = { model: house.practice, systemPrompt: words(400, 3), layout: 'plain', cacheLifetime: '5m', compaction: 'off' } as const;
    const window = windows.open({ clock, sources: [house.source], config });
    window.closing.push(() => house.server.stop());
    const session = await window.chats.create();
    for (const [at, minutes] of [1, 1, 20, 1].entries()) {
      clock.time += minutes * 60_000;
      if (at === 3) {
        house.replies.push({ parts: [{ type: 'text', text: 'High water.' }], headers: limitHeaders(clock.time + 3_600_000) });
      }
      await session.conversation.send(`Question ${String(at + 1)}: ${words(300, at)}`);
    }
    await waitFor('the limits to be kept', async () => (await window.quotas.now()).length > 0 || undefined);
    const { view } = openUsage(window, new UsageRows(window.chats), NO_OTHERS);
    window.closing.push(() => {
      view.dispose();
      return Promise.resolve();
    });
    await view.show(session.id);
    const asked: UsageToHost[] = [];
    await preview.show('Usage', theme, width, HEIGHT);
    preview.connect(view.channel, (message: UsageToHost) => {
      if (message.type === 'ask') view.ask(message.query);
      else asked.push(message);
    });
    await count(4);
    return asked;
  }

  it('shows the turns of a chat: where the cache broke, in the chart and in the table, with the keyboard alone', async () => {
    const asked = await openTurns(DARK, WIDTHS[0]);
    await preview.page.getByText('1 cache expired in a pause').waitFor();
    const bars = preview.page.getByRole('group', { name: 'Input tokens by turn' });
    assert.equal(await bars.getByRole('button').count(), 4);
    await bars.getByRole('button').first().focus();
    await press('ArrowRight');
    await press('ArrowRight');
    assert.match(await focused(), /^Turn 3, 0 read, [\d,]+ written, [\d,]+ uncached, \$0\.\d+, the cache broke 1 time/);
    await press('Enter');
    await count(1);
    await preview.page
      .locator('.requests')
      .getByText(/because the cache expired in a pause of 20 min\. \$0\.\d+ more\./)
      .waitFor();
    await preview.page.getByRole('button', { name: 'Remove the filter Turn 3' }).focus();
    await press('Enter');
    await count(4);
    const filter = preview.page.getByRole('button', { name: 'Cache broke', exact: true });
    await filter.focus();
    await press('Enter');
    await count(1);
    assert.equal(await filter.getAttribute('aria-pressed'), 'true');
    await rows().getByRole('button', { name: 'Show the request of turn 3' }).focus();
    await press('Enter');
    await waitFor('the request to be asked for', () => asked.some(({ type }) => type === 'showRequest') || undefined);
    await preview.page.getByRole('radio', { name: 'Turns' }).focus();
    await press('ArrowLeft');
    await preview.page.getByRole('group', { name: /^Cost by week/ }).waitFor();
    await press('ArrowRight');
    await bars.waitFor();
    await count(4);
  });

  it('has what was written to the cache in both tables of a narrow tab', async () => {
    await openTurns(DARK, WIDTHS[1]);
    const written = preview.page.getByRole('columnheader', { name: 'Written' });
    await written.waitFor();
    await preview.page.getByRole('radio', { name: 'Week' }).click();
    await preview.page.getByRole('columnheader', { name: 'Purpose' }).waitFor();
    await written.waitFor();
  });

  it('shows the rate limits of each model below the name of its provider', async () => {
    await openTurns(DARK, WIDTHS[0]);
    const limits = preview.page.getByRole('region', { name: 'Rate limits' });
    await limits.getByRole('heading', { name: 'House', exact: true }).waitFor();
    const [row = ''] = await limits.getByRole('listitem').allInnerTexts();
    assert.match(row, /^practice\s+12,400 of 80,000 tokens left, limit resets at \d\d:\d\d$/);
  });

  const [dark = '', light = ''] = THEMES;
  for (const [at, theme] of depth({ short: [dark, light], deep: THEMES }).entries()) {
    it(`is accessible and readable in ${theme}, with everything within the view`, async () => {
      const { widths } = turnOf(at, WIDTHS);
      await open(theme, widths[0] ?? 0);
      assert.deepEqual(await looks.faults({ themes: [theme], widths }), []);
    });

    it(`is so with the turns of a chat in ${theme}`, async () => {
      const { widths } = turnOf(at, WIDTHS);
      await openTurns(theme, widths[0] ?? 0);
      assert.deepEqual(await looks.faults({ themes: [theme], widths }), []);
    });
  }
});
