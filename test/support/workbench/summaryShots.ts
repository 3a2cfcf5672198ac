// A conversation that is summarized after a look at it, edited, undone, and summarized by itself, for a look at the design:
//   node test/support/shots.mjs --script support/workbench/summaryShots.ts

import type { ShotScript } from './shots.js';

export const shoot: ShotScript = async (workbench, tools) => {
  const { frame } = tools;
  const send = async (text: string): Promise<void> => {
    await frame.getByRole('textbox', { name: 'Message' }).fill(text);
    await frame.getByRole('button', { name: 'Send', exact: true }).click();
    await frame.getByRole('button', { name: 'Send', exact: true }).waitFor({ timeout: 60_000 });
  };
  await send('You must never change the tide tables in src/tides.ts.');
  await send('/long 300');
  await send('Why does the reading take 30 s? See `readGauge` in src/gauge.ts.');
  await workbench.runCommand('loupe.summarizeConversation');
  const pane = frame.getByRole('region', { name: 'Summarize the conversation' });
  await pane.getByRole('button', { name: 'One exchange less' }).click();
  await pane.getByText('4 of 6 messages').waitFor();
  await tools.shoot('plan');
  await pane.getByRole('button', { name: 'Write the summary' }).click();
  await pane.getByRole('button', { name: 'Apply' }).waitFor();
  await pane.getByRole('textbox', { name: 'Summary' }).pressSequentially('Shorter. ');
  await tools.shoot('draft');
  await pane.getByRole('button', { name: 'Apply' }).click();
  await frame.getByText('Conversation summary (checkpoint)').waitFor();
  await tools.shoot('checkpoint');
  await send('And now?');
  await frame.getByRole('button', { name: /^Next request/ }).click();
  await tools.shoot('after');
  await frame.getByRole('article', { name: 'Summary' }).getByRole('button', { name: 'Edit' }).click();
  await frame.getByRole('region', { name: 'Edit the summary' }).waitFor();
  await tools.shoot('edit');
  await frame.getByRole('button', { name: 'Cancel' }).click();
  await workbench.runCommand('loupe.undoCompaction');
  await frame.getByText('Summary undone.').waitFor();
  await tools.shoot('undone');
  await frame.getByRole('button', { name: 'Chat settings' }).click();
  await tools.shoot('settings');
};
