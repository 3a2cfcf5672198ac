// What the panel shows when the disk can only be read, when the storage folder
// goes away while the window is open, and after a power cut (cases 18 and 26 of
// the faults). Mounts file systems, which takes root on Linux:
//   node test/support/shots.mjs --script support/workbench/diskShots.ts

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { PowerDisk } from '../faults/mounts.js';
import { killExtensionHost, setTheme } from './panel.js';
import type { ShotScript } from './shots.js';
import { Stage } from './stage.js';
import { ChatFiles, storageFolder } from './storageFaults.js';
import { waitFor } from './wait.js';

const THEME = 'Dark Modern';

const CUT = 'On show when the power went';

export const shoot: ShotScript = async (workbench, tools) => {
  const stage = new Stage(workbench, tools, 'disk');
  await stage.newChat('Written before');
  await stage.newChat('On show last');
  await readOnlyDisk(stage);
  await deletedStorage(stage);
  await powerCut(stage);
};

/** Case 18: the disk is read-only from the start of the window on. */
async function readOnlyDisk(stage: Stage): Promise<void> {
  const root = storageFolder(stage.workbench);
  await stage.close();
  execFileSync('mount', ['--bind', root, root]);
  execFileSync('mount', ['-o', 'remount,bind,ro', root]);
  try {
    await stage.restart();
    await stage.panel.frame.getByRole('heading', { name: 'On show last' }).waitFor();
    await stage.take('18-read-only-start');
    await useReadOnlyDisk(stage);
  } finally {
    execFileSync('umount', ['--lazy', root]);
  }
  await stage.panel.button('Try again').click();
  await stage.panel.frame
    .getByText(/could not be saved/)
    .first()
    .waitFor({ state: 'detached' });
  await stage.take('18-writable-again');
}

async function useReadOnlyDisk(stage: Stage): Promise<void> {
  const { panel, workbench } = stage;
  await panel.composer.fill('a draft');
  await stage.take('18-read-only-draft');
  await panel.sendAndWait('/long 30');
  await stage.said(/could not be saved/);
  await panel.composer.fill('a draft');
  await stage.take('18-read-only-sent');
  await workbench.runCommand('loupe.selectModel', 'practice/small');
  await stage.take('18-read-only-other-model');
  await panel.button('Switch chat').click();
  await stage.take('18-read-only-list');
  await panel.region('Chat list').getByRole('button', { name: 'Delete' }).last().click();
  await stage.take('18-read-only-deleting');
  await panel.button('Switch chat').click();
  await panel.button('New chat').click();
  await panel.frame.getByRole('heading', { name: 'New chat' }).waitFor();
  await stage.take('18-read-only-new-chat');
  await stage.open('On show last');
}

/** Case 18: another program removes all that Loupe has on the disk. */
async function deletedStorage(stage: Stage): Promise<void> {
  const { panel, workbench } = stage;
  rmSync(storageFolder(workbench), { recursive: true });
  await panel.button('Switch chat').click();
  await stage.take('18-deleted-list');
  await panel.button('Switch chat').click();
  await workbench.runCommand('loupe.selectModel', 'practice/standard');
  await stage.take('18-deleted-other-model');
  await panel.sendAndWait('/long 31');
  await stage.take('18-deleted-sent');
  await panel.button('Try again').click();
  await stage.said(/Still failing/);
  await stage.take('18-deleted-tried-in-vain');
  await stage.choose('Written before');
  await stage.take('18-deleted-other-chat');
  await panel.button('New chat').click();
  await panel.frame.getByRole('heading', { name: 'New chat' }).waitFor();
  await panel.sendAndWait('/long 32');
  await stage.take('18-deleted-new-chat');
}

/** Case 26: what a real disk has when the power goes while a reply streams, and the same with its last line torn. */
async function powerCut(stage: Stage): Promise<void> {
  const { workbench } = stage;
  const root = storageFolder(workbench);
  const saved = mkdtempSync(join(tmpdir(), 'loupe-saved-'));
  await stage.close();
  rmSync(root, { recursive: true });
  mkdirSync(root);
  const disk = new PowerDisk(root);
  let chatId: string;
  try {
    await stage.restart();
    const chat = await stage.newChat(CUT);
    chatId = basename(chat.folder);
    await setTheme(workbench, THEME);
    await stage.panel.send('/slow');
    await stage.panel.streaming();
    const reply = stage.panel.articles('Assistant').last();
    await waitFor('more of the reply', async () => ((await reply.innerText()).length > 150 ? true : undefined));
    await stage.takeAtOnce('26-before', THEME);
    await killExtensionHost(workbench);
    await disk.afterPowerCut((folder) => {
      cpSync(folder, saved, { recursive: true, preserveTimestamps: true });
      return Promise.resolve();
    });
    await stage.close();
  } finally {
    disk.unmount();
  }
  cpSync(saved, root, { recursive: true, preserveTimestamps: true });
  await stage.restart();
  await stage.said(/^Interrupted/);
  await stage.take('26-power-cut');
  await stage.close();
  rmSync(root, { recursive: true });
  cpSync(saved, root, { recursive: true, preserveTimestamps: true });
  new ChatFiles(root, chatId).tearLastLine();
  await stage.restart();
  await stage.panel.frame.getByRole('button', { name: /^Damaged/ }).click();
  await stage.take('26-torn-line');
  rmSync(saved, { recursive: true });
}
