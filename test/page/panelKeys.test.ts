import assert from 'node:assert/strict';
import { MANAGED_TYPES } from '../../src/protocol/panel/manager.js';
import type { PanelState } from '../../src/protocol/panel/state.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';
import { waitFor } from '../support/workbench/wait.js';
import { LISTED_CHAT } from '../support/listedChat.js';
import { openSettings } from '../support/workbench/openSettings.js';

/* The keys of the panel in a browser without VS Code. The preview provides the states, and no host answers. */

describe('the keys of the panel', () => {
  const preview = usePreview();
  const show = (state: string): Promise<void> => preview.show(state, DARK, 420, 700);
  const change = (to: (state: PanelState) => PanelState): Promise<void> => preview.change(to);

  const focused = (): Promise<string> =>
    preview.page.evaluate(() => {
      const element = document.activeElement;
      return (
        element?.getAttribute('aria-label') ??
        element?.getAttribute('data-key') ??
        element?.getAttribute('data-chat') ??
        element?.localName ??
        ''
      );
    });

  async function focusIs(name: string): Promise<void> {
    await waitFor(`the focus on ${name}, not on ${await focused()}`, async () => (await focused()) === name || undefined);
  }

  const composer = () => preview.page.getByRole('textbox', { name: 'Message', exact: true });

  async function textIs(text: string): Promise<void> {
    await waitFor(`the text ${text}`, async () => (await composer().inputValue()) === text || undefined);
  }

  it('a message that was searched for has the focus, whatever pane was open over it', async () => {
    await show('First chat');
    await openSettings(preview.page);
    const settings = preview.page.getByRole('region', { name: 'Chat settings' });
    await settings.waitFor();
    const message = preview.page.getByRole('article', { name: 'You' }).first();
    const entryId = await message.evaluate((article) => article.closest<HTMLElement>('loupe-entry')?.dataset['entry'] ?? '');
    await preview.tell({ type: 'reveal', entryId, text: null });
    await waitFor('the focus on the message', async () => (await message.evaluate((a) => a === document.activeElement)) || undefined);
    assert.equal(await settings.count(), 0);
  });

  it('a request that waits for the user is answered from the message box on', async () => {
    await show('A dear request');
    await composer().focus();
    await preview.press('Shift+Tab');
    assert.equal(await preview.page.evaluate(() => document.activeElement?.textContent.trim()), 'Do not send');
    await preview.press('Enter');
    await focusIs('Message');
    await preview.press('Escape');
    await preview.page
      .getByRole('group', { name: 'This request costs ≈ $0.62 with reply. Send the request?' })
      .getByRole('button', { name: 'Send', exact: true })
      .click();
    const answers = await preview.posted(3, 'answerSpend');
    assert.deepEqual(
      answers.map((answer) => answer.type === 'answerSpend' && [answer.questionId, answer.isAllowed]),
      [
        ['q1', false],
        ['q1', false],
        ['q1', true],
      ],
    );
  });

  it('Escape stops a reply from anywhere, and closes what is open before that', async () => {
    await show('Streaming');
    await preview.page.getByRole('button', { name: 'Switch chat' }).click();
    await preview.press('Escape');
    await preview.page.getByRole('region', { name: 'Chat list' }).waitFor({ state: 'detached' });
    assert.deepEqual(await preview.posted(0, 'stop'), []);
    await change((state) => ({ ...state, draft: { ...state.draft, editing: 'u1', revision: 9 } }));
    await preview.page.getByText('Editing.').waitFor();
    await preview.page.locator('article').last().focus();
    await preview.press('Escape');
    assert.deepEqual(
      (await preview.posted(1, 'stop', 'cancelEdit')).map(({ type }) => type),
      ['cancelEdit'],
    );
    await change((state) => ({ ...state, draft: { ...state.draft, editing: null, revision: 10 } }));
    await preview.page.getByText('Editing.').waitFor({ state: 'detached' });
    await preview.page.locator('article').last().focus();
    await preview.press('Escape');
    assert.equal((await preview.posted(1, 'stop')).length, 1);
  });

  it('The message box has the focus after a button that goes with its click', async () => {
    await show('Stopped');
    await preview.page.getByRole('button', { name: 'Retry' }).last().focus();
    await preview.press('Enter');
    await focusIs('Message');
    assert.equal((await preview.posted(1, 'retry')).length, 1);
    await show('Streaming');
    await preview.page.getByRole('button', { name: 'Stop', exact: true }).click();
    await focusIs('Message');
    await show('Queued message');
    await preview.page.getByRole('button', { name: 'Switch chat' }).focus();
    await change((state) => ({ ...state, chats: [] }));
    await preview.page.getByRole('button', { name: 'Send now' }).click();
    await focusIs('Message');
  });

  it('Enter sends while a reply streams, with Stop beside it', async () => {
    await show('Streaming');
    await composer().fill('And then?');
    await preview.page.getByRole('button', { name: 'Send after this reply' }).waitFor();
    await preview.page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    await composer().press('Enter');
    const texts = (await preview.posted(1, 'send')).map((message) => (message.type === 'send' ? message.text : ''));
    assert.deepEqual(texts, ['And then?']);
  });

  it('arrows bring earlier prompts back, and what was being written at the end', async () => {
    await show('First chat');
    const asked = await preview.page.evaluate(() =>
      (globalThis as unknown as { given: PanelState }).given.entries.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : [])),
    );
    await composer().fill('half a thought');
    await composer().press('ArrowUp');
    await composer().press('Home');
    await composer().press('ArrowUp');
    await textIs(asked.at(-1) ?? '');
    await composer().press('ArrowDown');
    await textIs('half a thought');
    await composer().press('ArrowDown');
    await composer().pressSequentially(', goes on');
    await textIs('half a thought, goes on');
  });

  it('chips are one tab stop; arrows move, Enter opens, Delete removes and leaves the focus to the neighbour', async () => {
    await show('First chat');
    const keys = ['file:a.ts', 'file:b.ts', 'file:c.ts', 'file:d.ts'];
    await change((state) => ({
      ...state,
      context: keys.map((key) => ({ key, name: key.slice(5), files: null, tokens: 5, warning: null })),
    }));
    await preview.page.getByRole('button', { name: /^Items of this chat/ }).focus();
    await preview.press('Enter');
    await preview.page.locator('.chip-open').nth(3).waitFor();
    assert.equal(await preview.page.locator('.chips button:not([tabindex="-1"])').count(), 1);
    await preview.page.locator('.chip-open').first().focus();
    await preview.press('ArrowRight');
    await focusIs(keys[1] ?? '');
    assert.equal(await preview.page.locator('.chips button:not([tabindex="-1"])').getAttribute('data-key'), keys[1]);
    await preview.press('Enter', 'End');
    await focusIs(keys.at(-1) ?? '');
    await preview.press('Backspace');
    await focusIs(keys.at(-2) ?? '');
    await preview.press('Home', 'Delete');
    await focusIs(keys[1] ?? '');
    const named = (await preview.posted(3, 'openContextItem', 'removeContext')).map((message) => ('key' in message ? message.key : ''));
    assert.deepEqual(named, [keys[1], keys.at(-1), keys[0]]);
    await change((state) => ({ ...state, context: state.context.filter(({ key }) => key === keys[1]) }));
    await preview.page.locator('.chip-open').nth(1).waitFor({ state: 'detached' });
    await preview.press('Delete');
    await focusIs('Message');
  });

  it('arrows go from message to message, and leave the controls inside alone', async () => {
    await show('First chat');
    const articles = preview.page.locator('article');
    const count = await articles.count();
    assert.deepEqual(await articles.evaluateAll((all) => all.map(({ tabIndex }) => tabIndex)), [
      ...Array.from({ length: count - 1 }, () => -1),
      0,
    ]);
    await articles.last().focus();
    await preview.press('Home');
    assert.equal(await articles.first().evaluate((article) => article === document.activeElement), true);
    await preview.press('ArrowUp', 'ArrowDown');
    assert.equal(await articles.nth(1).evaluate((article) => article === document.activeElement), true);
    const copy = articles.nth(1).getByRole('button', { name: 'Copy', exact: true }).last();
    await copy.focus();
    await preview.press('ArrowUp');
    assert.equal(await copy.evaluate((button) => button === document.activeElement), true);
  });

  it('the menu of a message opens with its first item; arrows move, Enter chooses, Escape closes the menu alone', async () => {
    await show('Summarizing');
    const more = preview.page.getByRole('article', { name: 'Assistant' }).getByRole('button', { name: 'More' });
    const item = (name: string) => preview.page.getByRole('menuitem', { name, exact: true });
    const isFocused = (name: string): Promise<boolean> => item(name).evaluate((element) => element === document.activeElement);
    await more.focus();
    await preview.press('Enter');
    await waitFor('the focus on the first item', async () => (await isFocused('Pin')) || undefined);
    await preview.press('ArrowDown');
    assert.equal(await isFocused('Summarize up to here'), true);
    await preview.press('Escape');
    await focusIs('More');
    assert.equal(await preview.page.getByRole('menu').count(), 0);
    await more.click();
    await item('Pin').waitFor();
    await composer().click();
    await preview.page.getByRole('menu').waitFor({ state: 'detached' });
    await more.click();
    await item('Summarize up to here').click();
    assert.deepEqual(await preview.posted(1, 'planSummary'), [{ type: 'planSummary', chatId: 'chat', upTo: 'a1' }]);
  });

  it('Cancel ends a summary, and leaves the focus in the conversation; that it was cancelled is said, and dismissed', async () => {
    await show('Summarizing');
    await preview.page.getByRole('button', { name: 'Cancel' }).click();
    await preview.posted(1, 'cancelSummary');
    await change((state) => ({ ...state, compaction: { kind: 'cancelled' } }));
    await preview.page
      .getByRole('status', { name: 'Status' })
      .getByText('Cancelled. The conversation is unchanged.')
      .waitFor({ state: 'attached' });
    assert.equal(await preview.page.evaluate(() => document.activeElement?.className), 'scroller');
    await preview.page.getByRole('group', { name: 'Summary cancelled' }).getByRole('button', { name: 'Dismiss' }).click();
    await preview.posted(1, 'dismissSummary');
  });

  it('the card of the meter closes at Escape and when the focus leaves it, and asks for what it says', async () => {
    await show('What a summary would free');
    const label = '72% full: 71,204 of 99,488 tokens in the context window. Show the parts';
    const free = preview.page.getByRole('button', { name: label });
    const card = preview.page.getByRole('group', { name: 'Context window in tokens' });
    await card.waitFor();
    await preview.press('Tab', 'Escape');
    await card.waitFor({ state: 'detached' });
    await focusIs(label);
    await preview.press('Enter');
    await card.waitFor();
    await composer().click();
    await card.waitFor({ state: 'detached' });
    await free.click();
    await card.getByText('Summarizing turns').click();
    await card.getByRole('button', { name: 'Summarize…' }).click();
    assert.deepEqual(await preview.posted(1, 'planSummary'), [{ type: 'planSummary', chatId: 'chat', upTo: null }]);
    await card.waitFor({ state: 'detached' });
    await free.click();
    await card.getByRole('button', { name: 'Chat settings' }).click();
    await preview.page.getByRole('region', { name: 'Chat settings' }).waitFor();
    assert.equal(await card.count(), 0);
  });

  it('the line of a summary is dragged to the end of an exchange, and back to where it was', async () => {
    await show('Before a summary is written');
    const line = preview.page.getByRole('slider', { name: 'Up to here' });
    const drag = async (to: string): Promise<void> => {
      const [from, row] = [await line.boundingBox(), await preview.page.getByRole('listitem').filter({ hasText: to }).boundingBox()];
      assert.ok(from !== null && row !== null);
      await preview.page.mouse.move(from.x + 8, from.y + from.height / 2);
      await preview.page.mouse.down();
      await preview.page.mouse.move(row.x + 20, row.y + row.height, { steps: 4 });
    };
    await drag('Never change the ranks.');
    await preview.page.mouse.move(20, 20);
    await preview.page.mouse.up();
    assert.deepEqual(await preview.posted(1, 'planSummary'), [{ type: 'planSummary', chatId: 'chat', upTo: 'm2' }]);
    await drag('read_file, read_file');
    await preview.page.mouse.up();
    await drag('The merge loop scanned every part.');
    await preview.page.mouse.up();
    assert.deepEqual((await preview.posted(2, 'planSummary')).at(-1), { type: 'planSummary', chatId: 'chat', upTo: 'm6' });
  });

  it('Restore brings a lost fact back, and leaves the focus on the summary', async () => {
    await show('Checkpoint');
    await preview.page.getByRole('button', { name: 'Restore src/old/merge.ts' }).click();
    const [posted] = await preview.posted(1, 'bringBackFact');
    assert.deepEqual(posted, { type: 'bringBackFact', chatId: 'chat', summaryId: 's1', fact: 'src/old/merge.ts' });
    await focusIs('Summary');
  });

  it('chats are one tab stop; F2 renames, Delete deletes, and the focus stays in the list', async () => {
    await show('First chat');
    await preview.page.getByRole('button', { name: 'Switch chat' }).click();
    const rows = preview.page.locator('.chat-open');
    const ids = ['a', 'b', 'c'];
    const chat = { ...LISTED_CHAT, messageCount: 2, updatedAt: Date.now() };
    await change((state) => ({ ...state, chats: ids.map((id) => ({ ...chat, id, title: `Chat ${id}` })) }));
    await rows.nth(2).waitFor();
    assert.equal(await preview.page.locator('loupe-chat-list li button:not([tabindex="-1"])').count(), 1);
    await preview.press('ArrowDown', 'ArrowDown');
    await focusIs(ids[1] ?? '');
    await preview.press('F2');
    const title = preview.page.getByRole('textbox', { name: 'Title' });
    await title.fill('Renamed');
    await title.press('Enter');
    await focusIs(ids[1] ?? '');
    await preview.press('Delete');
    await focusIs(ids[2] ?? '');
    await preview.press('Home', 'ArrowUp');
    await focusIs('Search chats');
    await preview.press('ArrowDown', 'Enter');
    assert.deepEqual(await preview.posted(3, 'renameChat', 'deleteChat', 'openChat'), [
      { type: 'renameChat', chatId: ids[1], title: 'Renamed' },
      { type: 'deleteChat', chatId: ids[1] },
      { type: 'openChat', chatId: ids[0] },
    ]);
  });

  it('find in the chat goes from match to match, and leaves the focus at the message it found', async () => {
    await show('First chat');
    await preview.tell({ type: 'find' });
    const bar = preview.page.getByRole('search', { name: 'Find in chat' });
    const field = bar.getByRole('textbox', { name: 'Find in chat' });
    await field.fill('CONSTITUENT');
    const place = bar.locator('.figures');
    await field.fill('Practice model');
    await waitFor('no match in the line of the model', async () => (await place.innerText()) === 'No match' || undefined);
    await field.fill('CONSTITUENT');
    await waitFor('the first match', async () => /^1 of [2-9]$/.test(await place.innerText()) || undefined);
    const marked = (): Promise<string> =>
      preview.page.evaluate(() => [...(CSS.highlights.get('loupe-find-current') ?? [])].map(String).join());
    assert.match(await marked(), /^constituent$/i);
    await field.press('Enter');
    await waitFor('the second match', async () => (await place.innerText()).startsWith('2 of') || undefined);
    await field.press('Shift+Enter');
    await field.press('Shift+Enter');
    await waitFor('the last match', async () => /^([2-9]) of \1$/.test(await place.innerText()) || undefined);
    await preview.page
      .getByRole('status', { name: 'Status' })
      .getByText(/^([2-9]) of \1$/)
      .waitFor({ state: 'attached' });
    await preview.press('Escape');
    await bar.waitFor({ state: 'detached' });
    await focusIs('Assistant');
    assert.equal(await preview.page.evaluate(() => CSS.highlights.size), 0);
    assert.deepEqual(await preview.posted(0, 'stop', 'webviewError'), []);
  });

  it('goes through the context of the chat with the arrows: Space adds and removes, Enter opens, and a file that goes gives the focus on', async () => {
    await show('Context of the chat');
    const boxes = ['AGENTS.md [Always]', 'Error handling [Always]', 'Commit messages [Manual]'] as const;
    await preview.page.getByRole('checkbox', { name: boxes[0] }).focus();
    await preview.press('ArrowDown');
    await focusIs(boxes[1]);
    await preview.press('Space', 'ArrowDown');
    await focusIs(boxes[2]);
    await preview.press('Space', 'Enter');
    await preview.page.getByRole('checkbox', { name: /^docs\/stations\.md/ }).focus();
    await focusIs('docs/stations.md');
    await preview.press('ArrowUp', 'Space');
    await focusIs('docs/stations.md');
    const asked = await preview.posted(4, 'removeItems', 'addCatalogItems', 'openContextItem');
    assert.deepEqual(
      asked.map((message) => [message.type, 'keys' in message ? message.keys[0] : 'key' in message ? message.key : '']),
      [
        ['removeItems', 'rule:Error handling'],
        ['addCatalogItems', 'rule:Commit messages'],
        ['openContextItem', 'rule:Commit messages'],
        ['removeItems', 'file:src/predict.ts'],
      ],
    );
    // The host did not react, so nothing changed.
    assert.equal(await preview.page.getByRole('checkbox', { name: boxes[1] }).isChecked(), true);
  });

  it('cannot add what is switched off, though its box can be reached', async () => {
    await show('Context of the chat');
    const off = preview.page.getByRole('checkbox', { name: '.loupe/rules/units.md [Manual]' });
    assert.equal(await off.getAttribute('aria-disabled'), 'true');
    await off.focus();
    await preview.press('Space');
    assert.deepEqual(await preview.posted(0, 'addCatalogItems'), []);
  });

  it('asks the host for the rows of the context that are on show, and for none when the pane is closed', async () => {
    await show('Context of the chat');
    await preview.page.getByRole('textbox', { name: 'Search rules, skills, tools' }).fill('tides');
    await preview.page.getByRole('textbox', { name: 'Search rules, skills, tools' }).fill('');
    await preview.page.getByRole('button', { name: 'Skills 0 of 0' }).click();
    await preview.press('Escape');
    const shown = await waitFor('the closed pane', async () => {
      const rows = (await preview.posted(0, 'showRows')).flatMap((message) => (message.type === 'showRows' ? [message.manager] : []));
      return rows.length >= 5 && rows.at(-1) === null ? rows : undefined;
    });
    const all = MANAGED_TYPES;
    const rest = { servers: [], proof: null, rows: {} };
    assert.deepEqual(shown.slice(-5), [
      { search: '', open: all, ...rest },
      { search: 'tides', open: all, ...rest },
      { search: '', open: all, ...rest },
      { search: '', open: all.filter((type) => type !== 'skill'), ...rest },
      null,
    ]);
  });
});
