import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { type ChatPanel, latestReply, sharedWorkbench, type Workbench } from '../support/workbench/index.js';

const RULE = 'AGENTS.md';
const MODES = 'loupe.includeModes';

describe('a rule that the user switches off', () => {
  let workbench: Workbench;
  let panel: ChatPanel;
  let settings: string;
  let earlier: string | null;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    settings = join(workbench.workspaceDir, '.vscode', 'settings.json');
    earlier = existsSync(settings) ? readFileSync(settings, 'utf8') : null;
  });

  after(async () => {
    await workbench.updateSettings({ [MODES]: undefined });
    if (earlier === null) {
      rmSync(settings, { force: true });
    } else {
      writeFileSync(settings, earlier);
    }
    await panel.newChat();
  });

  beforeEach(() => panel.newChat());

  const pane = (): Locator => panel.region('Context of this chat');
  const rule = (): Locator => pane().getByRole('checkbox', { name: `${RULE} [Always]` });

  async function openPane(): Promise<void> {
    await workbench.runCommand('loupe.manageContext');
    await rule().waitFor();
  }

  async function chooseInRow(choice: string): Promise<void> {
    await pane()
      .getByRole('button', { name: `Where to use ${RULE}` })
      .click();
    await pane().getByRole('menuitem', { name: choice }).click();
  }

  async function sentRules(): Promise<readonly string[]> {
    await panel.sendAndWait('/long 1');
    return ((await latestReply(workbench)).requestContext?.items ?? []).map(({ name }) => name);
  }

  it('with the keyboard on its chip is in no request of this chat, until Undo', async () => {
    await panel.unfoldItems();
    const chip = panel.frame.locator('.chip-open', { hasText: RULE });
    await chip.focus();
    await chip.press('Shift+F10');
    const item = panel.frame.getByRole('menuitem', { name: 'Exclude from this chat' });
    await item.waitFor();
    await item.press('Enter');
    await chip.waitFor({ state: 'detached' });
    assert.ok(!(await sentRules()).includes(RULE));
    await openPane();
    await pane().getByText('Excluded from this chat.').waitFor();
    await pane()
      .getByRole('button', { name: `Include again: ${RULE}` })
      .click();
    await pane().getByText('Excluded from this chat.').waitFor({ state: 'detached' });
    await panel.button('Close').click();
    assert.ok((await sentRules()).includes(RULE));
  });

  it('in the folder is off by the settings of the folder, in new chats, too, until Undo', async () => {
    await openPane();
    await chooseInRow('Exclude in this folder');
    await pane().getByText('Excluded in this folder.').waitFor();
    assert.match(readFileSync(settings, 'utf8'), /"loupe\.includeModes": \{\s*"rule:AGENTS\.md": "off"\s*\}/);
    await panel.button('Close').click();
    assert.ok(!(await sentRules()).includes(RULE));
    await panel.newChat();
    assert.ok(!(await sentRules()).includes(RULE));
    await openPane();
    await pane()
      .getByRole('button', { name: `Include again: ${RULE}` })
      .click();
    await pane().getByText('Excluded in this folder.').waitFor({ state: 'detached' });
    assert.doesNotMatch(readFileSync(settings, 'utf8'), /rule:AGENTS/);
    await panel.button('Undo').click();
    await pane().getByText('Excluded in this folder.').waitFor();
    await chooseInRow('Include again');
    await pane().getByText('Excluded in this folder.').waitFor({ state: 'detached' });
    await panel.button('Close').click();
  });

  it('everywhere is off by the settings of the user, in new chats, too, until it is on again', async () => {
    await openPane();
    await chooseInRow('Never use');
    await pane().getByText('Never used.').waitFor();
    assert.ok(!(existsSync(settings) && readFileSync(settings, 'utf8').includes('rule:AGENTS')), 'the settings of the folder stay');
    await panel.button('Close').click();
    assert.ok(!(await sentRules()).includes(RULE));
    await panel.newChat();
    assert.ok(!(await sentRules()).includes(RULE));
    await openPane();
    await chooseInRow('Include again');
    await pane().getByText('Never used.').waitFor({ state: 'detached' });
    await panel.button('Close').click();
    await panel.newChat();
    assert.ok((await sentRules()).includes(RULE));
  });
});
