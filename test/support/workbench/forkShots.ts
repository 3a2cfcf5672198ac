// A fork, with a reply that it took over and one of its own, for a look at the design:
//   node test/support/shots.mjs --script support/workbench/forkShots.ts

import type { ShotScript } from './shots.js';

export const shoot: ShotScript = async (_workbench, tools) => {
  const { frame } = tools;
  const send = async (text: string): Promise<void> => {
    await frame.getByRole('textbox', { name: 'Message' }).fill(text);
    await frame.getByRole('button', { name: 'Send', exact: true }).click();
    await frame.getByRole('button', { name: 'Send', exact: true }).waitFor({ timeout: 60_000 });
  };
  await send('/long 20');
  await frame.getByRole('article', { name: 'Assistant' }).hover();
  await frame.getByRole('button', { name: 'Fork' }).click();
  await frame.getByText('inherited').waitFor();
  await send('/long 10');
  await tools.shoot('fork');
};
