import assert from 'node:assert/strict';
import { previewStates } from '../../webview/preview/states/states.js';
import { type Audit, THEMES, turnOf, useLooks } from '../support/workbench/looks.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';

/* The panel in all states, themes and widths in a browser. The preview provides the states. */

/** Pixels: the usual side bar, the narrowest in the design, and a wide one. */
const WIDTHS = [300, 260, 420] as const;
const STATES = 126;
const HEIGHT = 800;
/** Of text, by level AA of WCAG 2. */
const LEAST_CONTRAST = 4.5;

describe('the looks of the panel', () => {
  const preview = usePreview();
  const looks = useLooks(preview);
  const states = previewStates(Date.now());

  it('have placeholders that can be read, and tell what was written from other figures, in every theme', async () => {
    await preview.show('First chat', DARK, 420, HEIGHT);
    await looks.load();
    for (const theme of THEMES) {
      await looks.wear(theme);
      const { contrast, written, quiet } = await preview.page.evaluate(() => {
        const { axe: audit } = window as unknown as { axe: Audit };
        const colorOf = (element: Element, pseudo: string | undefined): string => getComputedStyle(element, pseudo).color;
        const line = document.querySelector('.usage')!;
        const colors = { written: colorOf(line.querySelector('.written')!, undefined), quiet: colorOf(line, undefined) };
        const box = document.querySelector('loupe-composer vscode-text-area')!.shadowRoot!.querySelector('textarea')!;
        audit.setup(document);
        const background = audit.commons.color.getBackgroundColor(box);
        const text = new audit.commons.color.Color();
        text.parseString(colorOf(box, '::placeholder'));
        audit.teardown();
        return { contrast: audit.commons.color.getContrast(background, text) ?? 0, ...colors };
      });
      assert.ok(contrast >= LEAST_CONTRAST, `${theme}: ${contrast.toFixed(2)}`);
      assert.notEqual(written, quiet, theme);
    }
  });

  it('stand still where the user wants less motion', async () => {
    const running = (): Promise<string[]> =>
      preview.page.evaluate(() =>
        document
          .getAnimations()
          .filter(({ playState }) => playState === 'running')
          .map(({ effect }) => (effect as KeyframeEffect).target?.className ?? ''),
      );
    await preview.show('Many chats', DARK, 300, HEIGHT);
    assert.deepEqual(await running(), ['codicon codicon-loading'], 'of the chat that is being answered');
    await preview.page.emulateMedia({ reducedMotion: 'reduce' });
    assert.deepEqual(await running(), []);
    await preview.page.emulateMedia({ reducedMotion: null });
  });

  it('can be used at a zoom of 200 %: nothing reaches out of a side bar that is half as wide', async () => {
    for (const name of ['First chat', 'Settings open', 'Next request open', 'Picked rules', 'Context of the chat']) {
      await preview.show(name, DARK, 150, 400);
      assert.deepEqual(await looks.misfits(), [], name);
    }
  });

  it('has a state for each thing to see', () => {
    assert.equal(states.length, STATES);
  });

  for (const [at, { name }] of states.entries()) {
    it(`${name}: is without errors, accessible, readable, with figures on one line and everything within the panel`, async () => {
      const turn = turnOf(at, WIDTHS);
      await preview.show(name, turn.themes[0] ?? '', turn.widths[0] ?? 0, HEIGHT);
      assert.equal(await preview.page.getByText('The panel failed').count(), 0);
      assert.deepEqual(await looks.faults(turn), []);
    });
  }
});

const WIDTH = 300;

describe('the preview of the panel', () => {
  const preview = usePreview();
  const errors: string[] = [];

  before(() => {
    preview.page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    preview.page.on('pageerror', (error) => errors.push(error.message));
  });

  it('shows a result of a tool as plain text: no element of it, no request, no hidden character', async () => {
    const requests: string[] = [];
    preview.page.on('request', (request) => requests.push(request.url()));
    await preview.show('A result with HTML, links and hidden characters', 'Dark Modern', WIDTH, HEIGHT);
    const rows = preview.page.locator('.tool-calls');
    await rows.getByText('onerror').first().waitFor();
    assert.equal(await rows.locator('img, script, a, iframe').count(), 0);
    assert.match(await rows.innerText(), /<img src="https:\/\/tides\.example\/x\.png" onerror=/);
    assert.doesNotMatch(await rows.innerText(), /[\u200b\u202e]/);
    const external = requests.filter((url) => url.includes('tides.example'));
    assert.deepEqual(external, []);
  });

  it('goes through the states with the keyboard, and keeps its choice in the address', async () => {
    await preview.page.goto(`${preview.url}?state=Streaming&theme=Light+Modern&width=600`);
    const shown = preview.page.frameLocator('#panel');
    await shown.locator('body[data-ready="Streaming"].vscode-light').waitFor();
    await preview.page.getByRole('button', { name: 'Next' }).press('Enter');
    await shown.locator('body[data-ready="Reasoning"].vscode-light').waitFor();
    const { searchParams } = new URL(preview.page.url());
    assert.deepEqual(Object.fromEntries(searchParams), { state: 'Reasoning', theme: 'Light Modern', width: '600' });
    assert.deepEqual(errors, []);
  });
});
