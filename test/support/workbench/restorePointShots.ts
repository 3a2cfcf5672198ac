// What the panel shows of a chat of 100,000 messages (case 23 of the faults),
// and when its restore point is stale, damaged, gone, or cannot be written (19):
//   node test/support/shots.mjs --script support/workbench/restorePointShots.ts

import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { LongChat } from './longChat.js';
import { setSidebarWidth, setTheme, type Theme } from './panel.js';
import { WIDTHS, type ShotScript } from './shots.js';
import { Stage, WIDE } from './stage.js';

const MESSAGES = 100_000;

const THEMES: readonly Theme[] = ['Light Modern', 'Dark High Contrast', 'Dark Modern'];

/** In the middle of the chat: what is on show then ends far before its end. */
const HIT = MESSAGES / 2;

const LONG = 'Question 0';
const SHORT = 'The short one';

export const shoot: ShotScript = async (workbench, tools) => {
  const stage = new Stage(workbench, tools, 'restorePoint');
  await stage.newChat(SHORT);
  const chat = await LongChat.write(workbench, MESSAGES, said);
  await stage.restart();
  for (const theme of THEMES) {
    await beingRead(stage, chat, theme);
  }
  await earlier(stage);
  await faultyRestorePoint(stage, chat);
  for (const theme of THEMES) {
    await searchHit(stage, theme);
  }
};

/** Case 23: without a restore point the whole file is read before the chat is on show. */
async function beingRead(stage: Stage, chat: LongChat, theme: Theme): Promise<void> {
  await setTheme(stage.workbench, theme);
  await stage.open(SHORT);
  await stage.restart();
  await stage.panel.frame.getByRole('heading', { name: SHORT }).waitFor();
  await stage.panel.button('Chats').click();
  await stage.panel.region('Chat list').getByText('100,000 messages').waitFor();
  chat.removeRestorePoint();
  await stage.panel.region('Chat list').getByRole('button').filter({ hasText: LONG }).first().click();
  await stage.said(/% is done/);
  await stage.takeAtOnce('23-being-read', theme);
  await stage.panel.frame.getByText(/Reading this chat/).waitFor({ state: 'detached' });
}

async function earlier(stage: Stage): Promise<void> {
  const { panel } = stage;
  await panel.button('Show earlier messages (99,950)').waitFor();
  await stage.take('23-end');
  await panel.frame.locator('.scroller').evaluate((scroller) => {
    scroller.scrollTop = 0;
  });
  await stage.take('23-earlier');
  await panel.button('Show earlier messages (99,950)').click();
  await panel.button('Show earlier messages (99,900)').waitFor();
  await stage.take('23-earlier-shown');
}

/** Anew for each width: what comes into sight depends on it. */
async function searchHit(stage: Stage, theme: Theme): Promise<void> {
  const { panel, workbench } = stage;
  await setTheme(workbench, theme);
  for (const width of [...WIDTHS, WIDE]) {
    await stage.open(SHORT);
    await setSidebarWidth(workbench.page, width);
    await stage.find(`Question ${String(HIT)}:`);
    await stage.takeAt('23-search-hit', theme, width);
    // What comes into sight is laid out only then, and moves the button away again.
    for (let times = 0; times < 3; times += 1) {
      await panel.frame.getByRole('button', { name: /^Show later messages/ }).scrollIntoViewIfNeeded();
      await panel.frame.evaluate(() => new Promise(requestAnimationFrame));
    }
    await stage.takeAt('23-search-hit-later', theme, width);
    await panel.button('Go to the latest').focus();
    await stage.takeAt('23-search-hit-latest-focused', theme, width);
  }
}

/** Case 19. */
async function faultyRestorePoint(stage: Stage, chat: LongChat): Promise<void> {
  await stage.open(LONG);
  const old = `${chat.folder}-old`;
  copyFileSync(chat.restorePoint, old);
  await stage.panel.sendAndWait('/long 40');
  await reopened(stage, '19-stale', () => {
    copyFileSync(old, chat.restorePoint);
    rmSync(old);
  });
  await reopened(stage, '19-damaged', () => {
    writeFileSync(chat.restorePoint, '{"v":1,"no restore point":true}\n\0\0');
  });
  await reopened(stage, '19-deleted', () => {
    chat.removeRestorePoint();
  });
  await reopened(stage, '19-cannot-be-written', () => {
    chat.removeRestorePoint();
    mkdirSync(chat.restorePoint);
  });
  await stage.panel.sendAndWait('/long 41');
  await stage.take('19-cannot-be-written-and-continued');
}

async function reopened(stage: Stage, name: string, harm: () => void): Promise<void> {
  await stage.close();
  harm();
  await stage.restart();
  await stage.panel.articles('You').filter({ hasText: '/long 40' }).waitFor();
  await stage.panel.composer.waitFor();
  await stage.panel.frame.getByText(/Reading this chat/).waitFor({ state: 'detached' });
  await stage.take(name);
}

/** Short questions, and answers of a paragraph. */
function said(message: number): string {
  return message % 2 === 0
    ? `Question ${String(message)}: which station reported that level?`
    : `Station ${String(message % 40)} did. ${'It was read at low water, and again two hours later. '.repeat(6)}`;
}
