// What the panel shows of a long chat, of which only the end is read, and what
// came with it: search hits, counts of what streams, damage, large results.
//   node test/support/shots.mjs --script support/workbench/longChatShots.ts

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.mjs';
import { LongChat } from './longChat.js';
import { setSidebarWidth, setTheme, type Theme } from './panel.js';
import { WIDTHS, type ShotScript } from './shots.js';
import { Stage, WIDE } from './stage.js';
import { hugeToolResult } from './storageShots.js';

/** 60 MB, with what runs log beside them. */
const MESSAGES = 20_000;
const ANSWER_LENGTH = 3_200;

const THEMES: readonly Theme[] = ['Dark Modern', 'Light Modern', 'Dark High Contrast'];

/** It is read when the chat is opened, but not shown at first. */
const HIT = MESSAGES - 120;

export const shoot: ShotScript = async (workbench, tools) => {
  const stage = new Stage(workbench, tools, 'long');
  const damaged = await stage.newChat('Many corrupt lines');
  await LongChat.write(workbench, MESSAGES, prose());
  await stage.close();
  damaged.flip(3, 4, 5, 7);
  await stage.restart();
  await longChat(stage);
  await searchHit(stage);
  await streaming(stage);
  await stage.openAndTake('Many corrupt lines', 'damage');
  await stage.panel.frame.getByRole('button', { name: /^Damaged/ }).click();
  await stage.take('damage-open');
  await hugeToolResult(stage);
};

async function longChat(stage: Stage): Promise<void> {
  const { panel } = stage;
  await stage.open('Question 0');
  await stage.said(/Too long: over/);
  await stage.take('over-budget');
  await panel.button('Next request').click();
  await stage.take('over-budget-open');
  await panel.button('Next request').click();
  await panel.frame.locator('.scroller').evaluate((scroller) => {
    scroller.scrollTop = 0;
  });
  await stage.take('earlier');
  await panel.button('Show earlier messages (19,950)').click();
  await panel.articles('You').nth(49).waitFor();
  await stage.take('earlier-shown');
}

/** Anew for each picture: what comes into sight depends on the width. */
async function searchHit(stage: Stage): Promise<void> {
  const { workbench } = stage;
  for (const theme of THEMES) {
    await setTheme(workbench, theme);
    for (const width of [...WIDTHS, WIDE]) {
      await stage.open('Many corrupt lines');
      await setSidebarWidth(workbench.page, width);
      await stage.find(`Question ${String(HIT)}:`);
      await stage.takeAt('search-hit', theme, width);
    }
  }
}

async function streaming(stage: Stage): Promise<void> {
  await stage.newChat('Streaming');
  for (const theme of THEMES) {
    await setTheme(stage.workbench, theme);
    await stage.panel.send(`/slow\n${theme}`);
    await stage.said(/tokens so far/);
    await stage.takeAtOnce('streaming', theme);
    await stage.panel.button('Stop').click();
    await stage.panel.idle();
  }
}

/** Short questions, and long answers of real Markdown. */
function prose(): (message: number) => string {
  const text = readFileSync(join(root, 'README.md'), 'utf8')
    .replaceAll(/\s*```[^`]*```/g, '')
    .repeat(3);
  return (message) => {
    const from = text.indexOf(' ', (message * 1_999) % (text.length - ANSWER_LENGTH - 100)) + 1;
    return message % 2 === 0
      ? `Question ${String(message)}: what about "${text.slice(from, from + 60).replaceAll('\n', ' ')}"?`
      : text.slice(from, from + ANSWER_LENGTH);
  };
}
