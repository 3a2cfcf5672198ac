import assert from 'node:assert/strict';
import {
  ALL_THEMES,
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

  it('takes widths and themes', async () => {
    await openLoupe(workbench.page);
    for (const width of [300, 420]) {
      await setSidebarWidth(workbench.page, width);
      const box = await workbench.page.locator(SIDE_BAR).boundingBox();
      assert.equal(Math.round(box?.width ?? 0), width);
    }
    for (const theme of ALL_THEMES) {
      await setTheme(workbench, theme);
      await screenshot(workbench.page, `smoke-${theme.toLowerCase().replaceAll(' ', '-')}`);
    }
  });

  it('comes back after a restart of VS Code', async () => {
    const frame = await openLoupe(await workbench.restartServer());
    await frame.getByRole('button', { name: 'New chat' }).waitFor();
  });
});
