import assert from 'node:assert/strict';
import {
  ChatPanel,
  extensionHosts,
  killExtensionHost,
  latestChat,
  openLoupe,
  sharedWorkbench,
  waitFor,
  type Workbench,
} from '../support/workbench/index.js';

describe('nothing is lost in the panel', () => {
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    ({ workbench } = await sharedWorkbench());
  });

  beforeEach(async () => {
    panel = new ChatPanel(await openLoupe(workbench.page));
    await panel.newChat();
  });

  it('when the webview is made anew in the middle of a reply: no text is lost or doubled', async () => {
    await panel.send('/long 400');
    await panel.streaming();
    await workbench.runCommand('workbench.action.webview.reloadWebviewAction');
    await panel.gone();
    panel = new ChatPanel(await openLoupe(workbench.page));
    await panel.articles('You').waitFor();
    await panel.idle();
    await expectShownAsSent(panel, await replyText(workbench));
  });

  it('when the view is hidden and shown again in the middle of a reply', async () => {
    await panel.send('/long 400');
    await panel.streaming();
    await workbench.runCommand('workbench.action.closeAuxiliaryBar');
    await panel.gone();
    await workbench.runCommand('loupe.chat.focus');
    panel = new ChatPanel(await openLoupe(workbench.page));
    await panel.articles('You').waitFor();
    await panel.idle();
    await expectShownAsSent(panel, await replyText(workbench));
  });

  it('when the window is closed with a draft in the composer', async () => {
    await panel.composer.fill('half a thought');
    await waitFor('the draft at the host', async () => {
      const { id } = await latestChat(workbench);
      const preview = (await workbench.api('previewNextRequest', id)) as { body: string };
      return preview.body.includes('half a thought') || undefined;
    });
    panel = new ChatPanel(await openLoupe(await workbench.restartPage()));
    await waitFor('the draft', async () => (await panel.composer.inputValue()) === 'half a thought' || undefined);
  });

  it('when the extension host is killed in the middle of a reply: the partial text is there, with Retry', async () => {
    await panel.send('/slow');
    await panel.streaming();
    const first = panel.articles('Assistant').last().getByRole('paragraph').first();
    // While the stars of its bold words are half there, the text is not what it becomes.
    const before = await waitFor('the first words', async () => /^I'm the practice model/.exec(await first.innerText())?.[0]);
    // What has been on show for longer than the interval of writing is on the disk.
    await waitFor('more of the reply', async () => ((await first.innerText()).length > before.length + 40 ? true : undefined));
    const killed = await killExtensionHost(workbench);
    await waitFor('a new extension host', () => extensionHosts(workbench.server).find((pid) => !killed.includes(pid)));
    await panel.gone();
    panel = new ChatPanel(await openLoupe(workbench.page));
    await panel.articles('You').filter({ hasText: '/slow' }).waitFor();
    await panel.frame
      .getByText(/^Interrupted/)
      .first()
      .waitFor();
    await panel.articles('Assistant').last().getByText(before).first().waitFor();

    await panel.button('Retry').last().click();
    await panel.streaming();
    await panel.button('Stop').click();
    await panel.idle();
    assert.equal(await panel.articles('You').count(), 1);
  });
});

async function replyText(workbench: Workbench): Promise<string> {
  const chat = await latestChat(workbench);
  const reply = chat.messages.find((message) => message.role === 'assistant');
  assert.ok(reply !== undefined);
  return reply.text;
}

/** The words on show are the words of the reply, in order, each once. */
async function expectShownAsSent(panel: ChatPanel, text: string): Promise<void> {
  const shown = await panel.articles('Assistant').last().innerText();
  const words = (of: string): string[] => of.match(/\p{L}+/gu) ?? [];
  const sent = words(text).join(' ');
  assert.ok(sent.length > 1_000);
  assert.ok(words(shown).join(' ').includes(sent), 'the reply on show is the reply that was sent');
}
