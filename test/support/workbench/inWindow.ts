import type { Frame } from 'playwright-core';
import { closeSharedBrowser } from './browser.js';
import { openLoupe } from './panel.js';
import { startWorkbench, type Workbench } from './server.js';

export async function inWindow(job: (workbench: Workbench, panel: Frame) => Promise<void>): Promise<void> {
  const workbench = await startWorkbench({});
  try {
    await job(workbench, await openLoupe(workbench.page));
  } finally {
    await workbench.close();
    await closeSharedBrowser();
  }
}
