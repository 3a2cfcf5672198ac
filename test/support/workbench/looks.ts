// Checks a webview in themes and widths: rules of axe, contrast, and content that does not fit.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import captured from '../../../webview/preview/themes.json' with { type: 'json' };
import { depth } from '../depth.mjs';
import { root } from '../paths.mjs';
import type { PreviewPage } from './previewPage.js';

/** Each page loads it. The minified file loads in half the time. */
const AUDIT = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

export const THEMES = captured.themes.map(({ label }) => label);

interface Color {
  parseString(css: string): void;
}

/** The tests' part of axe in the page. Its own types lack the colors. */
export interface Audit {
  setup(root: Document): void;
  teardown(): void;
  readonly commons: {
    readonly color: {
      readonly Color: new () => Color;
      getBackgroundColor(element: Element): Color | null;
      getContrast(background: Color | null, text: Color): number | null;
    };
  };
  configure(changes: object): void;
  run(root: Document, options: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
}

/** Runs in the page. Returns one text per look: contrast depends on the element and its ancestors. */
function textsByLooks(): Map<string, Element> {
  const texts = new Map<string, Element>();
  /** The rule skips disabled and hidden elements. */
  const isText = (element: Element): boolean =>
    ([...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '') ||
      element.matches('input, textarea')) &&
    element.checkVisibility({ visibilityProperty: true }) &&
    element.getClientRects().length > 0 &&
    element.closest(':disabled, [disabled], [aria-disabled="true"], [inert]') === null;
  // A style that shows everything below.
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

/** The themes and widths for a state. The state appears in the first of each. */
interface Turn {
  readonly themes: readonly string[];
  readonly widths: readonly number[];
}

/** All themes and widths in a deep run. A short run rotates through them; `at` is the number of the state. */
export function turnOf(at: number, widths: readonly number[]): Turn {
  return depth({
    short: { themes: inTurn(THEMES, at), widths: inTurn(widths, Math.floor(at / THEMES.length)) },
    deep: { themes: THEMES, widths },
  });
}

/** Registers the hook that collects the errors of the page. */
export function useLooks(preview: PreviewPage): Looks {
  const looks = new Looks(preview);
  before(() => {
    looks.watch();
  });
  return looks;
}

export class Looks {
  readonly #preview: PreviewPage;
  readonly #seen = new Set<string>();
  readonly #errors: string[] = [];

  constructor(preview: PreviewPage) {
    this.#preview = preview;
  }

  watch(): void {
    this.#preview.page.on('console', (message) => {
      if (message.type() === 'error') this.#errors.push(message.text());
    });
    this.#preview.page.on('pageerror', (error) => this.#errors.push(error.message));
  }

  async faults({ themes, widths }: Turn): Promise<string[]> {
    const { page } = this.#preview;
    const height = page.viewportSize()?.height ?? 0;
    await this.load();
    const found = await this.violations({});
    for (const theme of themes.slice(1)) {
      await this.wear(theme);
      found.push(...(await this.violations({ runOnly: ['color-contrast'] })).map((violation) => `${theme}: ${violation}`));
    }
    for (const width of widths) {
      await page.setViewportSize({ width, height });
      // The page learns of its new size in the next frame.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      found.push(...(await this.misfits()).map((misfit) => `${String(width)} px: ${misfit}`));
    }
    return [...found, ...this.#errors.splice(0)];
  }

  async load(): Promise<void> {
    await this.#preview.page.evaluate(AUDIT);
  }

  /** Changes the theme as VS Code does in an open webview. */
  async wear(theme: string): Promise<void> {
    const index = THEMES.indexOf(theme);
    const { bodyClass, kind, id } = captured.themes[index]!;
    const values = Object.entries(captured.variables).map(([name, all]) => [name, all[index] ?? null] as const);
    await this.#preview.page.evaluate(
      async (worn) => {
        for (const [name, value] of worn.values) document.documentElement.style.setProperty(name, value);
        document.body.className = worn.bodyClass;
        Object.assign(document.body.dataset, { vscodeThemeKind: worn.kind, vscodeThemeId: worn.id });
        // The toolkit's controls get the new colors at the next frame. A task runs after that.
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      },
      { bodyClass, kind, id, values },
    );
  }

  /** Returns violations of axe rules. Contrast is checked once per look. */
  async violations(options: object): Promise<string[]> {
    const texts = await this.#preview.page.evaluateHandle(textsByLooks);
    const looks = await texts.evaluate((found) => [...found.keys()]);
    const unseen = looks.filter((look) => !this.#seen.has(look));
    for (const look of unseen) this.#seen.add(look);
    return texts.evaluate(
      async (elements, { chosen, more }) => {
        const { axe: audit } = window as unknown as { axe: Audit };
        const marked = chosen.flatMap((look) => elements.get(look) ?? []);
        for (const element of marked) element.setAttribute('data-unseen', '');
        audit.configure({ rules: [{ id: 'color-contrast', selector: '[data-unseen]' }] });
        const { violations: all } = await audit.run(document, { resultTypes: ['violations'], ...more });
        for (const element of marked) element.removeAttribute('data-unseen');
        return all.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
      },
      { chosen: unseen, more: options },
    );
  }

  /** Returns parts that wrap instead of leaving as a whole, and parts outside the panel. */
  misfits(): Promise<string[]> {
    return this.#preview.page.evaluate(() => {
      const edge = document.documentElement.clientWidth;
      const visible = (selector: string): HTMLElement[] =>
        [...document.querySelectorAll<HTMLElement>(selector)].filter((part) => part.checkVisibility());
      const middleOf = (part: Element): number => {
        const { top, bottom } = part.getBoundingClientRect();
        return (top + bottom) / 2;
      };
      // Removed parts are below the line, where they are cut off.
      const isInSight = (part: Element, line: Element): boolean =>
        part.getClientRects().length > 0 && middleOf(part) < line.getBoundingClientRect().bottom;
      // A group is a sentence with its actions. It may wrap.
      const wrapped = visible('.figures:not([role="group"])').filter((line) => {
        const middles = [...line.children].filter((part) => isInSight(part, line) && !part.classList.contains('sr-only')).map(middleOf);
        // Half a line of figures.
        return Math.max(...middles) - Math.min(...middles) > 8;
      });
      // The bars of the chart scroll sideways.
      const outside = visible('button:not(.bars *), .figures, .chip').filter((part) => part.getBoundingClientRect().right > edge + 1);
      return [
        ...(document.documentElement.scrollWidth > edge ? ['the page scrolls sideways'] : []),
        ...wrapped.map((line) => `wraps: ${line.innerText}`),
        ...outside.map((part) => `reaches out of the panel: ${part.outerHTML.slice(0, 120)}`),
      ];
    });
  }
}

function inTurn<T>(all: readonly T[], at: number): readonly T[] {
  const from = at % all.length;
  return all.slice(from, from + 1);
}
