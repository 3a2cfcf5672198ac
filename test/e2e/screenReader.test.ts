import type { Locator } from 'playwright-core';
import { type ChatPanel, openInspector, sharedWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';

const COMMAND = '/tool run_command {"command":"echo done"}';

describe('Loupe with a screen reader', () => {
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    await workbench.updateSettings({ 'loupe.defaults.workspaceTools': 'on' });
    // Only a new chat has the tools. The command ends when the chat is visible.
    await workbench.runCommand('loupe.newChat');
  });

  after(async () => {
    await workbench.updateSettings({ 'loupe.defaults.workspaceTools': undefined });
    await workbench.runCommand('loupeTest.closeEditors');
  });

  /** Waits until the tree of an element, as a screen reader has it, matches all of these expressions. */
  async function reads(element: Locator, ...parts: readonly RegExp[]): Promise<void> {
    let tree = '';
    try {
      await waitFor('the tree', async () => {
        tree = await element.ariaSnapshot();
        return parts.every((part) => part.test(tree)) || undefined;
      });
    } catch (error) {
      throw new Error(`The tree does not match ${parts.filter((part) => !part.test(tree)).join(', ')}:\n${tree}`, { cause: error });
    }
  }

  it('does a whole task: knows the price, answers a question, reads the reply and the request behind it', async () => {
    const next = panel.region('Next request');
    const status = panel.frame.getByRole('status', { name: 'Status' });
    await reads(next, /button "Next request"/, /\d tokens · would cost \$0\.\d+/);
    await panel.send(COMMAND);
    await reads(status, /run_command needs approval/);
    const question = panel.log.getByRole('group', { name: 'Run this command?', exact: true });
    await reads(question, /button "echo done"/, /button "Once"/, /button "Refuse"/);

    await question.getByRole('button', { name: 'Once', exact: true }).press('Enter');
    await reads(status, /Reply finished/);
    await reads(
      panel.log,
      /article "You":\n.*run_command/,
      /button "1 step · 1 command · would cost \$0\.\d+"/,
      /article "Assistant":\n\s+- paragraph:\n\s+- text: The tool\n\s+- code: run_command/,
      /button "Context used: .*\d in .*\d out/,
    );
    await reads(next, /\d tokens · would cost ≈ \$0\.\d+ .*cached expires in/);

    await panel.log.getByRole('button', { name: 'Show this request' }).last().press('Enter');
    const inspector = await openInspector(workbench.page);
    await reads(
      inspector.getByRole('main'),
      /heading "Request 2 of 2" \[level=1\]/,
      /region "Verdict":/,
      /strong: "?Would cost \$0\.\d+/,
      /row "# Block Tokens Cache Price":/,
      /row "\d+ System prompt, \d+ tokens, read, .*, always/,
      /tabpanel "Text":\n\s+- group "Lines": .*Exit code 0\./,
    );
  });
});
