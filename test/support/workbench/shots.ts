// Takes the panel in all themes and at the widths that people use. Run by
// shots.mjs.

import type { Frame } from 'playwright-core';
import { closeSharedBrowser } from './browser.js';
import { ALL_THEMES, openLoupe, screenshotSidebar, setSidebarWidth, setTheme } from './panel.js';
import { startWorkbench, type Workbench } from './server.js';

/** Of the side bar, in pixels. */
export const WIDTHS = [300, 420];

/** What a script gets to bring the panel into the state to look at. */
export interface ShotTools {
  /** The panel's frame; ask again after a restart. */
  readonly frame: Frame;
  /** Takes the panel in all themes and widths, as `<name>-<theme>-<width>.png`. */
  shoot(name: string): Promise<void>;
}

export type ShotScript = (workbench: Workbench, tools: ShotTools) => Promise<void>;

/** @returns the files written */
export async function takeShots(script: ShotScript | undefined): Promise<string[]> {
  const paths: string[] = [];
  const workbench = await startWorkbench({});
  const shoot = async (name: string): Promise<void> => {
    for (const theme of ALL_THEMES) {
      await setTheme(workbench, theme);
      for (const width of WIDTHS) {
        await setSidebarWidth(workbench.page, width);
        const file = `${name}-${theme.toLowerCase().replaceAll(' ', '-')}-${width}`;
        paths.push(await screenshotSidebar(workbench.page, file));
      }
    }
  };
  try {
    const frame = await openLoupe(workbench.page);
    if (script === undefined) await shoot('panel');
    else await script(workbench, { frame, shoot });
  } finally {
    await workbench.close();
    await closeSharedBrowser();
  }
  return paths;
}
