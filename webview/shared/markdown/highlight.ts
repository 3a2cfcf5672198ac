import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const LANGUAGES = {
  bash,
  c,
  cpp,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  markdown,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
};

/** Maximum number of characters to highlight. Longer code would take more time than one frame. */
const MAX_HIGHLIGHTED = 50_000;

/** Highlights code in the languages above and their usual aliases (`ts`, `sh`, `html`). */
export class Highlighter {
  readonly #hljs = hljs.newInstance();

  constructor() {
    for (const [name, language] of Object.entries(LANGUAGES)) {
      this.#hljs.registerLanguage(name, language);
    }
  }

  /** Returns HTML with `hljs-` classes. Null for very long code and unknown languages, which Loupe never guesses. */
  highlight(code: string, language: string): string | null {
    if (code.length > MAX_HIGHLIGHTED || this.#hljs.getLanguage(language) === undefined) {
      return null;
    }
    return this.#hljs.highlight(code, { language, ignoreIllegals: true }).value;
  }
}
