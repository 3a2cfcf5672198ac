import assert from 'node:assert/strict';
import {
  type ChatPanel,
  latestChat,
  openInspector,
  QuickInput,
  sharedWorkbench,
  uriArgument,
  waitFor,
  type Workbench,
} from '../support/workbench/index.js';

describe('Loupe without a mouse', () => {
  let workbench: Workbench;
  let panel: ChatPanel;
  let quick: QuickInput;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    quick = new QuickInput(workbench.page);
  });

  const press = (key: string): Promise<void> => workbench.page.keyboard.press(key);
  const type = (text: string): Promise<void> => workbench.page.keyboard.type(text);

  /** The accessible name of the focused element in the panel. */
  const focused = (): Promise<string> =>
    panel.frame.evaluate(() =>
      document.hasFocus() ? (document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '') : '',
    );

  async function focusIs(name: RegExp): Promise<void> {
    try {
      await waitFor(`the focus on ${String(name)}`, async () => name.test(await focused()) || undefined);
    } catch (error) {
      throw new Error(`In the panel the focus is on "${await focused()}", in VS Code on ${await focusedInWorkbench()}.`, { cause: error });
    }
  }

  /** The focused element of VS Code's own document: an iframe for webviews. */
  const focusedInWorkbench = (): Promise<string> =>
    workbench.page.evaluate(() => (document.activeElement?.cloneNode(false) as Element | undefined)?.outerHTML ?? 'nothing');

  /**
   * Waits until VS Code knows that the panel has the focus. The page reports it through the extension host: a first
   * command returns after that message, a second one after the context key.
   */
  async function keysHold(): Promise<void> {
    await workbench.runCommand('getContextKeyInfo');
    await workbench.runCommand('getContextKeyInfo');
  }

  async function search(words: string): Promise<void> {
    await quick.askByKeyboard(
      'Loupe: Search Chats',
      quick.widget.locator('input[placeholder*="Search messages and titles of all chats"]:focus'),
    );
    await type(words);
  }

  it('sends, stops, adds and removes a file, edits, finds, opens the exact request, forks and searches', async () => {
    // Another test in this window can have left them open.
    await panel.foldItems();
    const editor = workbench.page.locator('.monaco-editor.focused[data-uri$="/README.md"]');
    await waitFor('the focus in the editor', async () => {
      // A late panel on a busy computer takes the focus once.
      await workbench.runCommand('vscode.open', uriArgument(workbench, 'README.md'));
      return (await editor.isVisible()) || undefined;
    });
    await press('Control+Alt+L');
    await focusIs(/^Message$/);
    await type('/slow');
    await press('Enter');
    await panel.streaming();
    await press('Escape');
    await panel.idle();
    await panel.frame.getByText('Stopped').first().waitFor();

    await quick.runByKeyboard('Loupe: Add to Loupe Chat');
    await panel.frame.locator('.items-kinds', { hasText: '1 rule · 1 file' }).waitFor();
    await focusIs(/^Message$/);
    await type('What is an anemometer?');
    await press('Enter');
    await panel.articles('Assistant').nth(1).waitFor();
    await panel.idle();
    await press('Shift+Tab');
    await focusIs(/^Manage context$/);
    await press('Shift+Tab');
    await focusIs(/^Items of this chat: 1 rule, 1 file$/);
    await press('Enter');
    const chip = panel.frame.locator('.chip-open', { hasText: 'README.md' });
    await chip.waitFor();
    await press('Tab');
    await press('Tab');
    await focusIs(/AGENTS\.md/);
    await press('ArrowRight');
    await focusIs(/README\.md/);
    await press('Delete');
    await chip.waitFor({ state: 'detached' });
    assert.deepEqual((await latestChat(workbench)).files, []);
    await focusIs(/AGENTS\.md/);
    await press('Tab');
    await focusIs(/^Message$/);
    await press('ArrowUp');
    await waitFor('the last prompt', async () => (await panel.composer.inputValue()) === 'What is an anemometer?' || undefined);
    await press('ArrowDown');
    await waitFor('the empty box', async () => (await panel.composer.inputValue()) === '' || undefined);

    await quick.runByKeyboard('Loupe: Edit Last Message');
    await waitFor('the message in the box', async () => (await panel.composer.inputValue()) === 'What is an anemometer?' || undefined);
    await press('End');
    await type(' And a barometer?');
    await press('Enter');
    // The message appears before its run begins. Only the chat shows that it is answered.
    await waitFor('the reply to the edited message', async () => {
      const { running, messages } = await latestChat(workbench);
      const [asked, reply] = messages.slice(-2);
      return (!running && reply?.role === 'assistant' && asked?.text.includes('barometer') === true) || undefined;
    });
    await panel.idle();

    await keysHold();
    await press('Control+F');
    const found = panel.frame.getByRole('search', { name: 'Find in chat' });
    await found.waitFor();
    await focusIs(/^Find in chat$/);
    await type('BAROMETER');
    await found.getByText(/^1 of \d/).waitFor();
    assert.equal(await workbench.page.locator('.find-widget.visible').count(), 0, 'the editor does not search');
    await press('Escape');
    await focusIs(/^You$/);

    // The inspector of another chat would match too.
    await workbench.runCommand('workbench.action.closeAllEditors');
    await quick.runByKeyboard('Loupe: Show Last Request');
    const inspector = await openInspector(workbench.page);
    await inspector.getByRole('region', { name: 'Verdict' }).waitFor();
    await quick.runByKeyboard('Loupe: Fork Chat');
    await panel.frame.getByRole('heading', { name: /\(fork\)$/ }).waitFor();
    await search('and a BAROMETER');
    // The reply matched the text before the last word was typed.
    await quick.row('Assistant ·').waitFor({ state: 'detached' });
    await quick.row('You ·').waitFor();
    await press('Enter');
    await focusIs(/^You$/);
    await keysHold();
    await press('Control+N');
    await panel.log.getByRole('article').first().waitFor({ state: 'detached' });

    await focusIs(/^Message$/);
    await type('/slow');
    await press('Enter');
    await panel.streaming();
    await type('/long 3');
    await press('Enter');
    await panel.articles('You').last().getByText('Waiting to be sent').waitFor();
    await press('Control+Escape');
    const held = panel.articles('You').last();
    await held.getByText('Not sent yet').waitFor();
    await held.getByRole('button', { name: 'Send now' }).focus();
    await press('Enter');
    await panel.articles('Assistant').getByText('Practice text that.').waitFor();
    await panel.idle();
  });

  it('offers no command that has nothing to act on, and says so in passing where one is called', async () => {
    await panel.newChat();
    await quick.openPalette('Loupe: R', quick.row('Loupe: Rename Chat'));
    assert.equal(await quick.row('Loupe: Remove File from Chat').count(), 0);
    assert.equal(await quick.row('Loupe: Retry Last Message').count(), 0);
    await press('Escape');
    await workbench.runCommand('loupe.removeFromContext');
    await workbench.page.locator('.notifications-toasts').getByText('This chat has no files.').waitFor();
    assert.equal(await panel.frame.getByText('This chat has no files.').count(), 0);
    assert.equal(await quick.dialog.count(), 0);
  });
});
