import type { ParseResult } from '../../src/protocol/parse.js';
import captured from './themes.json';

/* Themes with VS Code's variables for webviews. test/support/workbench/themeVariables.ts writes themes.json. */

export const THEMES: readonly string[] = captured.themes.map(({ label }) => label);

/** Applies the variables and styles of a VS Code theme to a page. */
function wearTheme(page: Document, label: string, nonce: string): void {
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

interface ReplacedHost<Message> {
  readonly parse: (message: unknown) => ParseResult<Message>;
  /** Called with each valid message of the view. The toolbar of the preview also gets the message. */
  readonly receive: (message: Message) => void;
  /** The state that `getState` returns, as if the view had stored it earlier. */
  readonly kept: unknown;
}

/** Provides `acquireVsCodeApi` for the view of this page, in place of VS Code and the host. */
export function replaceHost<Message extends { readonly type: string; readonly message?: unknown }>(
  theme: string,
  { parse, receive, kept }: ReplacedHost<Message>,
): void {
  wearTheme(document, theme, document.querySelector('script')?.nonce ?? '');
  globalThis.acquireVsCodeApi = () => ({
    postMessage: (message) => {
      const parsed = parse(message);
      if (!parsed.ok) {
        console.error(`The host would drop this message: ${parsed.reason}`);
        return;
      }
      window.parent.postMessage(parsed.message, location.origin);
      if (parsed.message.type === 'webviewError') {
        console.error(parsed.message.message);
      }
      receive(parsed.message);
    },
    getState: () => kept,
    setState: () => undefined,
  });
}

/** Widths in pixels: the narrowest side bar, the usual side bar, a wide side bar, and two editors. */
export const WIDTHS = ['300', '400', '600', '900', '1100'] as const;

/** The chosen state, theme and width. The address of the page contains them, so a reload keeps them. */
export interface PreviewChoice {
  readonly state: string;
  readonly theme: string;
  readonly width: string;
}

/** Reads the choice from an address. Replaces missing or unknown values by the first state, theme or width. */
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
