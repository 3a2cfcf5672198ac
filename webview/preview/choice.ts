import captured from './themes.json';

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

/** In pixels: the narrowest side bar, the usual one, a wide one, and editors. */
export const WIDTHS = ['300', '400', '600', '900', '1100'] as const;

/** The shown state, theme and width. They are part of the address, which can be shared and survives a reload. */
export interface PreviewChoice {
  readonly state: string;
  readonly theme: string;
  readonly width: string;
}

/** Reads the choice from an address. Missing and unknown values become the first of their kind. */
export function readChoice(address: string, states: readonly { readonly name: string }[]): PreviewChoice {
  const wanted = new URL(address).searchParams;
  const names = states.map(({ name }) => name);
  return { state: oneOf(names, wanted.get('state')), theme: oneOf(THEMES, wanted.get('theme')), width: oneOf(WIDTHS, wanted.get('width')) };
}

export function writeChoice(choice: PreviewChoice): string {
  return `?${new URLSearchParams({ ...choice }).toString()}`;
}

function oneOf(all: readonly string[], wanted: string | null): string {
  return all.find((one) => one === wanted) ?? all[0] ?? '';
}
