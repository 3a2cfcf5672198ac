// A conversation that is summarized after a look at it, edited, undone, and summarized by itself, for a look at the design:
//   node test/support/shots.mjs --script support/workbench/summaryShots.ts

import { ChatPanel } from './chat.js';
import { waitFor } from './wait.js';
import type { ShotScript } from './shots.js';

/** In tokens: the conversation takes more than half of what leads to a summary. */
const SMALL_LIMIT = '7000';

/** More than a summary of the least size takes along. */
const PATHS = Array.from({ length: 60 }, (_, index) => `src/harbours/north/station${String(index)}.ts`);

export const shoot: ShotScript = async (workbench, tools) => {
  const { frame } = tools;
  const panel = new ChatPanel(frame);
  const send = async (text: string): Promise<void> => {
    await panel.composer.fill(text);
    await panel.button('Send').click();
    await panel.button('Send').waitFor({ timeout: 60_000 });
  };
  await send(`You must never change the tide tables in src/tides.ts. They are read in ${PATHS.join(', ')}.`);
  await send('/long 300');
  await send('Why does the reading take 30 s? See `readGauge` in src/gauge.ts.');
  await workbench.runCommand('loupe.summarizeConversation');
  const pane = frame.getByRole('region', { name: 'Summarize the conversation' });
  await pane.waitFor();
  await tools.shoot('plan');
  await pane.getByRole('button', { name: 'Write the summary' }).click();
  await pane.getByRole('button', { name: 'Apply' }).waitFor();
  await pane.getByRole('textbox', { name: 'Summary' }).pressSequentially('Shorter. ');
  await tools.shoot('draft');
  await pane.getByRole('button', { name: 'Apply' }).click();
  await frame.getByText('Conversation summary (checkpoint)').waitFor();
  await frame.getByRole('button', { name: /^File paths kept/ }).click();
  await tools.shoot('checkpoint');
  const lost = frame.getByRole('button', { name: /^Bring back / });
  const path = (await lost.nth(1).getAttribute('aria-label'))?.replace('Bring back ', '') ?? '';
  const before = await lost.count();
  await lost.first().click();
  await waitFor('a fact that is back', async () => (await lost.count()) < before || undefined);
  await send(`Here is ${path} again:\n\`\`\`ts\n// ${path}\nexport const height = 1;\n\`\`\``);
  await frame.getByText('Needed again since').scrollIntoViewIfNeeded();
  await tools.shoot('needed-again');
  await send('And now?');
  await frame.getByRole('button', { name: /^Next request/ }).click();
  await tools.shoot('after');
  await frame.getByRole('article', { name: 'Summary' }).getByRole('button', { name: 'Edit' }).click();
  await frame.getByRole('region', { name: 'Edit the summary' }).waitFor();
  await tools.shoot('edit');
  await frame.getByRole('button', { name: 'Cancel' }).click();
  await frame.getByRole('button', { name: /^Next request/ }).click();
  await workbench.runCommand('loupe.undoCompaction');
  await frame.getByText('Summary undone.').waitFor();
  await tools.shoot('undone');

  for (const words of ['/long 700', '/long 701', '/long 702']) {
    await send(words);
  }
  await panel.button('Chat settings').click();
  const limit = frame.getByRole('textbox', { name: 'Context limit' });
  await limit.fill(SMALL_LIMIT);
  await limit.press('Tab');
  await panel.button('Close').click();
  await frame.getByRole('button', { name: /^Summarizing would free/ }).click();
  await frame.getByText('It happens by itself').waitFor();
  await tools.shoot('card');
};
