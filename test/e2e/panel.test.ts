import assert from 'node:assert/strict';
import { latestReply, setSidebarWidth, setTheme, SIDE_BAR, sharedWorkbench } from '../support/workbench/index.js';

describe('the panel in VS Code', () => {
  it('takes widths and themes while a reply streams, and loses none of it', async () => {
    const { workbench, panel } = await sharedWorkbench();
    // A shorter reply can end before a busy page shows *Stop*.
    await panel.send('/long 1500');
    await panel.streaming();
    for (const width of [300, 420]) {
      await setSidebarWidth(workbench.page, width);
      const box = await workbench.page.locator(SIDE_BAR).boundingBox();
      assert.equal(Math.round(box?.width ?? 0), width);
    }
    for (const [theme, kind] of [
      ['Light Modern', 'vscode-light'],
      ['Dark Modern', 'vscode-dark'],
    ] as const) {
      await setTheme(workbench, theme);
      await panel.frame.locator(`body[data-vscode-theme-kind="${kind}"]`).waitFor();
    }
    await panel.idle();
    const { stopped, text } = await latestReply(workbench);
    assert.equal(stopped, false);
    const shown = await panel.articles('Assistant').locator('loupe-markdown').innerText();
    assert.equal(shown.trim().split(/\s+/).length, text.trim().split(/\s+/).length);
  });
});
