import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { ApiPreview } from '../../src/protocol/api/api.js';
import {
  ChatPanel,
  latestChat,
  latestReply,
  openLoupe,
  QuickInput,
  sharedWorkbench,
  uriArgument,
  waitFor,
  type Workbench,
} from '../support/workbench/index.js';

describe('Loupe among the editors', () => {
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    ({ workbench } = await sharedWorkbench());
  });

  beforeEach(async () => {
    panel = new ChatPanel(await openLoupe(workbench.page));
    await panel.newChat();
  });

  async function expectFiles(files: readonly string[]): Promise<void> {
    await waitFor(`the files ${files.join(', ')} in the chat`, async () => {
      const chat = await latestChat(workbench);
      return JSON.stringify([...chat.files].sort()) === JSON.stringify([...files].sort()) ? true : undefined;
    });
  }

  function row(name: string): ReturnType<Workbench['page']['locator']> {
    return workbench.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
  }

  async function addFromExplorer(name: string): Promise<void> {
    await row(name).click({ button: 'right' });
    const item = workbench.page.getByRole('menuitem', { name: 'Add to Loupe Chat' });
    await item.waitFor();
    await waitFor('the menu to close', async () => {
      // VS Code ignores clicks in the first moments of a menu.
      if (await item.isVisible()) await item.click();
      return (await item.isVisible()) ? undefined : true;
    });
  }

  it('suggests to explain the open file, adds it, and tells which model explained it and when', async () => {
    await workbench.runCommand('vscode.open', uriArgument(workbench, 'src/gauge.ts'));
    await panel.frame.getByRole('button', { name: /^Explain the open file/ }).click();
    await waitFor('the words', async () => (await panel.composer.inputValue()) === 'Explain src/gauge.ts.' || undefined);
    await expectFiles(['src/gauge.ts']);
    await panel.composer.press('Enter');
    const reply = panel.articles('Assistant').last();
    await reply.getByTitle(/\(practice\/standard\)\nAsked at .*\d\d:\d\d/).waitFor();
    await panel.idle();
  });

  it('adds a file from the explorer, which leads to the message box, then all that are selected', async () => {
    await workbench.runCommand('workbench.view.explorer');
    await addFromExplorer('README.md');
    await expectFiles(['README.md']);
    const focused = (): Promise<string | undefined> => panel.frame.evaluate(() => document.activeElement?.tagName);
    await waitFor('the focus in the message box', async () => (await focused()) === 'VSCODE-TEXT-AREA' || undefined);
    await workbench.page.keyboard.type('hello');
    assert.equal(await panel.composer.inputValue(), 'hello');
    await row('docs').click();
    await row('AGENTS.md').click({ modifiers: ['Control'] });
    // The explorer can still be busy with the earlier click.
    for (const name of ['docs', 'AGENTS.md']) {
      await row(name).and(workbench.page.locator('[aria-selected="true"]')).waitFor();
    }
    await addFromExplorer('AGENTS.md');
    await expectFiles(['README.md', 'docs/stations.md', 'docs/warnings.md']);
    // The chat has it as a rule.
    await panel.frame.getByRole('note').getByText('AGENTS.md is in this chat already, as a rule.').waitFor();
  });

  it('adds the file of an editor from its title', async () => {
    await workbench.runCommand('vscode.open', uriArgument(workbench, 'README.md'));
    const icon = workbench.page.locator('.editor-actions').getByRole('button', { name: 'Add to Loupe Chat' });
    await icon.click();
    await expectFiles(['README.md']);
    await icon.click({ button: 'right' });
    await workbench.page.getByRole('menuitem', { name: "Hide 'Add to Loupe Chat'" }).waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('lets the user choose open editors, files and folders with the +, several at once', async () => {
    const quick = new QuickInput(workbench.page);
    await workbench.runCommand('vscode.open', uriArgument(workbench, 'src/gauge.ts'));
    await panel.add('Add files…');
    await quick.asked('Search open editors');
    await quick.row('src/alert.ts').waitFor();
    const labels = await quick.widget.locator('.quick-input-list-row').allInnerTexts();
    assert.match(labels[0] ?? '', /src\/gauge\.ts/, 'the open editor comes first');
    await quick.widget.getByRole('button', { name: 'Browse…' }).waitFor();
    await quick.check('src/gauge.ts');
    await quick.widget.getByText(/\(1 selected: ≈ [\d,]+ tokens\)/).waitFor();
    await quick.check('2 files');
    await quick.takeChecked();
    await expectFiles(['docs/stations.md', 'docs/warnings.md', 'src/gauge.ts']);
    await panel.add('Add files…');
    await quick
      .row('src/gauge.ts')
      .getByText(/in this chat · ≈ \d+ tokens/)
      .waitFor();
    await quick.filter('alert');
    await quick.row('src/alert.ts').waitFor();
    await quick.confirm();
    await quick.asked('Nothing is selected');
    await quick.check('src/alert.ts');
    await quick.takeChecked();
    await expectFiles(['docs/stations.md', 'docs/warnings.md', 'src/alert.ts', 'src/gauge.ts']);
  });

  it('sends the rules of the workspace, names and opens them, and lets the user take them out and in again', async () => {
    const chip = panel.frame.locator('.chip-open', { hasText: 'AGENTS.md' });
    const rules = async (): Promise<unknown> => (await latestReply(workbench)).rules;
    await panel.unfoldItems();
    await chip.waitFor();
    await panel.sendAndWait('In which unit are heights?');
    assert.deepEqual(await rules(), ['AGENTS.md']);
    const reply = panel.articles('Assistant').last();
    await reply.getByRole('button', { name: 'Context used' }).click();
    const group = panel.region('Context used').getByRole('group', { name: 'Rules (1)' });
    await group.getByRole('button', { name: 'AGENTS.md [Always]', exact: true }).click();
    await workbench.page.locator('.tab.active', { hasText: 'AGENTS.md' }).waitFor();
    await workbench.runCommand('loupe.manageContext');
    const pane = panel.region('Context of this chat');
    const box = pane.getByRole('checkbox', { name: 'AGENTS.md [Always]' });
    await box.focus();
    await workbench.page.keyboard.press('Space');
    await chip.waitFor({ state: 'detached' });
    await panel.sendAndWait('And now?');
    assert.deepEqual(await rules(), []);
    await box.click();
    await chip.waitFor();
    await workbench.page.keyboard.press('Escape');
    await pane.waitFor({ state: 'detached' });
  });

  it('adds what @ names in a message, by the keyboard alone', async () => {
    const popup = panel.frame.getByRole('listbox', { name: 'Add to this chat' });
    await panel.composer.click();
    await workbench.page.keyboard.type('Compare @gau');
    await popup.getByRole('option', { name: /gauge\.ts.*≈ \d+$/ }).waitFor();
    await workbench.page.keyboard.press('Enter');
    // Without a pause, the next key comes before the panel renders again.
    await workbench.page.keyboard.type('with @AGE');
    await expectFiles(['src/gauge.ts']);
    assert.equal(await panel.composer.inputValue(), 'Compare @gauge.ts with @AGE');
    await popup.getByRole('option', { name: /AGENTS\.md.*in this chat/ }).waitFor();
    await workbench.page.keyboard.press('Escape');
    await popup.waitFor({ state: 'detached' });
    await workbench.page.keyboard.type('NTS.md');
    await panel.composer.press('Enter');
    await panel.articles('You').getByText('Compare @gauge.ts with @AGENTS.md').waitFor();
    await expectFiles(['src/gauge.ts']);
  });

  it('picks rules and references for each message, as the flow example of the reference has it, and shows them before and after', async () => {
    const head = (name: string, include: string): string => `---\nname: ${name}\ninclude: ${include}\n---\n`;
    const files = {
      'rules/a.md': `${head('Rule A', 'always')}Answer in English.`,
      'rules/b.md': `${head('Rule B', 'manual')}Use British spelling.`,
      'rules/c.md': `${head('Authentication', 'agent')}Tokens live for an hour.`,
      'references/x.md': `${head('Reference X', 'always')}The stations.`,
      'references/y.md': `${head('Error handling', 'agent')}Errors are shown in red.`,
    };
    const folder = join(workbench.workspaceDir, '.loupe');
    try {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(folder, dirname(path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      await waitFor('a new chat that begins with what is always in one', async () => {
        await panel.newChat();
        await panel.unfoldItems();
        const count = await panel.frame.locator('.chip-open').count();
        return count === 3 || undefined;
      });
      const next = panel.region('Next request');
      await panel.frame.getByRole('button', { name: 'Next request', exact: true }).click();
      await next.getByRole('button', { name: 'Not selected 3' }).click();
      await next.getByRole('checkbox', { name: 'Send Rule B' }).click();
      await next.getByRole('button', { name: /^Rules 3 of 4/ }).click();
      await next.getByRole('button', { name: /^References 1 of 2/ }).click();
      await next.getByRole('button', { name: 'Rule B [Manual]' }).waitFor();
      const held = async (): Promise<unknown> => {
        const context = (await latestReply(workbench)).requestContext;
        return context?.items.map(({ name, includeMode }) => `${name} ${includeMode}`).sort();
      };
      const session = ['AGENTS.md always', 'Reference X always', 'Rule A always', 'Rule B manual'];
      await panel.composer.fill('How do I authenticate?');
      await next.getByRole('button', { name: /^Authentication \[Agent - 0\.\d\d\]$/ }).waitFor();
      await panel.sendAndWait('How do I authenticate?');
      assert.deepEqual(await held(), [...session, 'Authentication agent'].sort());
      await panel.sendAndWait("What's the error handling?");
      assert.deepEqual(await held(), [...session, 'Error handling agent'].sort());
      await panel.articles('Assistant').last().getByRole('button', { name: 'Context used' }).click();
      const used = panel.region('Context used');
      await used.getByText('3 rules (2 always, 1 manual), 2 references (1 agent, 1 always)').waitFor();
      await used.getByRole('button', { name: 'Not selected 1' }).click();
      await used
        .getByRole('group', { name: 'Not selected (1)' })
        .getByText('not selected: score below 0.30')
        .waitFor({ state: 'attached' });
      await next.getByRole('checkbox', { name: 'Send Rule B' }).click();
      // Until the next request is counted, it is still picked for the sent message.
      await next.getByRole('checkbox', { name: 'Send Error handling', checked: false }).click();
      await next.getByRole('button', { name: 'Error handling [Manual]' }).waitFor();
      await next.getByText('not selected: excluded from this chat').waitFor({ state: 'attached' });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('says that a file changed or is gone, sends it as it is now, and refuses a binary one with the reason', async () => {
    const path = join(workbench.workspaceDir, 'note.txt');
    writeFileSync(path, 'first words\n');
    await workbench.runCommand('loupe.addFileToContext', uriArgument(workbench, 'note.txt'));
    await panel.unfoldItems();
    await panel.frame.getByRole('button', { name: 'Remove note.txt' }).waitFor();
    writeFileSync(path, 'other words\n');
    await panel.frame
      .getByText(/changed/)
      .first()
      .waitFor();
    const { id } = await latestChat(workbench);
    const preview = (await workbench.api('previewNextRequest', id)) as ApiPreview;
    assert.ok(preview.body.includes('other words'));
    await panel.sendAndWait('What is in it?');
    const chip = (state: string): Locator => panel.frame.locator(`.chip.${state} .chip-open`, { hasText: 'note.txt' });
    await chip('changed').waitFor({ state: 'detached' });
    writeFileSync(path, 'other words, and more of them\n');
    await chip('changed').waitFor();
    assert.match((await chip('changed').getAttribute('title')) ?? '', /Changed since the last request \(\+\d+ tokens\)\./);
    rmSync(path);
    await chip('deleted').waitFor();
    await chip('deleted').click();
    await workbench.page.locator('.notifications-toasts').getByText('The file note.txt no longer exists.').waitFor();
    assert.equal(await panel.frame.getByText('no longer exists').count(), 0, 'the panel does not say it a second time');
    await panel.sendAndWait('Where is it?');
    const { requestContext } = await latestReply(workbench);
    assert.deepEqual(requestContext?.items, [{ type: 'rule', name: 'AGENTS.md', includeMode: 'always' }]);
    const { files } = await latestChat(workbench);
    const binary = join(workbench.workspaceDir, 'data.bin');
    writeFileSync(binary, Buffer.from([0, 1, 2, 0]));
    await workbench.runCommand('loupe.addFileToContext', uriArgument(workbench, 'data.bin'));
    await panel.frame
      .getByText(/data\.bin is not a text file/)
      .first()
      .waitFor();
    rmSync(binary);
    assert.deepEqual((await latestChat(workbench)).files, files);
  });

  it('opens the files that a reply names, at their line, and links no path without a file', async () => {
    // The practice model names the paths that stand above a block of code.
    await panel.sendAndWait('src/alert.ts:2\n```\na\n```\nsrc/none.ts\n```\nb\n```');
    const reply = panel.articles('Assistant').last();
    await reply.getByText('src/none.ts').waitFor();
    await reply.getByRole('link', { name: 'src/alert.ts:2' }).click();
    await workbench.page.getByRole('tab', { name: 'alert.ts' }).waitFor();
    await workbench.page
      .locator('.statusbar-item')
      .getByText(/^Ln 2,/)
      .waitFor();
    assert.equal(await reply.getByRole('link', { name: 'src/none.ts' }).count(), 0);
  });

  it('puts code of a reply at the cursor, into a new file, and the reply on the clipboard', async () => {
    await workbench.runCommand('workbench.action.closeAllEditors');
    await workbench.runCommand('workbench.action.files.newUntitledFile');
    panel = new ChatPanel(await openLoupe(workbench.page));
    await panel.sendAndWait('/code');
    const code = (await panel.frame.locator('.code-block pre').last().innerText()).trim().split('\n', 1)[0]?.trim() ?? '';
    assert.notEqual(code, '');
    await workbench.page.locator('.editor-group-container.active .view-line').first().click();
    await workbench.page.keyboard.type('tide 5');
    await panel.frame.getByRole('button', { name: 'Insert at Cursor' }).last().click();
    const words = code.replace(/\s+/g, ' ');
    await workbench.page
      .locator('.editor-instance .view-line')
      .getByText(/^tide.5$/)
      .waitFor();
    await waitFor('the code in the editor', async () => (await editorText(workbench)).includes(words) || undefined);
    await panel.frame.getByRole('button', { name: 'New File' }).click();
    await workbench.page.getByRole('tab', { name: /Untitled-2/ }).waitFor();
    await waitFor('the code in the new file', async () => (await editorText(workbench)).includes(words) || undefined);
    await panel.articles('Assistant').last().hover();
    await panel.articles('Assistant').last().getByRole('button', { name: 'Copy', exact: true }).last().click();
    await panel.frame.getByText('Copied').first().waitFor({ state: 'attached' });
  });

  it('applies code of a reply to the file that the model named, after a look at the difference, and undoes it', async () => {
    const file = join(workbench.workspaceDir, 'src/gaugeHeight.ts');
    const quick = new QuickInput(workbench.page);
    await panel.sendAndWait('/code');
    const apply = panel.frame.getByRole('button', { name: 'Apply to src/gaugeHeight.ts…' });
    await apply.click();
    await workbench.page.getByRole('tab', { name: 'gaugeHeight.ts (Apply)' }).waitFor();
    await quick.pick('Do not write');
    assert.equal(existsSync(file), false);
    await apply.click();
    await quick.asked('new file · +3 −0');
    await quick.pick('Write to src/gaugeHeight.ts');
    // VS Code creates the file before it writes the text.
    const text = await waitFor('the text', () => {
      const written = existsSync(file) ? readFileSync(file, 'utf8') : '';
      return Promise.resolve(written === '' ? undefined : written);
    });
    assert.match(text, /^export function gaugeHeight\([^]*\n\}\n$/);
    await workbench.page.locator('.notifications-toasts').getByRole('button', { name: 'Undo', exact: true }).click();
    await waitFor('no file', () => Promise.resolve(!existsSync(file) || undefined));
  });
});

/** The visible text of the active editor with folded white space. */
async function editorText(workbench: Workbench): Promise<string> {
  const lines = await workbench.page.locator('.editor-group-container.active .view-lines').last().innerText();
  return lines.replace(/\s+/g, ' ');
}
