import captured from './themes.json' with { type: 'json' };

/* The themes as VS Code gives them to a webview. test/support/workbench/themeVariables.ts writes themes.json. */

export const THEMES: readonly string[] = captured.themes.map(({ label }) => label);

/** Makes a page look like a webview with that theme. */
export function wearTheme(page: Document, label: string, nonce: string): void {
  const index = THEMES.indexOf(label);
  const theme = captured.themes[index];
  if (theme === undefined) {
    throw new Error(`There is no theme ${label}; there are ${THEMES.join(', ')}.`);
  }
  for (const [name, values] of Object.entries(captured.variables)) {
    page.documentElement.style.setProperty(name, values[index] ?? null);
  }
  page.body.className = theme.bodyClass;
  page.body.dataset['vscodeThemeKind'] = theme.kind;
  page.body.dataset['vscodeThemeId'] = theme.id;
  const styles = page.createElement('style');
  styles.nonce = nonce;
  styles.textContent = captured.defaultStyles;
  page.head.prepend(styles);
}
