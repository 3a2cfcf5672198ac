import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator } from 'playwright-core';
import { type ChatPanel, latestReply, QuickInput, sharedWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';

describe('the context of a chat', () => {
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
  });

  it('makes a new reference, which is in the pane at once', async () => {
    const quick = new QuickInput(workbench.page);
    await workbench.runCommand('loupe.manageContext');
    const pane = panel.region('Context of this chat');
    await pane.getByRole('button', { name: 'New reference' }).click();
    await quick.asked('Enter a name. Chats show this name.');
    await quick.type('Tides & times');
    await workbench.page.locator('.tab.active', { hasText: 'tides-times.md' }).waitFor();
    await pane.getByRole('checkbox', { name: 'Tides & times [Manual]' }).waitFor();
    rmSync(join(workbench.workspaceDir, '.loupe'), { recursive: true });
    await pane.getByRole('checkbox', { name: 'Tides & times [Manual]' }).waitFor({ state: 'detached' });
    await panel.button('Close').click();
  });

  it('makes a session file that opens in an editor, and brings back its earlier versions, also after its deletion', async () => {
    const quick = new QuickInput(workbench.page);
    await workbench.runCommand('loupe.manageContext');
    const pane = panel.region('Context of this chat');
    await pane.getByRole('button', { name: 'New session file' }).click();
    await quick.asked('A file of this chat only, which the model can read and write');
    await quick.type('notes/plan.md');
    await workbench.page.locator('.tab.active', { hasText: 'plan.md' }).waitFor();
    const group = pane.getByRole('group', { name: 'Session files (1)' });
    await group.getByRole('button', { name: 'Delete notes/plan.md' }).click();
    await pane.getByRole('group', { name: 'Session files (0)' }).waitFor();
    await panel.button('Undo').click();
    await group.getByRole('button', { name: 'Delete notes/plan.md' }).waitFor();
    await panel.button('Close').click();
    const text = workbench.page.locator('.editor-instance .view-lines');
    for (const name of ['First', 'Second']) {
      await text.click();
      await workbench.page.keyboard.press('Control+A');
      await workbench.page.keyboard.type(`${name} plan`);
      await workbench.runCommand('workbench.action.files.save');
    }
    await workbench.runCommand('loupe.manageContext');
    await group.getByRole('button', { name: 'Restore an earlier version of notes/plan.md' }).click();
    await quick.asked('You can also restore the version that you replace now.');
    await quick.row('Without a summary').waitFor();
    await quick.pick('First plan');
    await text.filter({ hasText: 'First' }).waitFor();
    await panel.button('Close').click();
    await workbench.runCommand('workbench.action.closeAllEditors');
  });

  it('says in which requests a rule was, by keyboard, and compares it with one that says the same', async () => {
    const copy = join(workbench.workspaceDir, 'CLAUDE.md');
    writeFileSync(copy, `${readFileSync(join(workbench.workspaceDir, 'AGENTS.md'), 'utf8')}\nThis line is not in AGENTS.md.\n`);
    try {
      const pane = panel.region('Context of this chat');
      await workbench.runCommand('loupe.manageContext');
      await pane.getByRole('checkbox', { name: 'CLAUDE.md [Always]' }).waitFor();
      // The visible chat began without this rule, so create a new one.
      await workbench.runCommand('loupe.newChat');
      await workbench.runCommand('loupe.manageContext');
      await pane.getByRole('checkbox', { name: 'CLAUDE.md [Always]', checked: true }).waitFor();
      await panel.button('Close').click();
      await panel.sendAndWait('/long 1');
      await workbench.runCommand('loupe.manageContext');
      const rule = pane.getByRole('checkbox', { name: 'AGENTS.md [Always]' });
      await rule.press('ArrowRight');
      await pane.getByText('Sent whole in 1 of 1 request of this chat: ').waitFor();
      await pane.getByText('All of this file is also in CLAUDE.md.').waitFor();
      await pane.getByRole('button', { name: 'Compare' }).click();
      await workbench.page.locator('.tab.active', { hasText: 'AGENTS.md and CLAUDE.md' }).waitFor();
      await workbench.runCommand('workbench.action.closeAllEditors');
      await rule.press('ArrowLeft');
      await pane.getByText('Sent whole in 1 of 1 request').waitFor({ state: 'detached' });
      await panel.button('Close').click();
    } finally {
      rmSync(copy);
    }
    await waitFor('a chat that begins without it', async () => {
      await panel.newChat();
      await panel.unfoldItems();
      const count = await panel.frame.locator('.chip-open', { hasText: 'CLAUDE.md' }).count();
      return count === 0 || undefined;
    });
  });

  it('holds a rule that was dropped and one that was named as added by hand, and opens what cannot be read at its line', async () => {
    const { page, workspaceDir } = workbench;
    const rules = join(workspaceDir, '.loupe', 'rules');
    mkdirSync(rules, { recursive: true });
    writeFileSync(join(rules, 'moorings.md'), '---\nname: Moorings\n---\nTwice.');
    writeFileSync(join(rules, 'lanterns.md'), '---\nname: Lanterns\ninclude: agent\n---\nRed.');
    writeFileSync(join(rules, 'bad.md'), '---\nname: Bad\ninclude: "manual\n---\nText.');
    const chip = (name: string): Locator => panel.frame.locator('.chip-open', { hasText: name });
    await panel.composer.click();
    await page.keyboard.type('By @Lant');
    await panel.frame.getByRole('option', { name: /Lanterns/ }).waitFor();
    await page.keyboard.press('Enter');
    await panel.unfoldItems();
    await chip('Lanterns').waitFor();
    // By now the catalog has both.
    await panel.composer.evaluate(
      (box, uri) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData('text/uri-list', uri);
        box.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, composed: true, cancelable: true }));
      },
      pathToFileURL(join(rules, 'moorings.md')).href,
    );
    await chip('Moorings').waitFor();
    const held = async (): Promise<unknown> => {
      const context = (await latestReply(workbench)).requestContext;
      return context?.items.flatMap(({ name, includeMode }) => (name === 'AGENTS.md' ? [] : [`${name} ${includeMode}`])).sort();
    };
    await panel.sendAndWait('How are boats made fast?');
    assert.deepEqual(await held(), ['Lanterns manual', 'Moorings manual']);
    await workbench.runCommand('loupe.manageContext');
    const pane = panel.region('Context of this chat');
    await pane.getByRole('button', { name: 'Open line 3' }).click();
    await page.locator('.tab.active', { hasText: 'bad.md' }).waitFor();
    await page.getByText('Ln 3, Col').waitFor();
    rmSync(join(workspaceDir, '.loupe'), { recursive: true });
    await pane.getByText('Moorings is no longer available').waitFor();
    await panel.button('Close').click();
    await panel.newChat();
  });

  it('changes how an agent has a rule, in the file of its profile', async () => {
    const folder = join(workbench.workspaceDir, '.loupe', 'agents');
    const profile = join(folder, 'reviewer.md');
    mkdirSync(folder, { recursive: true });
    writeFileSync(profile, '---\nname: Reviewer\n---\nYou review.\n');
    await waitFor('the agent', () =>
      workbench.runCommand('loupe.selectAgent', 'Reviewer').then(
        () => true,
        () => undefined,
      ),
    );
    await workbench.runCommand('loupe.manageContext');
    const pane = panel.region('Context of this chat');
    await pane.getByRole('combobox', { name: 'Include mode of AGENTS.md' }).selectOption('off');
    await pane.getByText('Off for the agent of this chat.').waitFor();
    assert.equal(readFileSync(profile, 'utf8'), '---\nname: Reviewer\nrules:\n  AGENTS.md: off\n---\nYou review.\n');
    await workbench.runCommand('loupe.selectAgent', '');
    await pane.getByText('Off for the agent of this chat.').waitFor({ state: 'detached' });
    await panel.button('Close').click();
    rmSync(join(workbench.workspaceDir, '.loupe'), { recursive: true });
  });

  it('changes how chats without an agent have a rule, in the settings of the workspace', async () => {
    const settings = join(workbench.workspaceDir, '.vscode', 'settings.json');
    const hadSettings = existsSync(settings);
    const before = hadSettings ? readFileSync(settings, 'utf8') : '';
    try {
      await panel.newChat();
      await workbench.runCommand('loupe.manageContext');
      const pane = panel.region('Context of this chat');
      const mode = pane.getByRole('combobox', { name: 'Include mode of AGENTS.md' });
      await mode.selectOption('off');
      await pane.getByText('Excluded in this folder.').waitFor();
      assert.match(readFileSync(settings, 'utf8'), /"loupe\.includeModes": \{\s*"rule:AGENTS\.md": "off"\s*\}/);
      await panel.button('Close').click();
      await panel.sendAndWait('Without the rule');
      const names = async (): Promise<readonly string[]> =>
        ((await latestReply(workbench)).requestContext?.items ?? []).map(({ name }) => name);
      assert.ok(!(await names()).includes('AGENTS.md'));
      await workbench.runCommand('loupe.manageContext');
      await mode.selectOption('always');
      await pane.getByText('Excluded in this folder.').waitFor({ state: 'detached' });
      await panel.button('Close').click();
      await panel.sendAndWait('With the rule');
      assert.ok((await names()).includes('AGENTS.md'));
    } finally {
      if (hadSettings) {
        writeFileSync(settings, before);
      } else {
        rmSync(settings, { force: true });
      }
    }
    await panel.newChat();
  });
});
