import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { previewStates } from '../../webview/preview/states/states.js';
import captured from '../../webview/preview/themes.json' with { type: 'json' };
import { root } from '../support/paths.mjs';
import { DARK, usePreview } from '../support/workbench/previewPage.js';

/* How the panel looks in each state, theme and width: in a browser, without VS Code. The states are those of the preview. */

const USUAL_WIDTH = 300;
/** In pixels: the usual side bar, in which a state is shown already, the narrowest one of the design, and a wide one. */
const WIDTHS = [USUAL_WIDTH, 260, 420] as const;
const STATES = 75;
const HEIGHT = 800;
/** Of text, by level AA of WCAG 2. */
const LEAST_CONTRAST = 4.5;
/** Each page takes it in anew: the minified one is read in half the time. */
const AUDIT = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

interface Color {
  parseString(css: string): void;
}

/** What the tests use of axe within the page; its types leave out the colours. */
interface Audit {
  setup(root: Document): void;
  teardown(): void;
  readonly commons: {
    readonly color: {
      readonly Color: new () => Color;
      getBackgroundColor(element: Element): Color | null;
      getContrast(background: Color | null, text: Color): number | null;
    };
  };
  run(
    root: Document | { include: Element[] },
    options: object,
  ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
}

/**
 * Runs in the page. Finds the texts, by their looks: the contrast of a text depends on its own and on those of all around
 * it, so of those that look alike one is enough.
 */
function textsByLooks(): Map<string, Element> {
  const texts = new Map<string, Element>();
  /** The rule leaves aside what is disabled or out of sight. */
  const isText = (element: Element): boolean =>
    ([...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '') ||
      element.matches('input, textarea')) &&
    element.checkVisibility({ visibilityProperty: true }) &&
    element.getClientRects().length > 0 &&
    element.closest(':disabled, [disabled], [aria-disabled="true"], [inert]') === null;
  // What shows all behind it as it is.
  const CLEAR = 'rgba(0, 0, 0, 0)|none|1|none|normal|static';
  const walk = (element: Element, around: string): void => {
    const style = getComputedStyle(element);
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position, color, fontSize, fontWeight, textShadow } = style;
    const layer = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position].join('|');
    const within = layer === CLEAR ? around : `${around} ${layer}`;
    const look = [within, color, fontSize, fontWeight, textShadow].join('|');
    if (!texts.has(look) && isText(element)) texts.set(look, element);
    for (const child of [...(element.shadowRoot?.children ?? []), ...element.children]) walk(child, within);
  };
  walk(document.body, '');
  return texts;
}

describe('the looks of the panel', () => {
  const preview = usePreview();
  const states = previewStates(Date.now());
  /** Looks of texts that were held against the rule on contrast. */
  const seen = new Set<string>();
  const errors: string[] = [];

  before(() => {
    preview.page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    preview.page.on('pageerror', (error) => errors.push(error.message));
  });

  /** As VS Code changes the theme of a webview that is open. */
  async function wear(index: number): Promise<void> {
    const { bodyClass, kind, id } = captured.themes[index]!;
    const values = Object.entries(captured.variables).map(([name, all]) => [name, all[index] ?? null] as const);
    await preview.page.evaluate(
      async (worn) => {
        for (const [name, value] of worn.values) document.documentElement.style.setProperty(name, value);
        document.body.className = worn.bodyClass;
        Object.assign(document.body.dataset, { vscodeThemeKind: worn.kind, vscodeThemeId: worn.id });
        // The toolkit's controls take the new colours when the page is drawn next; what comes after that is a task.
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      },
      { bodyClass, kind, id, values },
    );
  }

  /** Of all rules but the one on contrast. */
  function violations(): Promise<string[]> {
    return preview.page.evaluate(async () => {
      const { axe: audit } = window as unknown as { axe: Audit };
      const options = { resultTypes: ['violations'], rules: { 'color-contrast': { enabled: false } } };
      const { violations: all } = await audit.run(document, options);
      return all.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
    });
  }

  /** The texts with too little contrast, of those whose looks no state before had in this theme. */
  async function hardToRead(theme: string): Promise<string[]> {
    const texts = await preview.page.evaluateHandle(textsByLooks);
    const looks = await texts.evaluate((found) => [...found.keys()]);
    const unseen = looks.filter((look) => !seen.has(look));
    if (unseen.length === 0) return [];
    for (const look of unseen) seen.add(look);
    const found = await texts.evaluate(async (elements, chosen) => {
      const { axe: audit } = window as unknown as { axe: Audit };
      const include = chosen.flatMap((look) => elements.get(look) ?? []);
      const { violations: all } = await audit.run({ include }, { resultTypes: ['violations'], runOnly: ['color-contrast'] });
      return all.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
    }, unseen);
    return found.map((violation) => `${theme}: ${violation}`);
  }

  it('have placeholders that can be read, and tell what was written from other figures, in every theme', async () => {
    await preview.show('First chat', DARK, 420, HEIGHT);
    await preview.page.evaluate(AUDIT);
    for (const [index, { label }] of captured.themes.entries()) {
      await wear(index);
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
      assert.ok(contrast >= LEAST_CONTRAST, `${label}: ${contrast.toFixed(2)}`);
      assert.notEqual(written, quiet, label);
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
      assert.deepEqual(await misfits(), [], name);
    }
  });

  it('has a state for each thing to see', () => {
    assert.equal(states.length, STATES);
  });

  for (const { name } of states) {
    it(`${name}: is without errors, accessible, readable in every theme, with figures on one line and everything within the panel`, async () => {
      await preview.show(name, DARK, USUAL_WIDTH, HEIGHT);
      assert.equal(await preview.page.getByText('The panel failed').count(), 0);
      await preview.page.evaluate(AUDIT);
      const found = await violations();
      for (const [index, { label }] of captured.themes.entries()) {
        await wear(index);
        found.push(...(await hardToRead(label)));
      }
      assert.deepEqual(found, []);
      for (const width of WIDTHS) {
        await preview.page.setViewportSize({ width, height: HEIGHT });
        assert.deepEqual(await misfits(), [], `${String(width)} px`);
      }
      assert.deepEqual(errors, []);
    });
  }

  /** What wraps though it should leave as a whole, and what reaches out of the panel. */
  function misfits(): Promise<string[]> {
    return preview.page.evaluate(() => {
      const edge = document.documentElement.clientWidth;
      const visible = (selector: string): HTMLElement[] =>
        [...document.querySelectorAll<HTMLElement>(selector)].filter((part) => part.checkVisibility());
      const middleOf = (part: Element): number => {
        const { top, bottom } = part.getBoundingClientRect();
        return (top + bottom) / 2;
      };
      // What leaves is below the line, where it is cut off.
      const isInSight = (part: Element, line: Element): boolean =>
        part.getClientRects().length > 0 && middleOf(part) < line.getBoundingClientRect().bottom;
      // A group is a sentence with its actions, which may wrap.
      const wrapped = visible('.figures:not([role="group"])').filter((line) => {
        const middles = [...line.children].filter((part) => isInSight(part, line)).map(middleOf);
        // Half a line of figures.
        return Math.max(...middles) - Math.min(...middles) > 8;
      });
      const outside = visible('button, .figures, .chip').filter((part) => part.getBoundingClientRect().right > edge + 1);
      return [
        ...(document.documentElement.scrollWidth > edge ? ['the page scrolls sideways'] : []),
        ...wrapped.map((line) => `wraps: ${line.innerText}`),
        ...outside.map((part) => `reaches out of the panel: ${part.outerHTML.slice(0, 120)}`),
      ];
    });
  }
});
