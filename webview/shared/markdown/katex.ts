import 'katex/dist/katex.min.css';
// Copies a selected formula as its TeX source.
import 'katex/contrib/copy-tex';
import katex from 'katex';

/*
 * An entry point of its own: the page loads KaTeX, its style sheet and its fonts with the first formula.
 * KaTeX sets styles through the DOM, which the content security policy allows.
 */

const LARGEST_EM = 20;

await new Promise((resolve, reject) => {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  // The build writes the style sheet next to this script.
  link.href = new URL('katex.css', import.meta.url).href;
  link.addEventListener('load', resolve);
  link.addEventListener('error', () => {
    reject(new Error(`The style sheet for formulas could not be loaded: ${link.href}`));
  });
  document.head.append(link);
});

/** Replaces the content of `element`. Throws a ParseError, and leaves the element unchanged, for TeX with a mistake. */
export function renderFormula(element: HTMLElement, tex: string, displayMode: boolean): void {
  const formula = document.createElement('span');
  katex.render(tex, formula, { displayMode, maxSize: LARGEST_EM, strict: 'ignore', throwOnError: true, trust: false });
  element.replaceChildren(...formula.childNodes);
}

export const { ParseError } = katex;
