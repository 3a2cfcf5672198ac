// One workbench for all test files of a process that leave the window usable:
// each of them begins with a new chat in it, instead of a VS Code of its own.

import { closeSharedBrowser } from './browser.js';
import { ChatPanel } from './chat.js';
import { extensionHosts } from './driver.js';
import { openLoupe, screenshot } from './panel.js';
import { startWorkbench, type Workbench } from './server.js';

const holder: { workbench: Workbench | undefined; isUsable: boolean } = { workbench: undefined, isUsable: false };

/** The workbench, with the panel on show and a new chat in it. */
export async function sharedWorkbench(): Promise<{ readonly workbench: Workbench; readonly panel: ChatPanel }> {
  if (!holder.isUsable || !hasHost()) {
    // A failed test may have left the window in any state.
    await close();
  }
  holder.isUsable = false;
  const workbench = (holder.workbench ??= await startWorkbench({}));
  await workbench.closeOtherWindows();
  // An inspector that is left open would follow all that the next tests send.
  await workbench.runCommand('loupeTest.closeEditors');
  const panel = new ChatPanel(await openLoupe(workbench.page));
  // The button alone does not tell when the chat is on show, and pressed twice in a window that just opened it makes two.
  await workbench.runCommand('loupe.newChat');
  await panel.newChat();
  // The panel keeps open what was opened, and the conversation has little room above it.
  const details = panel.frame.getByRole('button', { name: 'Next request', exact: true, expanded: true });
  if ((await details.count()) > 0) await details.click();
  holder.isUsable = true;
  return { workbench, panel };
}

/** A hook that failed may have left the window without an extension host. */
function hasHost(): boolean {
  return holder.workbench !== undefined && extensionHosts(holder.workbench.server).length > 0;
}

async function close(): Promise<void> {
  const { workbench } = holder;
  holder.workbench = undefined;
  await workbench?.close();
}

/** Takes a picture of the window: the reason of a failure that does not repeat is seldom in its message. */
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

// Loaded by a suite, outside any describe: for the tests of all files.
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
