// One workbench for all test files of a process that leave the window usable. Each file starts with a new chat.

import { closeSharedBrowser } from './browser.js';
import { ChatPanel } from './chat.js';
import { extensionHosts } from './driver.js';
import { openLoupe, screenshot } from './panel.js';
import { startWorkbench, type Workbench } from './server.js';

const holder: { workbench: Workbench | undefined; isUsable: boolean } = { workbench: undefined, isUsable: false };

export async function sharedWorkbench(): Promise<{ readonly workbench: Workbench; readonly panel: ChatPanel }> {
  if (!holder.isUsable || !hasHost()) {
    // A failed test can leave the window in any state.
    await close();
  }
  holder.isUsable = false;
  const workbench = (holder.workbench ??= await startWorkbench({}));
  await workbench.closeOtherWindows();
  // An open inspector would follow all requests of the next tests.
  await workbench.runCommand('loupeTest.closeEditors');
  const panel = new ChatPanel(await openLoupe(workbench.page));
  // The button does not show when the chat is visible. In a window that has just opened it, a second press creates two.
  await workbench.runCommand('loupe.newChat');
  await panel.newChat();
  // The panel keeps its sections open, which leaves little room for the conversation.
  const details = panel.frame.getByRole('button', { name: 'Next request', exact: true, expanded: true });
  if ((await details.count()) > 0) await details.click();
  holder.isUsable = true;
  return { workbench, panel };
}

/** A failed hook can leave the window without an extension host. */
function hasHost(): boolean {
  return holder.workbench !== undefined && extensionHosts(holder.workbench.server).length > 0;
}

async function close(): Promise<void> {
  const { workbench } = holder;
  holder.workbench = undefined;
  await workbench?.close();
}

/** Takes a picture of the window: the message of a rare failure seldom shows its cause. */
async function pictureFailure(title: string): Promise<void> {
  const page = holder.workbench?.page;
  if (page !== undefined && !page.isClosed()) {
    await screenshot(
      page,
      `failed ${title
        .replace(/[^a-z0-9]+/gi, ' ')
        .slice(0, 80)
        .trim()}`,
    );
  }
}

// Loaded outside any describe, so it applies to all files.
if (typeof after === 'function') {
  afterEach(async function () {
    const test = this.currentTest;
    if (test?.state !== 'failed') return;
    holder.isUsable = false;
    await pictureFailure(test.fullTitle());
  });
  after(async () => {
    await close();
    await closeSharedBrowser();
  });
}
