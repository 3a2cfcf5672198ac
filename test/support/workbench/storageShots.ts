// What the panel shows when the files of chats are damaged, full, gone, or
// written by others (cases 14-26 and 41 of the faults), by real faults:
//   node test/support/shots.mjs --script support/workbench/storageShots.ts

import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Message, ToolResultContent } from '../../../src/engine/chat/message.js';
import { textBegin } from '../../../src/engine/chat/textBegin.js';
import { chatsFolder } from '../../../src/storage/layout.js';
import { ChatPanel } from './chat.js';
import { extensionHosts } from './driver.js';
import { killExtensionHost, openLoupe, screenshotSidebar, setSidebarWidth } from './panel.js';
import type { Workbench } from './server.js';
import type { ShotScript } from './shots.js';
import { Stage, WIDE } from './stage.js';
import { storageFolder } from './storageFaults.js';
import { waitFor } from './wait.js';

/** 50 MiB. */
const HUGE_LINES = 1_310_720;

/** Of a chat's segment no more fits below it than a few lines. */
const SMALL_FILE = '1000';

export const shoot: ShotScript = async (workbench, tools) => {
  const stage = new Stage(workbench, tools, 'storage');
  await damagedChats(stage);
  await fullDisk(stage);
  await interrupted(stage);
  await hugeToolResult(stage);
  await deletedStorage(stage);
  await deletedElsewhere(stage);
  await otherWorkspace(stage);
};

/** Cases 14, 15, 16 and 22. */
async function damagedChats(stage: Stage): Promise<void> {
  const torn = await stage.newChat('Torn');
  const corrupt = await stage.newChat('One corrupt line');
  const many = await stage.newChat('Many corrupt lines');
  const mark = await stage.newChat('Byte order mark');
  const headless = await stage.newChat('Headless');
  const newer = await stage.newChat('Newer');
  const clock = await stage.newChat('Clock set back');
  await stage.close();
  torn.tearLastLine();
  corrupt.flip(corrupt.lineCount - 1);
  many.flip(3, 4, 5, 7);
  mark.addByteOrderMark();
  headless.flip(1);
  newer.continueInNewerVersion();
  clock.setClockBack();
  await stage.restart();
  await stage.panel.button('Switch chat').click();
  await stage.take('chat-list');
  await stage.panel.button('Switch chat').click();
  await stage.openAndTake('One corrupt line', '15-corrupt-line');
  await stage.openAndTake('Many corrupt lines', '15-many-lines');
  await stage.panel.frame.getByRole('button', { name: /^Damaged/ }).click();
  await stage.take('15-many-lines-open');
  await stage.openAndTake('/long 13', '14-torn-line');
  await stage.openAndTake('Byte order mark', '15-byte-order-mark');
  await stage.openAndTake('Newer', '16-newer-version');
  await stage.openAndTake('Clock set back', '22-clock-set-back');
  await stage.choose('Unreadable chat');
  await stage.said(/This chat cannot be read/);
  await stage.take('16-missing-first-line');
}

/** Case 17: a disk that is full, and a limit that is lifted again. */
async function fullDisk(stage: Stage): Promise<void> {
  const old = await stage.newChat('Kept in memory');
  await stage.restart();
  const limited = await stage.newChat('File size limited');
  await stage.open('Kept in memory');
  old.fillDisk(limited.writers[0] ?? '');
  await stage.panel.sendAndWait('/long 8');
  await stage.said(/could not be saved/);
  await stage.panel.composer.fill('a draft');
  await stage.take('17-disk-full');
  await stage.panel.button('Try again').click();
  await stage.said(/Still failing/);
  await stage.panel.button('Copy chat').click();
  await stage.said(/^Chat copied/);
  await stage.take('17-tried-in-vain-and-copied');
  // Whoever reads the device reads for ever.
  old.emptyDisk(limited.writers[0] ?? '');

  await stage.open('File size limited');
  limitFileSize(stage.workbench, SMALL_FILE);
  await stage.panel.sendAndWait('/long 9');
  await stage.said(/could not be saved/);
  await stage.take('17-file-size-limited');
  limitFileSize(stage.workbench, 'unlimited');
  await stage.panel.button('Try again').click();
  await stage.panel.frame
    .getByText(/could not be saved/)
    .first()
    .waitFor({ state: 'detached' });
  await stage.take('17-saved-again');
}

/** @param bytes - from here on no file of the extension host may grow beyond */
function limitFileSize(workbench: Workbench, bytes: string): void {
  for (const pid of extensionHosts(workbench.server)) execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
}

/** Case 18. */
async function deletedStorage(stage: Stage): Promise<void> {
  await stage.newChat('Deleted on the disk');
  rmSync(chatsFolder(storageFolder(stage.workbench)), { recursive: true });
  await stage.panel.sendAndWait('/long 5');
  await stage.take('18-storage-deleted');
}

/** Case 41. */
async function interrupted(stage: Stage): Promise<void> {
  await stage.newChat('Killed in mid-stream');
  await stage.panel.send('/slow');
  await stage.panel.streaming();
  const reply = stage.panel.articles('Assistant').last();
  // What has been on show for longer than the interval of writing is on the disk.
  const early = (await reply.innerText()).length;
  await waitFor('more of the reply', async () => ((await reply.innerText()).length > early + 60 ? true : undefined));
  const killed = await killExtensionHost(stage.workbench);
  await waitFor('a new extension host', () => extensionHosts(stage.workbench.server).find((pid) => !killed.includes(pid)));
  stage.panel = new ChatPanel(await openLoupe(stage.workbench.page));
  await stage.said(/^Interrupted/);
  await stage.take('41-interrupted');
}

/** Case 24: no tool can be run yet, so its result is written as another window would. */
export async function hugeToolResult(stage: Stage): Promise<void> {
  const chat = await stage.newChat('Huge tool result');
  const text = 'a line of 39 characters and a line feed\n'.repeat(HUGE_LINES);
  const blob = chat.putBlob(Buffer.from(text));
  chat.appendAsOther([
    { type: 'message', runId: null, message: callMessage('call-1', 'read_log') },
    {
      type: 'message',
      runId: null,
      message: resultMessage('call-1', 'read_log', [{ type: 'blob', blob, bytes: text.length, preview: textBegin(text) }]),
    },
    { type: 'message', runId: null, message: callMessage('call-2', 'read_part') },
    { type: 'message', runId: null, message: resultMessage('call-2', 'read_part', [{ type: 'text', text: text.slice(0, 16_000) }]) },
  ]);
  await stage.panel.articles('Tool results').nth(1).waitFor();
  for (const name of ['read_log', 'read_part']) {
    await stage.panel.articles('Tool results').getByRole('button').filter({ hasText: name }).click();
  }
  await stage.take('24-huge-tool-result');
  await stage.panel.button('Open all').click();
  await stage.workbench.page.getByRole('tab', { name: /Tool result/ }).waitFor();
  await stage.take('24-huge-tool-result-open');
}

function callMessage(id: string, name: string): Message {
  const parts = [{ type: 'toolCall', id, name, rawArgs: '{}', args: {} }] as const;
  return { role: 'assistant', id: `1700000000000-${id}`, parts, attemptId: `none-${id}`, cacheControlIndex: null, stopped: false };
}

function resultMessage(callId: string, name: string, content: readonly ToolResultContent[]): Message {
  const parts = [{ type: 'toolResult', callId, name, content, isError: false, synthetic: false }] as const;
  return { role: 'tool-results', id: `1700000000000-${callId}-result`, parts };
}

/** Case 25. */
async function deletedElsewhere(stage: Stage): Promise<void> {
  const chat = await stage.newChat('Deleted in another window');
  const page = await stage.workbench.secondPage();
  const second = new ChatPanel(await openLoupe(page));
  await second.articles('You').first().waitFor();
  await stage.panel.send('/slow');
  await stage.panel.streaming();
  await stage.workbench.runCommand('loupe.deleteChat', chat.folder.split('/').at(-1));
  await stage.said(/was deleted in another window/);
  // Settings reach the window that was opened last only: the theme stays as it is.
  for (const width of [300, 420, WIDE]) {
    await setSidebarWidth(stage.workbench.page, width);
    await screenshotSidebar(stage.workbench.page, `storage-25-deleted-elsewhere-${width}`);
  }
  await setSidebarWidth(page, 300);
  await screenshotSidebar(page, 'storage-25-deleting-window-300');
  await second.button('Undo').click();
  await second.frame.getByRole('heading', { name: 'Deleted in another window' }).waitFor();
  await screenshotSidebar(page, 'storage-25-brought-back-300');
  await page.close();
}

/** Case 21. */
async function otherWorkspace(stage: Stage): Promise<void> {
  const root = storageFolder(stage.workbench);
  const before = join(root, '../../12345678/loupe.loupe');
  await stage.close();
  cpSync(root, before, { recursive: true });
  rmSync(root, { recursive: true });
  await stage.restart();
  await stage.said(/in another workspace/);
  await stage.take('21-other-workspace');
}
