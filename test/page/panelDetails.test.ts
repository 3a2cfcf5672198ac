import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { assistantEntry, text, userEntry } from '../../webview/preview/views.js';
import { THEMES, useLooks } from '../support/workbench/looks.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';

const USUAL = { width: 425, height: 794 };
const ROW_PX = 24;

describe('the details of the panel', () => {
  const preview = usePreview();
  const looks = useLooks(preview);

  for (const width of [260, 300, USUAL.width, 700]) {
    it(`of a reply open by a button with an arrow at its end, at ${String(width)} px`, async () => {
      await preview.show('First chat', DARK, width, USUAL.height);
      const button = preview.page.getByRole('button', { name: 'Context used' });
      const places = (): Promise<readonly number[]> =>
        button.evaluate((line) => {
          const arrow = line.querySelector('.codicon')!.getBoundingClientRect();
          return [line.querySelector('.usage')!.getBoundingClientRect().right, arrow.left, arrow.right, line.getBoundingClientRect().right];
        });
      const inOrder = await places();
      assert.deepEqual(
        inOrder,
        inOrder.toSorted((a, b) => a - b),
      );
      await button.press('Enter');
      await button.locator('.codicon-chevron-up').waitFor();
    });
  }

  it('have the name of a pick in sight, whole in a usual panel, and most of it in a narrow one', async () => {
    const name = (): Locator => preview.page.locator('.with-row.pick .with-name').first();
    const widths = async (width: number): Promise<{ readonly shown: number; readonly whole: number }> => {
      await preview.show('Picked rules', DARK, width, USUAL.height);
      return name().evaluate(({ clientWidth, scrollWidth }) => ({ shown: clientWidth, whole: scrollWidth }));
    };
    const [usual, narrow] = [await widths(USUAL.width), await widths(300)];
    assert.equal(usual.shown, usual.whole);
    assert.ok(narrow.shown > 0.75 * narrow.whole, `${String(narrow.shown)} of ${String(narrow.whole)} px`);
  });

  it('have three rows of the next request in sight in a usual panel', async () => {
    await preview.show('Next request open', DARK, USUAL.width, USUAL.height);
    const inSight = await preview.page.locator('.next-request-details').evaluate((details) => {
      const parts = details.querySelector('.next-request-parts')!.getBoundingClientRect();
      return Math.min(details.getBoundingClientRect().bottom, parts.bottom) - parts.top;
    });
    assert.ok(inSight >= 3 * ROW_PX, `${String(inSight)} px`);
  });

  it('have the file of an edit that asks in a narrow panel', async () => {
    await preview.show('An edit that asks, and what it would change', DARK, 300, USUAL.height);
    const width = await preview.page.locator('.step-file', { hasText: 'heap.ts' }).evaluate(({ clientWidth }) => clientWidth);
    assert.ok(width >= 24, `${String(width)} px`);
  });

  it('have the name of a file that a tool could not change', async () => {
    for (const width of [300, USUAL.width]) {
      await preview.show('Files that tools wrote, and their restoration', DARK, width, USUAL.height);
      const name = preview.page.locator('.file-unapplied .tool-name').first();
      const text = await name.evaluate((element) => {
        const range = document.createRange();
        range.selectNode(element.firstChild!.nextSibling!);
        return range.getBoundingClientRect().right <= element.getBoundingClientRect().right;
      });
      assert.ok(text, `${String(width)} px`);
    }
  });

  it('have a link to a file without a space in front of the next character', async () => {
    await preview.show('First chat', DARK, USUAL.width, USUAL.height);
    await preview.change((state) => ({
      ...state,
      entries: [userEntry('m0', 'A question'), { ...assistantEntry('m1', text('See `src/sift.ts`.')), status: 'done' }],
    }));
    const link = preview.page.locator('[data-entry="m1"] .markdown').getByRole('link', { name: 'src/sift.ts' });
    const gap = await link.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element.querySelector('code')!);
      return element.getBoundingClientRect().right - range.getBoundingClientRect().right;
    });
    assert.equal(gap, 0);
  });

  it('have secondary buttons that are quieter than the primary one, of the same size, in every theme', async () => {
    await preview.show('A command that asks', DARK, USUAL.width, USUAL.height);
    const button = (name: string): Promise<{ readonly border: string; readonly size: string }> =>
      preview.page.getByRole('button', { name, exact: true }).evaluate((element) => {
        const { borderColor, fontSize } = getComputedStyle(element.shadowRoot?.querySelector('button') ?? element);
        return { border: borderColor, size: fontSize };
      });
    for (const theme of THEMES) {
      await looks.wear(theme);
      const [primary, secondary] = [await button('Once'), await button('Refuse')];
      assert.equal(secondary.size, primary.size, theme);
      if (!theme.includes('High Contrast')) assert.notEqual(secondary.border, primary.border, theme);
    }
  });

  for (const width of [191, 260]) {
    it(`show that a long name of the model is cut off, at ${String(width)} px`, async () => {
      await preview.show('First chat', DARK, width, 500);
      const label = 'Claude Sonnet 4.5 (thinking)';
      await preview.change(({ chat, ...state }) => ({ ...state, chat: chat && { ...chat, model: { ...chat.model, label } } }));
      const model = preview.page.locator(`.composer-tools .model-button[title^="${label}"]`);
      const cut = await model.locator('span').evaluateAll((parts) =>
        parts.flatMap((part) => {
          const { textOverflow, display } = getComputedStyle(part);
          // The content of a flex box gets no ellipsis. A narrow part has no room for one.
          const hasEllipsis = textOverflow === 'ellipsis' && display !== 'flex' && part.clientWidth > 12;
          return part.scrollWidth > part.clientWidth && display !== 'inline' ? [hasEllipsis] : [];
        }),
      );
      assert.deepEqual(cut, [true]);
    });
  }

  it('have no rest of a line beside a note that fills a narrow panel', async () => {
    const stubs = (): Promise<readonly boolean[]> =>
      preview.page
        .locator('.accounting-line')
        .evaluateAll((lines) => lines.map((line) => getComputedStyle(line, '::before').content !== 'none'));
    await preview.show('Editing', DARK, USUAL.width, USUAL.height);
    assert.deepEqual(new Set(await stubs()), new Set([true]));
    await preview.show('Editing', DARK, 300, USUAL.height);
    assert.deepEqual(new Set(await stubs()), new Set([false]));
  });

  it('have the introduction of a new chat in one line of a wide panel', async () => {
    await preview.show('Empty', DARK, 1_100, USUAL.height);
    const introduction = preview.page.locator('.empty-state > p').first();
    assert.equal((await introduction.boundingBox())?.height, 20);
  });

  it('describes the button of the next request to screen readers with its tokens and price', async () => {
    await preview.show('First chat', DARK, 420, 700);
    const session = await preview.page.context().newCDPSession(preview.page);
    const { result } = await session.send('Runtime.evaluate', { expression: "document.querySelector('.next-request .disclosure')" });
    const { nodes } = await session.send('Accessibility.getPartialAXTree', { objectId: result.objectId ?? '', fetchRelatives: false });
    assert.equal(nodes[0]?.name?.value, 'Next request');
    assert.match(String(nodes[0].description?.value), /^≈?\s?[\d,]+ tokens · ≈ \$\d/);
  });
});
