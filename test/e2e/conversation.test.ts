import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiChat, ApiPreview, ApiRequest } from '../../src/protocol/api/api.js';
import { chatFolder } from '../../src/storage/files/layout.js';
import {
  ChatPanel,
  latestChat,
  latestReply,
  openInspector,
  openLoupe,
  sharedWorkbench,
  uriArgument,
  waitFor,
  type Workbench,
} from '../support/workbench/index.js';
import { openSettings } from '../support/workbench/openSettings.js';
import { storageFolder } from '../support/workbench/storageFaults.js';

describe('a conversation in the panel', () => {
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
  });

  beforeEach(async () => {
    await panel.newChat();
  });

  it('tells a new user what it is, and explains the first reply once', async () => {
    await workbench.updateSettings({ 'loupe.introduction': true });
    await panel.newChat();
    await panel.button('Try it now').click();
    await panel.composer.press('Enter');
    const hint = panel.frame.getByRole('note', { name: 'Hint' });
    await hint.getByText(/^[\d,]+ tokens went in and [\d,]+ came out\. A paid model would cost \$[\d.]+; this one is free\.$/).waitFor();
    await hint.getByRole('button', { name: 'Next' }).press('Enter');
    await hint.getByText('Context used').waitFor();
    await workbench.page.keyboard.press('Tab');
    await workbench.page.keyboard.press('Enter');
    await hint.getByText('The request that Send would send now').waitFor();
    await hint.getByRole('button', { name: 'Done' }).click();
    await hint.waitFor({ state: 'detached' });
    await workbench.page.keyboard.type('Next');
    await waitFor('the text in the message box', async () => (await panel.composer.inputValue()) === 'Next' || undefined);
    await panel.composer.fill('');
    await panel.newChat();
    await panel.frame.getByRole('heading', { name: 'See everything that Loupe sends' }).waitFor();
    await workbench.updateSettings({ 'loupe.introduction': false });
  });

  it('goes from files and a message to a reply, with the same numbers in the panel, the API and the log', async () => {
    await workbench.runCommand('loupe.addFileToContext', uriArgument(workbench, 'src'));
    await panel.composer.fill('How large is this?');
    const announced = await waitFor('the next request', async () => {
      const text = await panel.region('Next request').innerText();
      const preview = (await workbench.api('previewNextRequest', (await latestChat(workbench)).id)) as ApiPreview;
      const tokens = preview.totalTokens.toLocaleString('en-US');
      return preview.body.includes('How large is this?') && text.includes(tokens) ? preview : undefined;
    });
    await panel.composer.press('Enter');
    await panel.articles('You').last().waitFor();
    await panel.idle();

    const chat = await latestChat(workbench);
    const message = chat.messages.find((each) => each.role === 'assistant');
    const usage = message?.usage;
    assert.ok(message !== undefined && usage !== undefined);
    const input = (usage.promptTokens ?? NaN) + (usage.cacheReadInputTokens ?? NaN) + (usage.cacheCreationInputTokens ?? NaN);
    assert.equal(input, announced.totalTokens, 'what was announced is what was billed');

    const request = (await workbench.api('getRequest', chat.id, message.id)) as ApiRequest;
    assert.equal(request.exact, true);
    assert.equal(request.body, announced.body, 'what was previewed is what was sent');
    assert.equal(request.totalTokens, input);

    const reply = panel.articles('Assistant').last();
    // A narrow panel shows the figure shorter, but has the whole one for screen readers.
    assert.ok((await reply.textContent())?.includes(`${input.toLocaleString('en-US')} in`) === true);
    await reply.getByRole('button', { name: 'Context used' }).click();
    const used = panel.region('Context used');
    await used.getByRole('group', { name: 'Rules (1)' }).waitFor();
    const files = used.getByRole('group', { name: `Files (${String(chat.files.length)})` });
    await files.getByRole('button', { name: 'src/gauge.ts [Manual]', exact: true }).waitFor();
    assert.ok((await used.innerText()).includes(input.toLocaleString('en-US')));

    const logged = logOf(workbench, chat).find((line) => line['type'] === 'attempt-ended');
    assert.deepEqual((logged!['usage'] as { promptTokens: unknown }).promptTokens, { value: usage.promptTokens, source: 'reported' });
  });

  it('shows the next request as JSON, as it is being typed', async () => {
    const { page } = workbench;
    const shown = async (): Promise<string> => (await page.locator('.editor-instance .view-lines').innerText()).replaceAll('\u00a0', ' ');
    // The inspector of another chat would match too.
    await workbench.runCommand('workbench.action.closeAllEditors');
    await panel.button('Show next request').click();
    await (await openInspector(page)).getByRole('button', { name: 'Show raw request' }).click();
    await waitFor('the next request in an editor', async () => (await shown()).includes('// Next request · ') || undefined);
    await panel.composer.focus();
    await page.keyboard.type('High tide');
    await waitFor('the typed text in the editor, and its size in the panel', async () => {
      const text = await shown();
      const [, size] = /Next request · ([\d,]+) tokens/.exec(text) ?? [];
      const isTold = size !== undefined && (await panel.region('Next request').innerText()).includes(size);
      return (isTold && text.includes('"max_tokens"') && text.includes('High tide')) || undefined;
    });
    assert.equal(await panel.composer.inputValue(), 'High tide', 'the message box kept the focus');
    await workbench.runCommand('workbench.action.closeAllEditors');
    await panel.composer.fill('');
  });

  it('stops a reply at once and keeps what had arrived', async () => {
    await panel.send('/slow');
    await panel.streaming();
    await panel.button('Stop').click();
    await panel.idle();
    const kept = await panel.articles('Assistant').last().getByRole('paragraph').first().innerText();
    assert.notEqual(kept.trim(), '');
    assert.equal((await latestReply(workbench)).stopped, true);
    await panel.frame.getByText('Stopped').first().waitFor();
  });

  it('notifies of a reply and a summary that ended while the panel was hidden, and leads to them', async () => {
    const { id: chatId } = await latestChat(workbench);
    for (const [call, said, shown] of [
      [() => workbench.api('sendMessage', '/long 900', { chatId }), 'has ended', 'Assistant'],
      [() => workbench.api('summarize', chatId), 'is in use: 2 messages', 'Summary'],
    ] as const) {
      await workbench.runCommand('workbench.action.closeAuxiliaryBar');
      await panel.gone();
      await call();
      const toast = workbench.page.locator('.notifications-toasts .notification-list-item', { hasText: said });
      await toast.getByRole('button', { name: 'Show' }).click();
      panel = new ChatPanel(await openLoupe(workbench.page));
      await panel.articles(shown).waitFor();
    }
  });

  it('shows a failure with its next action, and Retry takes it', async () => {
    await panel.sendAndWait('/error 401');
    await panel.frame.getByText('Failed, not part of the chat').waitFor();
    const attempts = (chat: ApiChat): number => logOf(workbench, chat).filter((line) => line['type'] === 'attempt-started').length;
    assert.equal(attempts(await latestChat(workbench)), 1);
    await panel.button('Retry').last().click();
    await waitFor('a second attempt', async () => attempts(await latestChat(workbench)) === 2 || undefined);
    await panel.idle();
    assert.equal(await panel.articles('You').count(), 1, 'the message is there once');
  });

  it('makes a failed request again, counting down, with the message there once, and stops waiting when told to', async () => {
    await panel.send('/error 429 wait 8 times 1');
    const wait = panel.frame.getByRole('group', { name: 'Waiting to try again' });
    await wait.getByText(/Trying again in [1-8] s · retry 1 of 4/).waitFor();
    await panel.idle();
    assert.equal(await wait.count(), 0);
    const roles = (await latestChat(workbench)).messages.map((message) => message.role);
    assert.deepEqual(roles, ['user', 'assistant']);
    const reply = panel.articles('Assistant').last();
    await reply.getByRole('button', { name: 'Context used' }).click();
    const failed = reply.getByRole('list', { name: '1 failed request' });
    // The inspector of another chat would match too.
    await workbench.runCommand('workbench.action.closeAllEditors');
    await failed.getByRole('button', { name: 'Show this request' }).click();
    const inspector = await openInspector(workbench.page);
    await inspector.getByRole('button', { name: 'Show raw request' }).click();
    const shown = workbench.page.locator('.editor-instance .view-lines').last();
    await shown.getByText('This is exactly what Loupe sent').waitFor();
    // The answer follows everything that was sent.
    await workbench.page.keyboard.press('Control+End');
    await shown.getByText('Response: failed').waitFor();
    await workbench.runCommand('workbench.action.closeAllEditors');
    await panel.send('/error 503 wait 100');
    await panel.button('Stop waiting').click();
    await panel.idle();
    await panel.frame.getByRole('group', { name: 'Reply stopped' }).last().waitFor();
  });

  it('edits a message, moves the later ones to a branch, and restores it', async () => {
    await panel.sendAndWait('First question');
    await panel.articles('You').last().hover();
    await panel.articles('You').last().getByRole('button', { name: 'Edit' }).click();
    await waitFor('the message in the composer', async () => (await panel.composer.inputValue()) === 'First question' || undefined);
    await panel.sendAndWait('Better question');
    assert.equal(await panel.articles('You').filter({ hasText: 'First question' }).count(), 0);
    await panel.frame.getByRole('button', { name: 'Restore' }).click();
    await panel.articles('You').filter({ hasText: 'First question' }).waitFor();
    const focused = (): Promise<string | undefined> => panel.frame.evaluate(() => document.activeElement?.tagName);
    await waitFor('the focus in the message box', async () => (await focused()) === 'VSCODE-TEXT-AREA' || undefined);
    assert.equal(await panel.articles('You').filter({ hasText: 'Better question' }).count(), 0);
  });

  it('is summarized up to a line that moves, with a text that is edited before and after, and sends all again when that is undone', async () => {
    await panel.sendAndWait('You must never change the tide tables.');
    await panel.sendAndWait('/long 300');
    await panel.sendAndWait('What is left?');
    const second = panel.articles('Assistant').nth(1);
    await second.hover();
    await second.getByRole('button', { name: 'More' }).click();
    await panel.frame.getByRole('menuitem', { name: 'Summarize up to here' }).click();
    const pane = panel.frame.getByRole('region', { name: 'Summarize the conversation' });
    await pane.getByText('4 of 6 messages').waitFor();
    await pane.getByRole('slider', { name: 'Up to here' }).press('ArrowDown');
    await pane.getByText('6 of 6 messages').waitFor();
    await pane.getByRole('button', { name: '2 earlier messages', expanded: false }).press('ArrowRight');
    await pane.getByRole('listitem').filter({ hasText: 'tide tables' }).waitFor();
    await pane.getByRole('button', { name: 'One turn less' }).click();
    await pane.getByText('4 of 6 messages').waitFor();
    await pane.getByRole('checkbox', { name: 'Ask each time' }).check();
    await pane.getByRole('button', { name: 'Write the summary' }).click();
    const text = pane.getByRole('textbox', { name: 'Summary' });
    await text.waitFor();
    const edited = `${await text.inputValue()}\nThe reader is Tom.`;
    await text.fill(edited);
    await pane.getByRole('button', { name: 'Change the range' }).click();
    await pane.getByRole('button', { name: 'Back to the text' }).click();
    await waitFor('the text', async () => (await text.inputValue()) === edited || undefined);
    await pane.getByRole('button', { name: 'Apply' }).click();
    const checkpoint = panel.articles('Summary');
    await checkpoint.getByText(/^4 messages \([\d,]+ tokens\) became \d+ tokens\./).waitFor();
    const { id } = await latestChat(workbench);
    const next = async (): Promise<string> => ((await workbench.api('previewNextRequest', id)) as ApiPreview).body;
    const summarized = await next();
    assert.match(
      summarized,
      /Previous Conversation Summary:.*You must never change the tide tables\..*The reader is Tom\..*What is left\?/s,
    );
    assert.ok(!summarized.includes('Practice text that says nothing'));
    await checkpoint.getByRole('button', { name: 'Edit' }).click();
    const editing = panel.frame.getByRole('region', { name: 'Edit the summary' });
    await editing.getByRole('textbox', { name: 'Summary' }).fill('The reader is Ada.');
    await editing.getByRole('button', { name: 'Apply' }).click();
    await editing.waitFor({ state: 'detached' });
    assert.match(await next(), /Previous Conversation Summary:.*The reader is Ada\./s);
    await checkpoint.getByRole('button', { name: 'Undo' }).click();
    await panel.frame.getByText(/Summary undone\. Requests contain the messages again: [\d,]+ tokens more\./).waitFor();
    const undone = await next();
    assert.ok(undone.includes('Practice text that says nothing') && !undone.includes('Previous Conversation Summary:'));
    await openSettings(panel.frame);
    await panel.frame.getByRole('button', { name: /^Summaries/, expanded: false }).click();
    const asking = panel.frame.getByRole('combobox', { name: 'Ask each time' });
    await waitFor('the setting', async () => (await asking.getAttribute('current-value')) === 'on' || undefined);
  });

  it('runs several chats at once without mixing them', async () => {
    await panel.send('/long 300');
    await panel.streaming();
    await panel.button('New chat').click();
    await panel.articles('You').first().waitFor({ state: 'detached' });
    await panel.sendAndWait('Second chat');
    await panel.button('Switch chat').click();
    await panel.frame
      .getByRole('button', { name: /\/long 300/ })
      .first()
      .click();
    await panel.articles('You').filter({ hasText: '/long 300' }).waitFor();
    await panel.idle();
    assert.equal(await panel.articles('You').count(), 1);
    const chats = (await workbench.api('listChats', { limit: 2 })) as { id: string; messageCount: number }[];
    const counts = chats.map((chat) => chat.messageCount);
    assert.deepEqual(counts, [2, 2]);
  });

  it('deletes a chat and takes that back', async () => {
    await panel.sendAndWait('Do not lose me');
    const { id } = await latestChat(workbench);
    await workbench.runCommand('loupe.deleteChat', id);
    await panel.articles('You').filter({ hasText: 'Do not lose me' }).waitFor({ state: 'detached' });
    // By key: the figures of the chat that is now visible can move the button during a click.
    await panel.button('Undo').press('Enter');
    await panel.articles('You').filter({ hasText: 'Do not lose me' }).waitFor();
  });
});

function logOf(workbench: Workbench, chat: ApiChat): Record<string, unknown>[] {
  const folder = chatFolder(storageFolder(workbench), chat.id);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
