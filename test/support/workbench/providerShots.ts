// Adding a provider, step by step, with a wrong and then the right key:
//   node test/support/shots.mjs --script support/workbench/providerShots.ts

import type { Frame } from 'playwright-core';
import { startCachingServer } from '../cachingServer/cachingServer.js';
import type { ReplyHandler } from '../cachingServer/options.js';
import { ChatPanel } from './chat.js';
import { screenshot, setTheme } from './panel.js';
import { QuickInput } from './quickInput.js';
import type { Workbench } from './server.js';
import type { ShotScript } from './shots.js';

const MODELS = [
  { id: 'large-model', label: 'Large model', maxInputTokens: 200_000, maxOutputTokens: 8_000 },
  { id: 'small-model', label: 'Small model', maxInputTokens: 32_000, maxOutputTokens: 4_000 },
];

export const shoot: ShotScript = async (workbench, tools) => {
  const { frame } = tools;
  const takePanel = (name: string): Promise<void> => tools.shoot(name);
  const provider = await startCachingServer({ key: 'the-right-key', models: MODELS, reply });
  const { page } = workbench;
  const quick = new QuickInput(page);
  const take = (name: string): Promise<string> => screenshot(page, `provider-${name}`);
  try {
    await takePanel('provider-empty');
    await setTheme(workbench, 'Dark Modern');
    await workbench.updateSettings({ 'workbench.reduceMotion': 'on' });
    await frame.getByRole('button', { name: 'add your own provider' }).click();
    await quick.asked('Which kind of provider?');
    await take('1-start');
    await quick.pick('Other server with the Anthropic API');
    await quick.asked('Name of the provider');
    await quick.type('House models');
    await quick.asked('Base URL of the API');
    await take('2-address');
    await quick.type(provider.url);
    await quick.asked('API key for');
    await quick.type('a-wrong-key');
    await quick.dialog.waitFor();
    await take('3-wrong-key');
    await quick.answer('Change key');
    await quick.asked('API key for');
    await take('4-key');
    await quick.type('the-right-key');
    await quick.asked('Choose the models to use');
    await take('5-models');
    await quick.check('Large model');
    await quick.check('Small model');
    await quick.takeChecked();
    await quick.asked('Choose a model to change its limits and prices');
    await take('6-review');
    await quick.pick('Small model');
    await take('7-edit');
    await quick.pick('Done');
    await quick.asked('Choose a model to change its limits and prices');
    await quick.pick('Save');
    await quick.asked('Send a test message before saving?');
    await take('8-try');
    await quick.pick('Send a test message to');
    await quick.asked('Use Large model');
    await take('9-saved');
    await quick.pick('Use Large model only in this chat');
    await panelStates(workbench, frame, takePanel);
  } finally {
    await provider.stop();
  }
};

/** What the panel shows of a real provider: a reply, a wait, a refused key, a model of another kind. */
async function panelStates(workbench: Workbench, frame: Frame, takePanel: (name: string) => Promise<void>): Promise<void> {
  const panel = new ChatPanel(frame);
  await panel.sendAndWait('Think about it');
  await panel.frame.getByRole('button', { name: /^Next request/ }).click();
  await panel.composer.fill('And now?');
  await takePanel('provider-reply');
  await panel.frame.getByRole('button', { name: /^Next request/ }).click();
  await panel.send('busy');
  await panel.button('Stop waiting').waitFor();
  await takePanel('provider-wait');
  await panel.button('Stop waiting').click();
  await panel.idle();
  await panel.sendAndWait('Look around without end');
  await panel.button('Continue').waitFor();
  await panel.frame.getByRole('button', { name: /^Next request/ }).click();
  await takePanel('provider-endless');
  await panel.frame.getByRole('button', { name: /^Next request/ }).click();
  await workbench.runCommand('loupe.setApiKey', 'house-models', 'a-wrong-key');
  await panel.sendAndWait('Hello?');
  await takePanel('provider-refused');
  await workbench.runCommand('loupe.selectModel', 'practice/standard');
  await panel.frame.getByText("another model's reasoning").waitFor();
  await takePanel('provider-adapted');
}

const reply: ReplyHandler = ({ body }) => {
  if (body.includes('without end')) {
    return body.includes('Hello?')
      ? { parts: [{ type: 'text', text: 'Hello.' }] }
      : { parts: [{ type: 'toolCall', name: 'look_around', args: { place: 'here' } }] };
  }
  return body.includes('busy')
    ? { status: 429, message: 'Too many requests', headers: { 'retry-after': '90' } }
    : {
        parts: [
          { type: 'thinking', thinking: 'Let me see what was asked.' },
          { type: 'text', text: 'It holds your message and **nothing else**.' },
        ],
      };
};
