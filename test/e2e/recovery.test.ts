import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { untilEnded } from '../support/mcp/processes.js';
import { root } from '../support/paths.mjs';
import {
  ChatPanel,
  chatTab,
  killExtensionHost,
  latestChat,
  openLoupe,
  QuickInput,
  restartedHost,
  sharedWorkbench,
  waitFor,
  type Workbench,
} from '../support/workbench/index.js';
import { ChatFiles, storageFolder } from '../support/workbench/storageFaults.js';

/** Asks the user with a form, and reports its process. */
const FORMS = { command: process.execPath, args: [join(root, 'test/support/mcp/hostileServer.mjs'), 'asks'] };

describe('nothing is lost in the panel', () => {
  let workbench: Workbench;
  let panel: ChatPanel;
  let formPid: number;

  before(async () => {
    ({ workbench } = await sharedWorkbench());
    await workbench.updateSettings({ 'loupe.mcpServers': { servers: { forms: FORMS } } });
  });

  after(() => workbench.updateSettings({ 'loupe.mcpServers': undefined }));

  const allow = (tool: string): Promise<void> =>
    panel.log
      .getByRole('group', { name: `Allow forms:${tool}?` })
      .getByRole('button', { name: 'Once' })
      .click();

  async function openPanel(): Promise<void> {
    panel = new ChatPanel(await openLoupe(workbench.page));
  }

  async function newChat(title: string): Promise<void> {
    await panel.newChat();
    await workbench.runCommand('loupe.renameChat', (await latestChat(workbench)).id, title);
    await panel.frame.getByRole('heading', { name: title }).waitFor();
  }

  async function showChat(title: string): Promise<void> {
    await panel.button('Switch chat').click();
    await panel.region('Chat list').getByRole('button').filter({ hasText: title }).first().click();
    await panel.frame.getByRole('heading', { name: title }).waitFor();
  }

  async function chatWithForm(title: string): Promise<void> {
    await newChat(title);
    await panel.startServers();
    await panel.send('/tool forms__pids {}');
    await allow('pids');
    await panel.idle();
    const { messages } = await latestChat(workbench);
    const [pid] = JSON.parse(/\[\d+,\d+\]/.exec(JSON.stringify(messages))?.[0] ?? '[]') as number[];
    assert.ok(pid !== undefined, JSON.stringify(messages));
    formPid = pid;
    await panel.send('/tool forms__ask {}');
    await allow('ask');
    await new QuickInput(workbench.page).asked('Your name?');
    await panel.log.getByText('forms has a question for you at the top of the window.').waitFor();
  }

  /** Checks that call and server processes have ended, and that the chat continues with a restarted server. */
  async function expectFormEnded(title: string): Promise<void> {
    const dialog = new QuickInput(workbench.page);
    await untilEnded(formPid);
    await showChat(title);
    await panel.log.getByText('Interrupted: VS Code closed before the tools had finished.').waitFor();
    assert.equal(await dialog.widget.count(), 0);
    await panel.send('/tool forms__ask {}');
    await allow('ask');
    await dialog.asked('Your name?');
    await dialog.pick('Refuse');
    await panel.idle();
    await panel.log.getByText('"action":"decline"').first().waitFor();
  }

  describe('when the webview is made anew in the middle of a reply: no text is lost or doubled', () => {
    beforeEach(async () => {
      await openPanel();
      await panel.newChat();
      await panel.send('/long 400');
      await panel.streaming();
    });

    it('by a reload', async () => {
      await workbench.runCommand('workbench.action.webview.reloadWebviewAction');
      await expectShownAsSent();
    });

    it('because the view was hidden', async () => {
      await workbench.runCommand('workbench.action.closeAuxiliaryBar');
      await panel.gone();
      await workbench.runCommand('loupe.chat.focus');
      await expectShownAsSent();
    });

    /** Checks that the visible words are those of the reply, in order, once. */
    async function expectShownAsSent(): Promise<void> {
      await panel.gone();
      await openPanel();
      await panel.articles('You').waitFor();
      await panel.idle();
      const { messages } = await latestChat(workbench);
      const words = (of: string): string => (of.match(/\p{L}+/gu) ?? []).join(' ');
      const sent = words(messages.find(({ role }) => role === 'assistant')?.text ?? '');
      assert.ok(sent.length > 1_000);
      assert.ok(words(await panel.articles('Assistant').last().innerText()).includes(sent), 'the reply on show is the reply that was sent');
    }
  });

  describe('when the window is closed and opened again', () => {
    let tab: ChatPanel;
    let damagedLine: number;

    before(async () => {
      await openPanel();
      const headless = await chatOnDisk('Headless');
      const damaged = await chatOnDisk('Torn');
      await chatWithForm('Form in a closed window');
      await newChat('In a tab');
      await panel.send('/tool forms__pids {}');
      await panel.log.getByRole('group', { name: 'Allow forms:pids?' }).waitFor();
      const { id } = await latestChat(workbench);
      await workbench.runCommand('loupe.openInEditor');
      await chatTab(workbench.page);
      // In the view, because the tab was used last.
      await panel.composer.focus();
      await newChat('With a draft');
      await draft('half a thought');
      await untilEditorsAreKept(workbench.page, id);
      await workbench.closePage();
      headless.flip(1);
      damagedLine = damaged.lineCount;
      damaged.tearLastLine();
      await workbench.openAgain();
      tab = new ChatPanel(await chatTab(workbench.page));
      await openPanel();
    });

    async function chatOnDisk(title: string): Promise<ChatFiles> {
      await newChat(title);
      await panel.sendAndWait('/long 3');
      return new ChatFiles(storageFolder(workbench), (await latestChat(workbench)).id);
    }

    async function draft(text: string): Promise<void> {
      await panel.composer.fill(text);
      await waitFor('the draft at the host', async () => {
        const { id } = await latestChat(workbench);
        const preview = (await workbench.api('previewNextRequest', id)) as { body: string };
        return preview.body.includes(text) || undefined;
      });
    }

    it('a draft is in the message box', async () => {
      await panel.frame.getByRole('heading', { name: 'With a draft' }).waitFor();
      await waitFor('the draft', async () => (await panel.composer.inputValue()) === 'half a thought' || undefined);
    });

    it('a chat in an editor tab is there, still asks whether a tool may run, and runs it', async () => {
      await workbench.page.locator('.part.editor .tab', { hasText: 'In a tab' }).waitFor();
      await tab.log.getByRole('group', { name: 'Allow forms:pids?' }).getByRole('button', { name: 'Once' }).click();
      await tab.idle();
      await tab.log.locator('.turn-line').last().waitFor();
    });

    it('the form of a server is gone, and its call has ended', () => expectFormEnded('Form in a closed window'));

    it('a chat that was damaged meanwhile shows the rest, and a badge that names the line and opens to the reason', async () => {
      await showChat('Torn');
      const badge = panel.button(`Damaged log: line ${damagedLine}`);
      await badge.press('Enter');
      await panel.region('What is damaged').getByText(`Line ${damagedLine}: it was cut off`).waitFor();
      await badge.press('Enter');
      await panel.region('What is damaged').waitFor({ state: 'detached' });
      await panel.articles('You').filter({ hasText: '/long 3' }).waitFor();
    });

    it('a chat that cannot be read is in the list with the reason, and says so when it is opened', async () => {
      await showChat('Torn');
      await panel.button('Switch chat').click();
      const row = panel.region('Chat list').getByRole('button').filter({ hasText: 'Unreadable chat' });
      assert.match(await row.innerText(), /its first line is missing or damaged\.$/);
      await row.click();
      await panel.frame.getByRole('alert').filter({ hasText: 'This chat cannot be read' }).waitFor();
      assert.equal(await panel.articles('You').filter({ hasText: '/long 3' }).count(), 1, 'the chat on show stays');
    });
  });

  describe('when the extension host is killed', () => {
    let tab: ChatPanel;
    /** The part of the reply that was visible for longer than the write interval. */
    let seen: string;

    before(async () => {
      await openPanel();
      await chatWithForm('Form in a killed window');
      await workbench.runCommand('loupe.openInEditor');
      // The earlier front tab can still exist, and its frame will be removed.
      tab = await waitFor('the chat in its tab', async () => {
        const shown = new ChatPanel(await chatTab(workbench.page));
        const heading = shown.frame.getByRole('heading', { name: 'Form in a killed window' });
        return (await heading.count().catch(() => 0)) > 0 ? shown : undefined;
      });
      await panel.composer.focus();
      await newChat('Killed in a reply');
      await panel.send('/slow');
      await panel.streaming();
      const first = panel.articles('Assistant').last().getByRole('paragraph').first();
      // Unfinished bold markup looks different from the final text.
      seen = await waitFor('the first words', async () => /^I'm the practice model/.exec(await first.innerText())?.[0]);
      await waitFor('more of the reply', async () => ((await first.innerText()).length > seen.length + 40 ? true : undefined));
      await restartedHost(workbench, workbench.page, await killExtensionHost(workbench));
      await panel.gone();
      await openPanel();
    });

    it('in the middle of a reply the partial text is there, with Retry', async () => {
      await panel.articles('You').filter({ hasText: '/slow' }).waitFor();
      await panel.frame
        .getByText(/^Interrupted/)
        .first()
        .waitFor();
      await panel.articles('Assistant').last().getByText(seen).first().waitFor();
      await panel.button('Retry').last().click();
      await panel.streaming();
      // By key: the notification about the chat in the other tab can cover the button.
      await panel.button('Stop').press('Enter');
      await panel.idle();
      assert.equal(await panel.articles('You').count(), 1);
    });

    it('a chat in an editor tab says that it gets no answer', async () => {
      await tab.composer.fill('Are you there?');
      await tab.frame.getByText('This tab has lost its connection to Loupe').waitFor();
    });

    it('the form of a server is gone, and its call has ended', () => expectFormEnded('Form in a killed window'));
  });
});

/** Waits until VS Code has saved that a chat is open in a tab. In a browser it saves every five seconds. */
async function untilEditorsAreKept(page: Page, chatId: string): Promise<void> {
  await waitFor('the open editors in the storage', async () => (await page.evaluate(keptEditors)).includes(chatId) || undefined);
}

async function keptEditors(): Promise<string> {
  const settled = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.addEventListener('success', () => {
        resolve(request.result);
      });
      request.addEventListener('error', () => {
        reject(new Error(String(request.error)));
      });
    });
  const kept: unknown[] = [];
  for (const { name = '' } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db-')) continue;
    const database = await settled(indexedDB.open(name));
    const [store] = database.objectStoreNames;
    if (store !== undefined)
      kept.push(await settled<unknown>(database.transaction(store).objectStore(store).get('memento/workbench.parts.editor')));
    database.close();
  }
  return JSON.stringify(kept);
}
