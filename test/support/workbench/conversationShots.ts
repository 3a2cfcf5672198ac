// The conversation in its usual states, for a look at the design:
//   node test/support/shots.mjs --script support/workbench/conversationShots.ts

import { join } from 'node:path';
import type { ShotScript } from './shots.js';

export const shoot: ShotScript = async (workbench, tools) => {
  const { frame } = tools;
  const send = async (text: string): Promise<void> => {
    await frame.getByRole('textbox', { name: 'Message' }).fill(text);
    await frame.getByRole('button', { name: 'Send', exact: true }).click();
    await frame.getByRole('button', { name: 'Send', exact: true }).waitFor({ timeout: 60_000 });
  };
  const uri = (name: string): object => ({ $uri: join(workbench.workspaceDir, name) });
  await workbench.runCommand('loupe.addFileToContext', uri('README.md'));
  await workbench.runCommand('loupe.addFileToContext', uri('src'));
  await send('What is in this request?');
  await frame.getByRole('button', { name: 'Context used' }).last().click();
  await tools.shoot('used');
  await send('/tool echo {"text":"hi"}');
  await send('/error 401');
  await tools.shoot('tool-and-error');
  await frame.getByRole('button', { name: /^Next request/ }).click();
  await frame.getByRole('textbox', { name: 'Message' }).fill('A draft in the composer');
  await tools.shoot('next');
  await frame.getByRole('button', { name: 'Chat settings' }).click();
  await tools.shoot('settings');
};
