import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiPreview } from '../../src/protocol/api/api.js';
import {
  type ChatPanel,
  latestChat,
  QuickInput,
  sharedWorkbench,
  uriArgument,
  waitFor,
  type Workbench,
} from '../support/workbench/index.js';

const PROMPT = `---
description: Explains a forecast
model: GPT-5
---
Explain the \${input:kind:kind of forecast} in \${file}, as [alerts](../../src/alert.ts) say. \${selection}`;

describe('prompt files of the workspace, in the panel', () => {
  let folder: string;
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    folder = join(workbench.workspaceDir, '.github');
    await mkdir(join(folder, 'prompts'), { recursive: true });
    await writeFile(join(folder, 'prompts/forecast.prompt.md'), PROMPT);
    await writeFile(join(folder, 'prompts/empty.prompt.md'), '---\ndescription: Nothing\n---\n');
  });

  after(async () => {
    await workbench.runCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true });
  });

  it('are behind a /: the text with the answers goes into the message box, and is counted before it is sent', async () => {
    await workbench.runCommand('vscode.open', uriArgument(workbench, 'src/gauge.ts'));
    const option = panel.frame.getByRole('option', { name: 'forecast' });
    const quickInput = new QuickInput(workbench.page);
    await panel.composer.click();
    await waitFor('the prompt, after VS Code has reported the file', async () => {
      await panel.composer.fill('');
      await panel.composer.press('/');
      await workbench.page.keyboard.type('fore');
      return (await quickInput.shows(option)) || undefined;
    });
    await option.getByText('Explains a forecast').waitFor();
    await workbench.page.keyboard.press('Enter');
    await quickInput.asked('kind: kind of forecast');
    await quickInput.type('storm surge');
    const text = 'Explain the storm surge in src/gauge.ts, as [alerts](../../src/alert.ts) say. ${selection}';
    await waitFor('the text of the prompt', async () => (await panel.composer.inputValue()) === text || undefined);
    const note = 'Not filled in: ${selection} (no text is selected). The prompt forecast names the model GPT-5, which Loupe does not have.';
    await panel.frame.getByRole('note').getByText(note).waitFor();
    await panel.button('Choose another model').waitFor();
    await panel.button('Dismiss').click();
    await panel.unfoldItems();
    await panel.frame.locator('.chip-open', { hasText: 'alert.ts' }).waitFor();
    const { id } = await latestChat(workbench);
    await waitFor('the prompt in the next request', async () => {
      const preview = (await workbench.api('previewNextRequest', id)) as ApiPreview;
      return preview.body.includes('Explain the storm surge in src/gauge.ts, as') || undefined;
    });
  });
});
