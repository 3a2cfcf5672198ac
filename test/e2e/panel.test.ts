import assert from 'node:assert/strict';
import {
  ALL_THEMES,
  ChatPanel,
  latestChat,
  openLoupe,
  screenshot,
  setSidebarWidth,
  SIDE_BAR,
  setTheme,
  sharedWorkbench,
  type Workbench,
} from '../support/workbench/index.js';

describe('the panel in VS Code', () => {
  let workbench: Workbench;

  before(async () => {
    ({ workbench } = await sharedWorkbench());
  });

  it('opens in the secondary side bar', async () => {
    const frame = await openLoupe(workbench.page);
    await frame.getByRole('button', { name: 'New chat' }).waitFor();
  });

  it('takes widths and themes while a reply streams, and loses none of it', async () => {
    const panel = new ChatPanel(await openLoupe(workbench.page));
    await panel.send('/long 2000');
    await panel.streaming();
    for (const width of [300, 420]) {
      await setSidebarWidth(workbench.page, width);
      const box = await workbench.page.locator(SIDE_BAR).boundingBox();
      assert.equal(Math.round(box?.width ?? 0), width);
    }
    for (const theme of ALL_THEMES) {
      await setTheme(workbench, theme);
      await screenshot(workbench.page, `smoke-${theme.toLowerCase().replaceAll(' ', '-')}`);
    }
    await panel.idle();
    const { messages } = await latestChat(workbench);
    assert.equal(messages.at(-1)?.stopped, false);
    const shown = await panel.articles('Assistant').locator('loupe-markdown').innerText();
    assert.equal(shown.trim().split(/\s+/).length, messages.at(-1)?.text.trim().split(/\s+/).length);
  });

  it('comes back after a restart of VS Code', async () => {
    const frame = await openLoupe(await workbench.restartServer());
    await frame.getByRole('button', { name: 'New chat' }).waitFor();
  });
});
