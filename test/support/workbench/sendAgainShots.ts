// The choices, the price and the fork of a message that is sent again, for a look at the design:
//   node test/support/shots.mjs --script support/workbench/sendAgainShots.ts

import { openInspector, screenshot, setTheme } from './panel.js';
import { QuickInput } from './quickInput.js';
import type { ShotScript } from './shots.js';

/** No server is asked: only its price is told. */
const CLOUD = {
  id: 'cloud',
  label: 'House',
  protocol: 'anthropic',
  baseUrl: 'https://house.example',
  models: [{ id: 'large', maxInputTokens: 100_000, prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 } }],
};

export const shoot: ShotScript = async (workbench, { frame }) => {
  const { page } = workbench;
  const ask = new QuickInput(page);
  await workbench.updateSettings({ 'loupe.spend.askAbove': 0.0001 });
  await workbench.runCommand('loupe.addProvider', CLOUD);
  await workbench.runCommand('loupe.sendMessage', '/long 20');
  await workbench.runCommand('loupe.sendMessage', 'Where is the lighthouse?');
  await frame.getByRole('article', { name: 'Assistant' }).last().getByRole('button', { name: 'Show this request' }).click();
  const inspector = await openInspector(page);
  await inspector.getByRole('heading', { level: 1, name: 'Request 2 of 2' }).waitFor();
  await screenshot(page, 'send-again-inspector');
  for (const theme of ['Light Modern', 'Dark High Contrast'] as const) {
    const name = theme.toLowerCase().replaceAll(' ', '-');
    await setTheme(workbench, theme);
    for (const [choice, file] of [
      ['Without the turn', 'turn'],
      ['With large', 'dear'],
    ] as const) {
      const sent = workbench.runCommand('loupe.sendAgain');
      await ask.asked('What to change');
      await ask.row('Without').waitFor();
      await screenshot(page, `send-again-choices-${name}`);
      await ask.filter(choice);
      await ask.pick(choice);
      await ask.dialog.waitFor();
      await screenshot(page, `send-again-${file}-${name}`);
      await ask.answer('Cancel');
      await sent;
    }
  }
};
