import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { EntryView } from '../../src/protocol/panel/entries.js';
import type { PanelState } from '../../src/protocol/panel/state.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';
import { waitFor } from '../support/workbench/wait.js';

describe('the layout of the panel', () => {
  const preview = usePreview();
  const show = (state: string, width: number, height: number): Promise<void> => preview.show(state, DARK, width, height);
  const isCut = (part: Locator): Promise<boolean> => part.evaluate((element) => element.scrollWidth > element.clientWidth);

  for (const width of [260, 300, 420]) {
    it(`cuts the folders of a path, never the name of the file, at ${String(width)} px`, async () => {
      await show('Deep folders', width, 800);
      const links = preview.page.locator('.file-link');
      assert.equal(await links.count(), 6, 'three files in Context used and in Next request, each once');
      for (const link of await links.all()) {
        assert.equal(await isCut(link.locator('.file-name')), false, await link.innerText());
        assert.equal(await isCut(link), false);
        assert.equal(await isCut(link.locator('.file-folders')), true);
      }
    });
  }

  it('has the texts of the conversation and of the message box in the size of the setting', async () => {
    await show('First chat', 420, 700);
    const texts = [
      preview.page.locator('.user-text').first(),
      preview.page.locator('.markdown p').first(),
      preview.page.getByRole('textbox', { name: 'Message' }),
    ];
    const sizes = (): Promise<readonly string[]> =>
      Promise.all(
        texts.map((text) => text.evaluate((element) => `${getComputedStyle(element).fontSize} ${getComputedStyle(element).lineHeight}`)),
      );
    assert.deepEqual(new Set(await sizes()), new Set(['13px 20px']));
    await preview.change((state) => ({ ...state, fontSize: 18 }));
    await waitFor('the larger texts', async () => (await sizes()).every((size) => size === '18px 27px') || undefined);
    await preview.change((state) => ({ ...state, fontSize: null }));
    await waitFor('the size of VS Code', async () => (await sizes()).every((size) => size === '13px 20px') || undefined);
  });

  it('keeps the message box in sight below what @ names, in a low panel, too, and scrolls to what is chosen', async () => {
    await show('First chat', 260, 400);
    const box = preview.page.getByRole('textbox', { name: 'Message' });
    await box.click();
    await preview.page.keyboard.type('@a');
    const rows = Array.from({ length: 8 }, (_, at) => ({
      ...{
        key: `file:a${String(at)}.ts`,
        kind: 'file' as const,
        name: `a${String(at)}.ts`,
        about: 'src/engine',
        matches: [0],
        isIn: false,
        tokens: null,
        problem: null,
      },
    }));
    await preview.tell({ type: 'mentions', mark: '@', text: 'a', rows, notes: [] });
    await preview.page.getByRole('option').first().waitFor();
    for (const name of ['a1.ts', 'a2.ts', 'a3.ts', 'a4.ts', 'a5.ts', 'a6.ts', 'a7.ts']) {
      await preview.press('ArrowDown');
      await preview.page.getByRole('option', { name, selected: true }).waitFor();
    }
    const popup = (await preview.page.locator('.mentions').boundingBox()) ?? assert.fail('The popup is not in sight.');
    const chosen = (await preview.page.getByRole('option', { name: 'a7.ts' }).boundingBox()) ?? assert.fail('The row is not in sight.');
    const send =
      (await preview.page.getByRole('button', { name: 'Send', exact: true }).boundingBox()) ?? assert.fail('Send is not in sight.');
    assert.ok(chosen.y >= popup.y && chosen.y + chosen.height <= popup.y + popup.height, 'the chosen row is in the popup');
    assert.ok(send.y + send.height <= 400, `Send ends at ${String(send.y + send.height)}`);
    await preview.press('Enter');
    assert.equal(await box.inputValue(), '@a7.ts ');
  });

  for (const width of [260, 300, 340, 420]) {
    it(`lets figures leave as a whole, and keeps the actions of a reply in sight, at ${String(width)} px`, async () => {
      await show('Editing', width, 800);
      for (const figures of await preview.page.locator('.next-request-total, .accounting .figures').all()) {
        assert.equal(await isCut(figures), false, await figures.innerText());
      }
      const usage = preview.page.locator('.usage');
      const parts = await usage.evaluate((line) => {
        const box = line.getBoundingClientRect();
        const boxes = [...line.children].map((child) => child.getBoundingClientRect());
        return { height: box.height, inLine: boxes.filter(({ top }) => top < box.bottom), right: box.right };
      });
      assert.equal(parts.height, 16);
      const areInLine = parts.inLine.length >= 2 && parts.inLine.every(({ right }) => right <= parts.right);
      assert.ok(areInLine, `${String(parts.inLine.length)} figures`);
      for (const name of ['Show this request', ...(width < 340 ? [] : ['Copy', 'Retry']), 'More']) {
        const button = preview.page.locator('.reply-line').getByRole('button', { name });
        const { x = width, width: size = 0 } = (await button.boundingBox()) ?? {};
        assert.ok(x + size <= width, `${name} is in sight`);
        assert.equal(await button.evaluate((element) => getComputedStyle(element).opacity), '1');
      }
    });
  }

  it('shows only the price of an older reply, until the pointer or the focus is there', async () => {
    await show('First chat', 420, 900);
    await preview.change((state) => ({
      ...state,
      entries: state.entries.flatMap<EntryView>((entry) => (entry.kind === 'assistant' ? [entry, { ...entry, id: 'newest' }] : [entry])),
    }));
    await preview.page.locator('[data-entry="newest"] article').waitFor();
    const replies = preview.page.getByRole('article', { name: 'Assistant' });
    const opacityOf = (at: number, part: string): Promise<string> =>
      replies
        .nth(at)
        .locator(part)
        .first()
        .evaluate((element) => getComputedStyle(element).opacity);
    const partsOf = (at: number): Promise<string[]> =>
      Promise.all(['.charge', '.usage > span:not(.charge, .sr-only)', '.actions > .icon-button'].map((part) => opacityOf(at, part)));
    assert.deepEqual(
      [await partsOf(0), await partsOf(-1)],
      [
        ['1', '0', '0'],
        ['1', '1', '1'],
      ],
    );
    await replies.first().hover();
    await waitFor('its figures', async () => (await partsOf(0)).every((opacity) => opacity === '1') || undefined);
    await replies.last().hover();
    assert.deepEqual(await partsOf(0), ['1', '0', '0']);
    await replies.first().getByRole('button', { name: 'Show this request' }).focus();
    assert.deepEqual(await partsOf(0), ['1', '1', '1']);
  });

  for (const width of [260, 300, 420]) {
    it(`has the price of the next request and of a reply in sight, also of one that nobody bills, at ${String(width)} px`, async () => {
      await show('Editing', width, 800);
      await preview.change((state) => ({
        ...state,
        nextRequest: state.nextRequest && {
          ...state.nextRequest,
          ...{ totalTokens: 12_142, inputCost: 0.0455, basis: 'estimate', isPretended: true },
          reply: { low: 0.0012, median: 0.0019, high: 0.0071, replies: 8 },
        },
        entries: state.entries.map((entry) =>
          entry.kind === 'assistant' && entry.usage !== null
            ? { ...entry, usage: { ...entry.usage, cachedTokens: 1_121, writtenTokens: 482, cost: 0.0078, isPretended: true } }
            : entry,
        ),
      }));
      await preview.page.locator('.usage', { hasText: '482 written' }).waitFor();
      for (const [line = '', ...figures] of [
        ['.next-request-total', '12,142', '$'],
        ['.usage', ...(width < 280 ? [] : ['1,121 cached']), '$0.0078'],
      ]) {
        const { bottom, right } = await preview.page.locator(line).evaluate((element) => element.getBoundingClientRect());
        for (const figure of figures) {
          const shown = await preview.page
            .locator(`${line} > span`, { hasText: figure })
            .evaluate((element) => element.getBoundingClientRect());
          assert.ok(shown.top < bottom && shown.right <= right + 0.5, `${figure} is in sight`);
        }
      }
    });
  }

  /** Pixels from the top of the window. */
  async function edges(element: Locator): Promise<{ readonly top: number; readonly bottom: number }> {
    const box = (await element.boundingBox()) ?? assert.fail('It is not on show.');
    return { top: box.y, bottom: box.y + box.height };
  }

  for (const [state, height] of [
    ['Next request open', 400],
    ['Deep folders', 400],
    ['Many chips', 400],
    ['Many chips', 520],
    ['Editing', 400],
    ['Banners', 400],
    ['Over budget', 400],
    ['A dear request', 400],
    ['A dear request', 520],
  ] as const) {
    it(`keeps header, next request and Send in sight at ${String(height)} px: ${state}`, async () => {
      for (const width of [260, 420]) {
        await show(state, width, height);
        // A low panel has room for one line of the message.
        const lines = height < 500 ? 1 : 2;
        for (const text of ['One line', 'A line of a long message\n'.repeat(30)]) {
          await preview.page.getByRole('textbox', { name: 'Message' }).fill(text);
          const names = ['Chat menu', 'Next request', 'Add'] as const;
          const buttons = [...names.map((name) => preview.page.getByRole('button', { name, exact: true })), preview.page.locator('.send')];
          const parts = await Promise.all(buttons.map(edges));
          const composer = await edges(preview.page.getByRole('textbox', { name: 'Message' }));
          const areInside = parts.every(({ top, bottom }) => top >= 0 && bottom <= height);
          assert.ok(areInside, `${String(width)} px: ${JSON.stringify(parts)}`);
          assert.ok(composer.bottom - composer.top >= lines * 20, 'the message');
          assert.ok(composer.bottom <= (parts[2]?.top ?? 0), 'the message does not cover the tools');
          assert.ok((parts[1]?.bottom ?? 0) < composer.top);
        }
      }
    });
  }

  it('keeps Send in sight below several notices, which scroll', async () => {
    const height = 400;
    for (const width of [260, 420]) {
      await show('Over budget', width, height);
      const left = 'Loupe dropped data/tides.json: the request has no room for its 41,310 tokens.';
      await preview.change((state) => ({
        ...state,
        nextRequest: state.nextRequest && {
          ...state.nextRequest,
          warnings: ['Loupe cut src/predict.ts to fit: 1,874 of its 6,120 tokens remain.', left],
        },
      }));
      const warning = preview.page.getByText(left);
      await warning.waitFor();
      for (const text of ['One line', 'A line of a long message\n'.repeat(30)]) {
        const message = preview.page.getByRole('textbox', { name: 'Message' });
        await message.fill(text);
        const [send, box] = [await edges(preview.page.locator('.send')), await edges(message)];
        assert.ok(send.bottom <= height, `${String(width)} px: Send ends at ${String(send.bottom)}`);
        assert.ok(box.bottom - box.top >= 20, 'one line of the message');
        await warning.scrollIntoViewIfNeeded();
        assert.ok((await edges(warning)).bottom <= box.top, 'the last notice is above the message');
      }
    }
  });

  it('has several parts of the next request in sight in a low panel', async () => {
    await show('Next request open', 300, 420);
    const [details, parts] = [
      await edges(preview.page.locator('.next-request-details')),
      await edges(preview.page.locator('.next-request-parts')),
    ];
    const inSight = Math.min(details.bottom, parts.bottom) - parts.top;
    // More than two rows: the conversation keeps 45 % of the height, and the details scroll.
    assert.ok(inSight >= 60, `${String(inSight)} px of them`);
  });

  const scroller = (): Locator => preview.page.locator('.scroller');
  const pill = (): Locator => preview.page.getByRole('button', { name: 'Jump to latest' });
  const twoFrames = (): Promise<unknown> =>
    preview.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const belowSight = (): Promise<number> => scroller().evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);

  async function isInSight(element: Locator): Promise<boolean> {
    const [part, all] = [await edges(element), await edges(scroller())];
    return part.top >= all.top - 1 && part.bottom <= all.bottom + 1;
  }

  it('brings what is opened at the end of the chat into sight, and offers no way to the end that nobody left', async () => {
    await show('First chat', 420, 860);
    await preview.page.getByRole('button', { name: 'Context used' }).click();
    const used = preview.page.getByRole('region', { name: 'Context used' });
    await waitFor('the opened part to come into sight', async () => (await isInSight(used)) || undefined);
    assert.equal(await pill().count(), 0);
    await show('First chat', 420, 400);
    await preview.page.getByRole('button', { name: 'Context used' }).click();
    // It is higher than the conversation: its start becomes visible.
    await waitFor('its begin to come into sight', async () => (await edges(used)).top < (await edges(scroller())).bottom || undefined);
    assert.ok((await belowSight()) > 24);
    assert.equal(await pill().count(), 0);
  });

  it('leaves a button under the pointer while it is pressed, also when what was opened before has loaded', async () => {
    await show('First chat', 420, 760);
    let rows: PanelState['contextRows'] = {};
    await preview.change((state) => {
      rows = state.contextRows;
      return { ...state, contextRows: {} };
    });
    const toggle = preview.page.getByRole('button', { name: 'Context used' });
    await toggle.click();
    await toggle.and(preview.page.locator('[aria-expanded="true"]')).waitFor();
    await preview.page.getByRole('button', { name: 'Show this request' }).hover();
    await preview.page.mouse.down();
    await preview.change((state) => ({ ...state, contextRows: rows }));
    const used = preview.page.getByRole('region', { name: 'Context used' });
    await used.waitFor();
    // An opened part scrolls into view after its layout, which takes a frame.
    await twoFrames();
    await preview.page.mouse.up();
    await preview.posted(1, 'showRequest');
  });

  it('moves nothing under the pointer while it is pressed: neither a reply that comes, nor the way back to the end', async () => {
    await show('Deep folders', 420, 1400);
    const link = preview.page.getByRole('region', { name: 'Context used' }).locator('.file-link').first();
    await link.hover();
    await preview.page.mouse.down();
    const pressed = await edges(link);
    await preview.change((state) => ({
      ...state,
      entries: state.entries.flatMap<EntryView>((entry) => (entry.kind === 'assistant' ? [entry, { ...entry, id: 'later' }] : [entry])),
    }));
    await preview.page.locator('[data-entry="later"] article').waitFor();
    await twoFrames();
    assert.deepEqual(await edges(link), pressed);
    await preview.page.mouse.up();
    await preview.posted(1, 'openContextItem');
    await waitFor('the end in sight', async () => (await belowSight()) < 2 || undefined);
    // The row of the way back would take height from the conversation.
    await preview.page.locator('[data-entry="later"] .markdown').hover();
    await preview.page.mouse.down();
    await scroller().evaluate((box) => (box.scrollTop -= 100));
    await twoFrames();
    assert.equal(await pill().count(), 0);
    await preview.page.mouse.up();
    await pill().waitFor();
  });

  it('keeps the last visible lines in place when what is below the conversation grows', async () => {
    await show('First chat', 300, 700);
    const last = preview.page.getByRole('button', { name: 'Context used' });
    assert.ok(await isInSight(last));
    const before = await edges(scroller());
    await preview.page.getByRole('button', { name: 'Next request', exact: true }).click();
    await waitFor('the conversation to shrink', async () => (await edges(scroller())).bottom < before.bottom - 50 || undefined);
    assert.ok(await isInSight(last), 'the end of the conversation');
    assert.equal(await pill().count(), 0);
    // The same after the user has scrolled up, in a lower panel, which does not have room for the whole conversation.
    await show('First chat', 300, 640);
    const { bottom } = await edges(scroller());
    await scroller().hover();
    await preview.page.mouse.wheel(0, -150);
    await pill().waitFor();
    const distance = async (): Promise<number> => (await edges(scroller())).bottom - (await edges(last)).bottom;
    await waitFor('the scroll to end', async () => (await belowSight()) > 50 || undefined);
    const was = await distance();
    await preview.page.getByRole('button', { name: 'Next request', exact: true }).click();
    await waitFor('the conversation to shrink', async () => (await edges(scroller())).bottom < bottom - 100 || undefined);
    await waitFor('the last visible line to stay', async () => Math.abs((await distance()) - was) <= 1 || undefined);
  });

  it('offers a way to the end once the user has left it, which covers nothing', async () => {
    await show('First chat', 300, 600);
    assert.equal(await pill().count(), 0);
    await scroller().hover();
    await preview.page.mouse.wheel(0, -200);
    await pill().waitFor();
    assert.ok((await edges(pill())).top >= (await edges(scroller())).bottom, 'below the conversation');
    await pill().click();
    await pill().waitFor({ state: 'detached' });
    assert.ok((await belowSight()) <= 1);
  });

  it('sends nothing over the budget, says why, keeps the text, and leads to a limit of the chat', async () => {
    await show('Over budget', 300, 700);
    await preview.page.getByText('> 100%').waitFor();
    const send = preview.page.getByRole('button', { name: 'Send', exact: true });
    assert.equal(await send.isDisabled(), true);
    assert.match((await send.getAttribute('title')) ?? '', /^The request is too long: 9,412 tokens, limit 7,680/);
    const message = preview.page.getByRole('textbox', { name: 'Message' });
    await message.press('Enter');
    await preview.page
      .getByRole('status', { name: 'Status' })
      .getByText(/^The request is too long/)
      .waitFor();
    assert.deepEqual(await preview.posted(0, 'send'), []);
    assert.equal(await message.inputValue(), 'One question more');
    await preview.page.getByRole('button', { name: 'Open chat settings' }).click();
    await preview.page.getByRole('textbox', { name: 'Context limit' }).waitFor();
  });

  it('says that nothing was sent when Enter is pressed over the limit', async () => {
    await show('Over budget', 300, 800);
    const notice = preview.page.getByText('Not sent. See Next request for the reason.');
    assert.equal(await notice.count(), 0);
    await preview.page.getByRole('textbox', { name: 'Message' }).press('Enter');
    await notice.waitFor();
  });

  it('folds the files of a folder into one chip, and counts all', async () => {
    await show('Many chips', 300, 800);
    const line = preview.page.getByRole('button', { name: 'Items of this chat: 242 files' });
    assert.equal(await line.getAttribute('title'), '242 items with 912,345 tokens');
    await line.click();
    await preview.page.getByText('912k tokens').waitFor();
    await preview.page.getByRole('button', { name: 'Show 42 more (2 with a warning)' }).waitFor();
    await preview.page.getByRole('button', { name: /^docs\/ 5 files · 938/ }).click();
    await preview.page.getByRole('button', { name: 'Show fewer' }).waitFor();
    await preview.page.getByRole('button', { name: 'Remove docs/ (5 files)' }).click();
    await preview.page.getByRole('button', { name: 'Remove all' }).click();
    assert.deepEqual(await preview.posted(1, 'removeContext'), [{ type: 'removeContext', chatId: 'chat', key: 'folder:docs' }]);
    assert.deepEqual(await preview.posted(1, 'removeAllContext'), [{ type: 'removeAllContext', chatId: 'chat' }]);
    assert.equal(await preview.page.evaluate(() => document.activeElement?.localName), 'vscode-text-area');
  });

  it('names the whole path of a file, and opens it with a click or a key', async () => {
    await show('Deep folders', 300, 800);
    const path = 'packages/tide-prediction-and-storm-surge/source/northern-stations/predict.ts';
    const used = preview.page.getByRole('button', { name: `${path} [Manual]`, exact: true });
    assert.equal(await used.getAttribute('title'), path);
    await used.click();
    const next = preview.page.getByRole('region', { name: 'Next request' }).getByRole('button', { name: path, exact: true });
    assert.equal(await next.getAttribute('title'), path);
    await next.press('Enter');
    const opened = { type: 'openContextItem', chatId: 'chat', key: `file:${path}` };
    assert.deepEqual(await preview.posted(2, 'openContextItem'), [opened, opened]);
  });
});
