// States that are seldom on show, for a look at the design:
//   node test/support/shots.mjs --script support/workbench/statesShots.ts

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChatPanel, latestChat, uriArgument } from './chat.js';
import { openLoupe } from './panel.js';
import type { ShotScript } from './shots.js';

export const shoot: ShotScript = async (workbench, tools) => {
  const panel = new ChatPanel(tools.frame);
  const note = join(workbench.workspaceDir, 'a-note-with-quite-a-long-name-indeed.txt');
  const gone = join(workbench.workspaceDir, 'gone.txt');
  writeFileSync(note, 'first\n');
  writeFileSync(gone, 'gone\n');
  // What stands behind a removed file makes it stay: this much is worth its place in the cache.
  writeFileSync(join(workbench.workspaceDir, 'long.txt'), 'a line of a long file\n'.repeat(800));
  await workbench.runCommand('loupe.addFileToContext', uriArgument(workbench, 'long.txt'));
  await workbench.runCommand('loupe.addFileToContext', uriArgument(workbench, 'a-note-with-quite-a-long-name-indeed.txt'));
  await workbench.runCommand('loupe.addFileToContext', uriArgument(workbench, 'gone.txt'));
  await panel.sendAndWait('A first question, to be edited');
  writeFileSync(note, 'second\n');
  rmSync(gone);
  await panel.frame.getByText('missing').first().waitFor();
  await panel.send('/slow');
  await panel.streaming();
  await panel.button('Stop').click();
  await panel.idle();
  await tools.shoot('stopped-and-chips');
  await workbench.runCommand('loupe.removeFromContext', 'file:a-note-with-quite-a-long-name-indeed.txt');
  await panel.frame.getByText('still sent').first().waitFor();
  await tools.shoot('still-sent');
  await workbench.runCommand('loupe.removeFromContext', 'file:long.txt');

  const chat = await latestChat(workbench);
  await workbench.runCommand('loupe.editMessage', chat.messages[0]?.id, 'The better question');
  await panel.articles('You').last().hover();
  await panel.articles('You').last().getByRole('button', { name: 'Edit' }).click();
  await tools.shoot('editing');

  await panel.composer.press('Escape');
  await workbench.runCommand('loupe.selectModel', 'practice/small');
  await panel.composer.fill('word '.repeat(9_000));
  await panel.frame
    .getByText(/more than the/)
    .first()
    .waitFor();
  await tools.shoot('over-budget');
  await panel.composer.fill('');
  await workbench.runCommand('loupe.deleteChat');
  await openLoupe(workbench.page);
  await tools.shoot('deleted');
};
