import assert from 'node:assert/strict';
import { CHAT_ID, replied, said } from '../../webview/preview/states/parts.js';
import { text } from '../../webview/preview/views.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';
import { waitFor } from '../support/workbench/wait.js';

/** The goals of the panel at rest. Other chat panels show 8 to 25 controls. */
const MOST_CONTROLS = 24;
const LEAST_SHARE = 0.72;
/** In a low panel, and in each panel while something below the conversation is open. */
const LEAST_SHARE_WHEN_LOW = 0.45;
/** The largest part of the height for the text of the draft, and for unfolded chips. */
const MOST_SHARE_OF_TEXT = 1 / 3;

/** The line of items for a screen reader: its kinds, and only the chips with a problem. */
const FOLDED =
  /button "Items of this chat: 2 rules, 31 tools, 3 files"(?! \[expanded\])[^]*button "Manage context"[^]*list "Items of this chat":[^]*listitem[^]*button "changed[^]*listitem[^]*button "missing/;

const MANY = 60;
const FILES = Array.from({ length: MANY }, (_, index) => `src/station-${String(index)}.ts`);

describe('the panel with two short replies', () => {
  const preview = usePreview();

  /** Shows the panel at rest. */
  async function rest(width: number, height: number): Promise<void> {
    await preview.show('First chat', DARK, width, height);
    await preview.change((state) => ({
      ...state,
      entries: ['one', 'two'].flatMap((id) => [
        said(`u-${id}`, 'Why is the sum slow?', {}),
        replied(`a-${id}`, [text('It scans all parts.')], {}),
      ]),
    }));
    await waitFor('the replies', async () => (await preview.page.getByRole('article', { name: 'Assistant' }).count()) === 2 || undefined);
  }

  /** The number of visible controls, and the share of the height that the conversation has. */
  async function measured(): Promise<{ readonly controls: number; readonly share: number; readonly height: number }> {
    return preview.page.evaluate(() => {
      const shown = (control: Element): boolean => {
        const { left, right, top, bottom } = control.getBoundingClientRect();
        const isInPage = right > left && bottom > top && bottom > 0 && top < innerHeight;
        return isInPage && control.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      };
      const controls = [...document.querySelectorAll('button, a[href], vscode-text-area, vscode-button')].filter(shown);
      const conversation = document.querySelector('.stage')?.getBoundingClientRect();
      return { controls: controls.length, share: (conversation?.height ?? 0) / innerHeight, height: innerHeight };
    });
  }

  async function expectShare(least: number, what: string): Promise<void> {
    const { share, height } = await measured();
    // The browser rounds heights to pixels.
    assert.ok(share * height > least * height - 1, `${what}: ${(100 * share).toFixed(1)} % of the height`);
  }

  /** Checks that header, next request and Send are in sight, so that nothing was pushed out. */
  async function expectInSight(height: number, what: string): Promise<void> {
    for (const part of ['.header-line', '.next-request-line', '.send']) {
      const box = await preview.page.locator(part).boundingBox();
      assert.ok(box !== null && box.y >= 0 && box.y + box.height <= height, `${what}: ${part} ${JSON.stringify(box)}`);
    }
  }

  function focused(): Promise<string> {
    return preview.page.evaluate(() => document.activeElement?.querySelector('.chip-name')?.textContent.trim() ?? '');
  }

  async function addFiles(): Promise<void> {
    await preview.change((state) => ({
      ...state,
      context: FILES.map((name) => ({ key: `file:${name}`, name, files: null, tokens: 50, warning: null })),
      contextTotal: { ...state.contextTotal, items: MANY, kinds: [['file', MANY]], tokens: 50 * MANY },
    }));
    await preview.page.locator('.footer', { hasText: `${String(MANY)} ` }).waitFor();
  }

  for (const [width, height, share] of [
    [425, 794, LEAST_SHARE],
    [300, 794, LEAST_SHARE],
    [700, 450, 0.65],
    [252, 350, 0.55],
  ] as const) {
    it(`has few controls and most of its height for the conversation at ${String(width)} x ${String(height)} px`, async () => {
      await rest(width, height);
      const { controls } = await measured();
      assert.ok(controls <= MOST_CONTROLS, `${String(controls)} controls`);
      await expectShare(share, 'at rest');
    });
  }

  for (const [width, height] of [
    [425, 794],
    [300, 560],
    [700, 450],
    [252, 350],
  ] as const) {
    it(`leaves the conversation nearly half of ${String(width)} x ${String(height)} px, whatever is open below`, async () => {
      await rest(width, height);
      await addFiles();
      await preview.page.getByRole('button', { name: 'Next request', exact: true }).click();
      await preview.page.locator('.next-request-parts').waitFor();
      await expectShare(LEAST_SHARE_WHEN_LOW, 'next request');
      await expectInSight(height, 'next request');
      await preview.page.getByRole('button', { name: /^Items of this chat/ }).click();
      await preview.page
        .locator('.chip')
        .nth(MANY - 1)
        .waitFor();
      await expectShare(LEAST_SHARE_WHEN_LOW, 'chips');
      await expectInSight(height, 'chips');
      await preview.page.getByRole('textbox', { name: 'Message' }).fill('A line of a long message\n'.repeat(200));
      await expectShare(LEAST_SHARE_WHEN_LOW, 'draft');
      await expectInSight(height, 'draft');
    });
  }

  it('names the kinds of items in one line; folded, only a chip with a problem stays in sight and is reached by keys', async () => {
    await rest(425, 794);
    await preview.change((state) => ({
      ...state,
      context: ['changed', 'fine', 'missing'].map((name) => ({
        ...{ key: `file:${name}`, name, files: null, tokens: 50 },
        warning: name === 'fine' ? null : { kind: name === 'changed' ? 'changed' : 'missing', text: 'A problem.' },
      })),
      contextTotal: {
        ...state.contextTotal,
        items: 5,
        kinds: [
          ['rule', 2],
          ['file', 3],
        ],
        tools: 31,
      },
    }));
    const line = preview.page.getByRole('button', { name: 'Items of this chat: 2 rules, 31 tools, 3 files' });
    await line.focus();
    assert.match(await preview.page.locator('loupe-chips').ariaSnapshot(), FOLDED);
    await preview.press('Tab', 'Tab');
    assert.equal(await focused(), 'changed');
    await preview.press('ArrowRight');
    assert.equal(await focused(), 'missing');
    await preview.press('ArrowRight');
    assert.equal(await focused(), 'missing', 'it is the last one');
    await line.press('Enter');
    await preview.page.locator('.chip-open', { hasText: '31 tools' }).waitFor();
    assert.equal(await line.evaluate((button) => button === document.activeElement && button.ariaExpanded), 'true');
    await line.press(' ');
    await preview.page.locator('.chip-open', { hasText: '31 tools' }).waitFor({ state: 'detached' });
    assert.equal(await line.evaluate((button) => button === document.activeElement && button.ariaExpanded), 'false');
  });

  it('has only the number of items in a low panel, in the first line; a narrow one shows it in the open line', async () => {
    await rest(700, 450);
    const count = preview.page.getByRole('button', { name: 'Items of this chat: 2 items' });
    await count.waitFor();
    assert.equal(await preview.page.getByRole('button', { name: 'Items of this chat: 2 files' }).count(), 0);
    await rest(252, 350);
    assert.equal(await count.count(), 0);
    await preview.page.getByRole('button', { name: 'Next request', exact: true }).click();
    await count.click();
    await preview.page.getByRole('button', { name: 'Next request', exact: true }).click();
    await preview.page.locator('.chips-area').getByRole('button', { name: 'Manage context' }).waitFor();
    await count.click();
    await preview.page.locator('.chips-area').waitFor({ state: 'detached' });
  });

  it('leaves out words and figures with the width, from the least important; tokens and price stay', async () => {
    const parts = {
      words: '.next-request-total .cache-word',
      percentage: '.meter-percent',
      bar: '.meter-bar',
      written: '.next-request-total .written',
      clock: '.next-request-total .codicon-history',
      expiry: '.next-request-total loupe-expiry',
      newChat: '.new-chat',
    };
    type Part = keyof typeof parts;
    const all = Object.keys(parts) as Part[];
    for (const [width, ...hidden] of [
      [640],
      [479, 'words', 'percentage'],
      [339, 'words', 'bar', 'written', 'clock'],
      [279, 'words', 'bar', 'written', 'clock', 'expiry', 'newChat'],
    ] as const satisfies readonly (readonly [number, ...Part[]])[]) {
      await rest(width, 794);
      const found = await preview.page.evaluate(
        (selectors) =>
          selectors.filter((selector) => {
            const { width: own } = document.querySelector(selector)?.getBoundingClientRect() ?? { width: 0 };
            return own <= 1;
          }),
        Object.values(parts),
      );
      assert.deepEqual(
        all.filter((part) => found.includes(parts[part])),
        [...hidden],
        `below ${String(width + 1)} px`,
      );
      const line = preview.page.locator('.next-request-total');
      assert.match((await line.textContent()) ?? '', /5,537 .*\$0\.012/);
      await preview.page.getByRole('button', { name: 'Next request', exact: true }).waitFor();
    }
    await preview.page.getByRole('button', { name: 'Chat menu' }).press('Enter');
    await preview.press('Enter');
    assert.deepEqual(await preview.posted(1, 'newChat'), [{ type: 'newChat' }]);
  });

  it('has Copy and Retry of a reply in its menu below 340 px, and as buttons from there on', async () => {
    for (const width of [300, 340]) {
      await rest(width, 794);
      const reply = preview.page.getByRole('article', { name: 'Assistant' }).last();
      const isNarrow = width < 340;
      for (const name of ['Copy', 'Retry']) {
        assert.equal(await reply.getByRole('button', { name, exact: true }).isVisible(), !isNarrow, `${name} at ${String(width)} px`);
      }
      await reply.getByRole('button', { name: 'More', exact: true }).press('Enter');
      const items = (await reply.getByRole('menuitem').allInnerTexts()).map((item) => item.split('\n')[0]);
      assert.deepEqual(
        items.filter((item) => item === 'Copy' || item === 'Retry'),
        isNarrow ? ['Copy', 'Retry'] : [],
      );
      await preview.press('Enter');
    }
    assert.deepEqual(await preview.posted(1, 'copy', 'pin'), [{ type: 'pin', chatId: CHAT_ID, messageId: 'a-two' }]);
  });

  it('has Find and Export in the menu of the chat', async () => {
    await rest(300, 794);
    const menu = preview.page.getByRole('button', { name: 'Chat menu' });
    await menu.press('Enter');
    await preview.page.getByRole('menuitem', { name: 'Find' }).press('Enter');
    await preview.page.getByRole('search', { name: 'Find in chat' }).getByRole('textbox').waitFor();
    await menu.press('Enter');
    await preview.page.getByRole('menuitem', { name: 'Export…' }).press('Enter');
    assert.deepEqual(await preview.posted(1, 'askExport'), [{ type: 'askExport', chatId: CHAT_ID }]);
  });

  it('has the fields of its limits in one column', async () => {
    await preview.show('Limits', DARK, 425, 700);
    const fields = preview.page.getByRole('dialog', { name: 'Limits' }).getByRole('textbox');
    await fields.first().waitFor();
    const edges = await fields.evaluateAll((all) => all.map((field) => field.getBoundingClientRect().right));
    assert.deepEqual([edges.length, new Set(edges).size], [3, 1], edges.join(', '));
  });

  it('asks for the cost of the day and the week, and names both at the cost of the chat', async () => {
    await rest(425, 794);
    await preview.posted(1, 'sumSpending');
    const day = { cost: 0.812, unknownRequests: 0 };
    await preview.tell({ type: 'spentSums', day, week: { cost: 3.81, unknownRequests: 0 } });
    await preview.page.getByRole('button', { name: /^This chat \$0\.5554, today \$0\.8120, this week \$3\.81\./ }).waitFor();
  });

  it('gives at most a third of the height each to the unfolded chips and to a long draft', async () => {
    await rest(425, 1200);
    await addFiles();
    await preview.page.getByRole('button', { name: /^Items of this chat/ }).click();
    await preview.page.getByRole('textbox', { name: 'Message' }).fill('A line of a long message\n'.repeat(200));
    for (const part of ['.chips-area', '.composer textarea']) {
      const { height, isScrolled } = await preview.page
        .locator(part)
        .evaluate((element) => ({ height: element.clientHeight, isScrolled: element.scrollHeight > element.clientHeight }));
      assert.ok(isScrolled && height <= 1200 * MOST_SHARE_OF_TEXT, `${part}: ${String(height)} px`);
    }
  });
});
