// What the panel shows of a chat of 100,000 messages (case 23 of the faults),
// and when what is derived from its log is stale, damaged, gone, or cannot be
// written (19):
//   node test/support/shots.mjs --script support/workbench/restorePointShots.ts

import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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
  const stage = new Stage(workbench, tools, 'derived');
  await stage.newChat(SHORT);
  const chat = await LongChat.write(workbench, MESSAGES, said);
  for (const theme of THEMES) {
    await beingRead(stage, chat, theme);
  }
  await earlier(stage);
  for (const theme of THEMES) {
    await hitBeingRead(stage, theme);
  }
  await faultyDerived(stage, chat);
  for (const theme of THEMES) {
    await searchHit(stage, theme);
  }
};

/** Case 23: without a restore point, the whole log is read before the chat is on show. */
async function beingRead(stage: Stage, chat: LongChat, theme: Theme): Promise<void> {
  await setTheme(stage.workbench, theme);
  await stage.open(SHORT);
  await stage.restart();
  await stage.panel.frame.getByRole('heading', { name: SHORT }).waitFor();
  await stage.panel.button('Switch chat').click();
  await stage.panel.region('Chat list').getByText('100,000 messages').waitFor();
  chat.removeRestorePoint();
  await stage.panel.region('Chat list').getByRole('button').filter({ hasText: LONG }).first().click();
  await stage.said(/^Loading earlier messages/);
  await stage.takeAtOnce('23-being-read', theme);
  await stage.panel.frame.getByRole('heading', { name: LONG }).waitFor();
  await chat.derived();
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

/** What is far from the end is not in memory: all of the log is read for it, in each window anew. */
async function hitBeingRead(stage: Stage, theme: Theme): Promise<void> {
  await setTheme(stage.workbench, theme);
  await stage.restart();
  await stage.panel.frame.getByRole('heading', { name: LONG }).waitFor();
  const finding = stage.find(`Question ${String(HIT)}:`);
  await stage.said(/^Loading earlier messages/);
  await stage.takeAtOnce('23-hit-being-read', theme);
  await finding;
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
async function faultyDerived(stage: Stage, chat: LongChat): Promise<void> {
  await stage.open(SHORT);
  await stage.open(LONG);
  const derived = [chat.restorePoint, chat.row];
  const old = `${chat.folder}-old`;
  mkdirSync(old);
  for (const path of derived) cpSync(path, join(old, basename(path)));
  await stage.panel.sendAndWait('/long 40');
  await reopened(stage, chat, '19-stale', () => {
    for (const path of derived) cpSync(join(old, basename(path)), path);
    rmSync(old, { recursive: true });
  });
  await reopened(stage, chat, '19-damaged', () => {
    for (const path of derived) writeFileSync(path, '{"by":"1.1","not a record":true}\n\0\0');
  });
  await reopened(stage, chat, '19-deleted', () => {
    for (const path of derived) rmSync(path);
  });
  await reopened(stage, chat, '19-cannot-be-written', () => {
    for (const path of derived) {
      rmSync(path);
      mkdirSync(path);
    }
  });
  await stage.panel.sendAndWait('/long 41');
  await stage.take('19-cannot-be-written-and-continued');
}

/** @param harm - done to the files while no window is open */
async function reopened(stage: Stage, chat: LongChat, name: string, harm: () => void): Promise<void> {
  await chat.derived();
  await stage.close();
  harm();
  await stage.restart();
  await stage.panel.articles('You').filter({ hasText: '/long 40' }).waitFor();
  await stage.take(name);
}

/** Short questions, and answers of a paragraph. */
function said(message: number): string {
  return message % 2 === 0
    ? `Question ${String(message)}: which station reported that level?`
    : `Station ${String(message % 40)} did. ${'It was read at low water, and again two hours later. '.repeat(6)}`;
}
