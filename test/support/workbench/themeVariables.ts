// Saves the CSS variables and the style sheet of VS Code's webviews in all themes for the preview: node
// test/support/shots.mjs --window themeVariables

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { root } from '../paths.mjs';
import { inWindow } from './inWindow.js';
import { ALL_THEMES, setTheme } from './panel.js';
import { waitFor } from './wait.js';

interface Worn {
  readonly id: string;
  readonly bodyClass: string;
  readonly kind: string;
  readonly values: readonly (string | null)[];
}

export const shoot = (): Promise<void> =>
  inWindow(async (workbench, frame) => {
    const defaultStyles = await frame.evaluate(() => document.querySelector('#_defaultStyles')?.textContent ?? '');
    const names = usedVariables(defaultStyles);
    const themes: (Worn & { readonly label: string })[] = [];
    for (const label of ALL_THEMES) {
      await setTheme(workbench, label);
      const known = new Set(themes.map(({ id }) => id));
      // The window changes its theme before its webviews do.
      const worn = await waitFor(`the theme ${label} in the panel`, async () => {
        const now = await readWorn(frame, names);
        return known.has(now.id) ? undefined : now;
      });
      themes.push({ label, ...worn });
    }
    const written = {
      themes: themes.map(({ label, id, bodyClass, kind }) => ({ label, id, bodyClass, kind })),
      variables: Object.fromEntries(names.map((name, index) => [name, themes.map(({ values }) => values[index] ?? null)])),
      defaultStyles,
    };
    writeFileSync(join(root, 'webview/preview/themes.json'), `${JSON.stringify(written, null, 2)}\n`);
  });

/** The variables in the panel's and the default style sheets, and the background color of the panel. */
function usedVariables(defaultStyles: string): string[] {
  const folder = join(root, 'dist/webview');
  const files = readdirSync(folder).filter((file) => /\.(?:js|css)$/.test(file));
  const texts = [defaultStyles, '--vscode-sideBar-background', ...files.map((file) => readFileSync(join(folder, file), 'utf8'))];
  return [...new Set(texts.flatMap((text) => text.match(/--(?:vscode|monaco|text-link)-[\w-]+/g) ?? []))].sort();
}

function readWorn(frame: Frame, names: readonly string[]): Promise<Worn> {
  return frame.evaluate((wanted) => {
    const style = document.documentElement.style;
    return {
      id: document.body.dataset['vscodeThemeId'] ?? '',
      bodyClass: document.body.className,
      kind: document.body.dataset['vscodeThemeKind'] ?? '',
      values: wanted.map((name) => {
        const value = style.getPropertyValue(name);
        return value === '' ? null : value;
      }),
    };
  }, names);
}
