// The page of a new installation and the three hints after its first reply:
//   node test/support/shots.mjs --script support/workbench/introductionShots.ts

import type { ShotScript } from './shots.js';

export const shoot: ShotScript = async (workbench, tools) => {
  const { frame } = tools;
  await workbench.updateSettings({ 'loupe.introduction': true });
  await frame.getByRole('button', { name: 'New chat' }).first().click();
  await frame.getByRole('button', { name: 'Try it now' }).waitFor();
  await tools.shoot('welcome');
  await frame.getByRole('button', { name: 'Try it now' }).click();
  await frame.getByRole('textbox', { name: 'Message' }).press('Enter');
  await frame.getByText('What it took').waitFor();
  await tools.shoot('hint-usage');
  await frame.getByRole('button', { name: 'Next', exact: true }).click();
  await frame.getByText('What was in the request').waitFor();
  await tools.shoot('hint-context');
  await frame.getByRole('button', { name: 'Next', exact: true }).click();
  await frame.getByText('What Send would send now').waitFor();
  await tools.shoot('hint-next');
};
