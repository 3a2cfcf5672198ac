import assert from 'node:assert/strict';
import type { MentionRow, Mentions } from '../../src/protocol/panel/toWebview.js';
import { usePreview } from '../support/workbench/previewPage.js';
import { waitFor } from '../support/workbench/wait.js';

const command = (name: string, problem: string | null): MentionRow => ({
  ...{ key: name, kind: 'command', name, about: 'What it does', matches: [], isIn: false, tokens: null, problem },
});

const answer = (text: string, rows: readonly MentionRow[], notes: readonly string[]): Mentions => ({
  ...{ type: 'mentions', mark: '/', text, rows, notes },
});

describe('the list after @ in the message box', () => {
  const preview = usePreview();

  for (const [height, least, hasKeys] of [
    [490, 5, false],
    [500, 3, false],
    [800, 5, true],
  ] as const) {
    it(`shows at least ${String(least)} matches in a panel ${String(height)} px high${hasKeys ? ', and its keys' : ''}`, async () => {
      await preview.show('Mentions', 'Dark Modern', 425, height);
      const list = preview.page.locator('.mentions');
      await list.getByRole('option').first().waitFor();
      const { bottom, ends } = await list.evaluate((each) => {
        const keys = each.querySelector('.mention-keys');
        const room = keys?.checkVisibility() === true ? keys : each;
        const { top, bottom: end } = room.getBoundingClientRect();
        const rows = [...each.querySelectorAll('[role="option"]')].map((row) => row.getBoundingClientRect().bottom);
        return { bottom: room === each ? end : top, ends: rows };
      });
      assert.ok(ends.filter((end) => end <= bottom).length >= least, JSON.stringify({ bottom, ends }));
      const keys = await list.locator('.mention-keys').boundingBox();
      const box = await list.boundingBox();
      assert.equal(keys !== null, hasKeys);
      assert.ok(box !== null && (keys === null || keys.y + keys.height <= box.y + box.height), 'the keys are cut');
    });
  }
});

describe('the list after / in the message box', () => {
  const preview = usePreview();
  const rows = [command('new', null), command('model', null), command('clear', 'This chat has no messages yet.')];
  const option = (name: string) => preview.page.getByRole('option', { name });
  const message = () => preview.page.getByRole('textbox', { name: 'Message' });

  beforeEach(async () => {
    await preview.show('Commands', 'Dark Modern', 400, 800);
    await message().click();
    await preview.tell(answer('', rows, []));
    await option('clear').waitFor();
  });

  it('runs the command at which the user aimed, also when later rows move it before the press', async () => {
    const { x, y, width, height } = (await option('model').boundingBox()) ?? assert.fail('The row is not in sight.');
    const [middle, first] = [
      [x + width / 2, y + height / 2],
      [x + width / 2, y - height / 2],
    ] as const;
    await preview.page.mouse.move(...first);
    await preview.page.mouse.move(...middle);
    await preview.tell(answer('', [command('summarize', null), ...rows], ['Asking tides for its prompts…']));
    await preview.page.locator('.mention-note').waitFor();
    const moved = await option('model').boundingBox();
    assert.ok(moved !== null && (middle[1] < moved.y || middle[1] > moved.y + moved.height), 'the row is elsewhere by now');
    await preview.page.mouse.down();
    await preview.page.mouse.up();
    const [posted] = await preview.posted(1, 'chatCommand');
    assert.deepEqual(posted, { type: 'chatCommand', chatId: 'chat', command: 'model', text: '' });
    assert.equal(await message().inputValue(), '');
  });

  it('stays open, with the focus in the message box, after a press beside the rows or on a command that cannot run', async () => {
    await preview.page.locator('.mention-heading').click();
    await option('clear').click({ force: true });
    await preview.press('ArrowDown', 'Enter');
    assert.equal((await preview.posted(1, 'chatCommand')).length, 1, 'only the key has run a command');
    assert.deepEqual((await preview.posted(1, 'chatCommand'))[0], { type: 'chatCommand', chatId: 'chat', command: 'model', text: '' });
  });

  it('passes on the text after a command, and keeps other text', async () => {
    await message().fill('/model son net');
    await preview.tell(answer('model son net', [command('model', null)], []));
    await preview.press('Enter');
    const [posted] = await preview.posted(1, 'chatCommand');
    assert.deepEqual(posted, { type: 'chatCommand', chatId: 'chat', command: 'model', text: 'son net' });
    await message().fill('Look at this.\n/mod');
    await preview.tell(answer('mod', [command('model', null)], []));
    await preview.press('Enter');
    await preview.posted(2, 'chatCommand');
    assert.equal(await message().inputValue(), 'Look at this.\n');
  });

  describe('with Send', () => {
    const send = () => preview.page.getByRole('button', { name: 'Send', exact: true });
    const texts = async (count: number): Promise<readonly string[]> =>
      (await preview.posted(count, 'send', 'chatCommand')).map((message) =>
        message.type === 'chatCommand' ? `ran ${message.command}` : message.type === 'send' ? message.text : '',
      );

    it('runs a command as Enter does, and sends a text that only begins like one', async () => {
      await message().fill('/usage');
      await send().click();
      await texts(1);
      await waitFor('the empty box', async () => (await message().inputValue()) === '' || undefined);
      await message().fill('/usage today');
      await send().click();
      assert.deepEqual(await texts(2), ['ran usage', '/usage today']);
    });

    it('runs the row that the list shows for a part of the name', async () => {
      await message().fill('/us');
      await option('usage').waitFor();
      await send().click();
      assert.deepEqual(await texts(1), ['ran usage']);
    });

    it('runs a command also after the focus was elsewhere, with a request that cannot be sent', async () => {
      await preview.change((state) => ({
        ...state,
        nextRequest: state.nextRequest === null ? null : { ...state.nextRequest, problem: 'The request is too long.' },
      }));
      await message().fill('/clear');
      await preview.page.getByRole('button', { name: 'Add', exact: true }).focus();
      await option('clear').waitFor({ state: 'detached' });
      await send().click();
      assert.deepEqual(await texts(1), ['ran clear']);
    });

    it('says why a command cannot run, and sends nothing', async () => {
      await message().fill('/export');
      await send().click();
      await preview.page.getByRole('status', { name: 'Status' }).filter({ hasText: 'This chat has no messages yet.' }).waitFor();
      assert.equal(await message().inputValue(), '/export');
      await message().fill('Hello');
      await send().click();
      assert.deepEqual(await texts(1), ['Hello']);
    });

    it('closes when the host empties the message box', async () => {
      await message().fill('/xyz');
      await preview.tell(answer('xyz', [], ['The server "docs" does not run.']));
      await preview.page.locator('.mention-note').waitFor();
      await message().press('Enter');
      assert.deepEqual(await texts(1), ['/xyz']);
      await preview.change((state) => ({ ...state, draft: { ...state.draft, text: '', revision: state.draft.revision + 1 } }));
      await preview.page.locator('.mention-note').waitFor({ state: 'detached' });
    });
  });
});
