import type * as KaTeX from './katex.js';

/** A formula with its marks, as `math.ts` keeps it. */
const FORMULA = /^(\$\$|\$|\\\[|\\\()([\s\S]+?)(?:\$\$|\$|\\\]|\\\))$/;

/** Longer formulas stay text, because KaTeX would take longer than a frame. */
const MAX_LENGTH = 5_000;

/** Renders formulas, and loads KaTeX with the first one. */
export class Formulas {
  #katex: typeof KaTeX | null = null;
  #loading: Promise<typeof KaTeX> | null = null;

  /** Renders the complete formulas below `root`: at once, or when KaTeX has been loaded. */
  show(root: ParentNode): void {
    const elements = [...root.querySelectorAll<HTMLElement>('.math')].filter((element) => formulaOf(element) !== null);
    if (elements.length === 0) {
      return;
    }
    if (this.#katex === null) {
      void this.#loadThenShow(elements);
    } else {
      showAll(elements, this.#katex);
    }
  }

  async #loadThenShow(elements: readonly HTMLElement[]): Promise<void> {
    this.#loading ??= import('./katex.js');
    this.#katex = await this.#loading;
    showAll(elements, this.#katex);
  }
}

function showAll(elements: readonly HTMLElement[], { renderFormula, ParseError }: typeof KaTeX): void {
  for (const element of elements) {
    const formula = formulaOf(element);
    try {
      if (formula !== null) {
        renderFormula(element, formula.tex, formula.isDisplay);
      }
    } catch (error) {
      if (!(error instanceof ParseError)) {
        throw error;
      }
      // The text stays as the model wrote it.
      element.title = error.message;
    }
  }
}

/** Null for a formula that still arrives, is very long, or has hidden characters, which the page shows as elements. */
function formulaOf(element: HTMLElement): { readonly tex: string; readonly isDisplay: boolean } | null {
  const text = element.textContent;
  const [, opening = '', tex = ''] = text.length > MAX_LENGTH || element.childElementCount > 0 ? [] : (FORMULA.exec(text) ?? []);
  return tex === '' ? null : { tex, isDisplay: opening === '$$' || opening === '\\[' };
}
