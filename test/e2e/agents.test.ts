import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiPreview } from '../../src/protocol/api/api.js';
import { type ChatPanel, latestChat, QuickInput, sharedWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';

const REVIEWER = `---
name: reviewer
description: Reads changes
tools: Read, Grep, Glob
model: Practice model, small window
---
You review code.`;

describe('an agent of another program, in the panel', () => {
  let folder: string;
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    await workbench.updateSettings({ 'loupe.defaults.workspaceTools': 'on' });
    // Until the panel shows a chat with these tools, the agent would be set in the chat before.
    await workbench.runCommand('loupe.newChat');
    await panel.frame.locator('.items-kinds', { hasText: /\b10 tools\b/ }).waitFor();
    folder = join(workbench.workspaceDir, '.claude');
    await mkdir(join(folder, 'agents'), { recursive: true });
    await writeFile(join(folder, 'agents/reviewer.md'), REVIEWER);
  });

  after(async () => {
    await workbench.updateSettings({ 'loupe.defaults.workspaceTools': 'off' });
    await rm(folder, { recursive: true });
  });

  it('is chosen from a list: it gets only its tools, and its model is offered', async () => {
    const quickInput = new QuickInput(workbench.page);
    await quickInput.askByKeyboard('Loupe: Select Agent', quickInput.row('reviewer'));
    await quickInput.pick('reviewer');
    const { id } = await latestChat(workbench);
    const preview = await waitFor('the prompt of the agent', async () => {
      const { body } = (await workbench.api('previewNextRequest', id)) as ApiPreview;
      return body.includes('You review code.') ? body : undefined;
    });
    const { tools } = JSON.parse(preview) as { readonly tools: readonly { readonly name: string }[] };
    assert.deepEqual(tools.map(({ name }) => name).sort(), ['list_files', 'read_file', 'search_text']);
    await panel.frame.getByRole('note').getByText('The agent reviewer names the model Practice model, small window. Loupe has').waitFor();
    await panel.button('Use this model').click();
    await waitFor('the model', async () => (await latestChat(workbench)).config['model'] === 'practice/small' || undefined);
    await panel.button('Use this model').waitFor({ state: 'detached' });
  });
});
