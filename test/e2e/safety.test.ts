import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Request } from 'playwright-core';
import { ChatPanel, latestChat, openLoupe, sharedWorkbench, uriArgument, type Workbench } from '../support/workbench/index.js';

/** Markdown that must stay text. Otherwise each would run, load, or leave the panel. */
const HOSTILE = [
  '<script>window.loupeBroken = 1</script>',
  '<img src=x onerror="window.loupeBroken = 1">',
  '<svg onload="window.loupeBroken = 1"></svg>',
  '[click](javascript:window.loupeBroken=1)',
  '[run](command:workbench.action.quit)',
  '![pixel](http://127.0.0.1:9/pixel.png)',
  '<iframe src="http://127.0.0.1:9/frame"></iframe>',
  '<div><div><style>* { display: none }</style></div></div>',
];

const HIDDEN = 'left\u202Eright zero\u200Bwidth';

describe('what a model or a file can do to the panel', () => {
  let workbench: Workbench;
  let panel: ChatPanel;
  const requests: string[] = [];
  const note = (request: Request): number => requests.push(request.url());

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    workbench.page.context().on('request', note);
  });

  after(async () => {
    workbench.page.context().off('request', note);
  });

  async function expectInert(): Promise<void> {
    const state = await panel.frame.evaluate(() => ({
      broken: 'loupeBroken' in window,
      elements: document.querySelectorAll('loupe-chat script, loupe-chat iframe, loupe-chat [onerror], loupe-chat [onload]').length,
      links: Array.from(document.querySelectorAll('a[href]'), (link) => link.getAttribute('href') ?? ''),
      images: Array.from(document.images, (image) => image.src),
    }));
    assert.equal(state.broken, false);
    assert.equal(state.elements, 0);
    assert.deepEqual(state.images, []);
    const dangerous = state.links.filter((href) => /^(javascript|command|data|vscode)/i.test(href));
    assert.deepEqual(dangerous, []);
    const outgoing = requests.filter((url) => url.includes(':9/'));
    assert.deepEqual(outgoing, []);
  }

  it('hostile Markdown is inert, live and in a webview that is made anew, and hidden characters are visible', async () => {
    // A tool's result and the model's reply return the text.
    await panel.sendAndWait(`/tool echo ${JSON.stringify({ text: HOSTILE.join('\n\n') })}`);
    await panel.sendAndWait([...HOSTILE, HIDDEN].join('\n\n'));
    await expectInert();
    const shown = await panel.articles('You').last().innerText();
    assert.match(shown, /U\+202E/);
    assert.match(shown, /U\+200B/);
    await workbench.runCommand('workbench.action.webview.reloadWebviewAction');
    await panel.gone();
    panel = new ChatPanel(await openLoupe(workbench.page));
    await panel.articles('You').last().waitFor();
    await expectInert();
  });

  it('a file with secrets is in requests only after the user agrees, and Loupe asks only once', async () => {
    await panel.newChat();
    await panel.unfoldItems();
    writeFileSync(join(workbench.workspaceDir, '.env'), 'PASSWORD=moon');
    const add = (): Promise<unknown> => workbench.runCommand('loupe.addFileToContext', uriArgument(workbench, '.env'));
    const dialog = workbench.page.getByRole('dialog').filter({ hasText: 'Add .env to the chat?' });
    const chips = panel.frame.getByRole('button', { name: /^\.env/ });
    const refused = add();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await refused;
    await panel.frame.getByText('You did not add .env.').first().waitFor();
    assert.equal(await chips.count(), 0);
    const agreed = add();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await agreed;
    await chips.first().waitFor();
    await panel.newChat();
    await add();
    await chips.first().waitFor();
  });

  it('the page allows no script but its own and no content from elsewhere', async () => {
    const policy = await panel.frame.locator('meta[http-equiv="Content-Security-Policy"]').first().getAttribute('content');
    assert.match(policy ?? '', /default-src 'none'; script-src 'nonce-[0-9a-f]{32}'; style-src/);
    assert.doesNotMatch(policy ?? '', /unsafe|http:|connect-src|frame-src/);
  });

  it('messages that are not valid are dropped, and the panel goes on', async () => {
    const { id } = await latestChat(workbench);
    const wrong = [null, 7, { type: 'nope' }, { type: 'send' }, { type: 'send', chatId: '../../etc', text: 'x' }];
    await panel.post([...wrong, { type: 'stop', chatId: id, more: 1 }, { type: 'renameChat', chatId: id, title: 'Got through' }]);
    await panel.frame.getByText('Got through').first().waitFor();
  });
});
