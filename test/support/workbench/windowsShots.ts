// What a window shows of what another one does on the same workspace (case 20
// of the faults):
//   node test/support/shots.mjs --script support/workbench/windowsShots.ts

import { ChatPanel } from './chat.js';
import { openLoupe, screenshotSidebar, setSidebarWidth, setTheme, type Theme } from './panel.js';
import type { ShotScript } from './shots.js';
import { Stage } from './stage.js';

const SHARED = 'Open in two windows';

const THEMES: readonly Theme[] = ['Light Modern', 'Dark High Contrast', 'Dark Modern'];

export const shoot: ShotScript = async (workbench, tools) => {
  const stage = new Stage(workbench, tools, 'windows');
  await stage.newChat('Open in this window only');
  await stage.newChat(SHARED);
  const page = await workbench.secondPage();
  const other = new ChatPanel(await openLoupe(page));
  await other.frame.getByRole('heading', { name: SHARED }).waitFor();
  // Settings reach the window that was opened last only: that is the one to look at.
  await stage.restart();
  await stage.panel.frame.getByRole('heading', { name: SHARED }).waitFor();
  for (const theme of THEMES) {
    await answeredElsewhere(stage, other, theme);
  }
  await stage.take('20-answered-elsewhere');
  await setTheme(workbench, 'Dark Modern');
  await other.send('/slow\nfor the lists');
  await other.streaming();
  await stage.open('Open in this window only');
  await stage.panel.button('Switch chat').click();
  await stage.panel.region('Chat list').getByText('Running').waitFor();
  await stage.takeAtOnce('20-list', 'Dark Modern');
  await other.button('Switch chat').click();
  await setSidebarWidth(page, 300);
  await screenshotSidebar(page, 'windows-20-list-of-the-other-300');
};

/** The reply as it comes in from the other window, and a message sent meanwhile in this one. */
async function answeredElsewhere(stage: Stage, other: ChatPanel, theme: Theme): Promise<void> {
  const { panel } = stage;
  await setTheme(stage.workbench, theme);
  await panel.composer.fill('');
  await other.send(`/slow\n${theme}`);
  await panel.articles('You').filter({ hasText: theme }).waitFor();
  await panel.articles('Assistant').last().getByRole('paragraph').first().waitFor();
  await stage.takeAtOnce('20-streams-in', theme);
  await stage.said(/reply is being written in another window/);
  await panel.send('And what does that cost?');
  await panel.articles('You').last().getByText('Waiting to be sent').waitFor();
  await stage.takeAtOnce('20-message-meanwhile', theme);
  await panel.articles('You').last().getByRole('button', { name: 'Take back into the message box' }).click();
  await panel.articles('You').getByText('Waiting to be sent').waitFor({ state: 'detached' });
  await other.button('Stop').click();
  await other.idle();
  await panel.frame
    .getByText(/^Stopped/)
    .last()
    .waitFor();
}
