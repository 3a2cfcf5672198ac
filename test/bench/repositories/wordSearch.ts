import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordsOf } from '../../../src/engine/context/rank/words.js';
import type { TokenCounter } from '../../../src/engine/ports.js';
import { languageOf } from '../../../src/tools/symbols/languages.js';
import type { Question } from './questions.js';

/** Lines of a search result. Search tools of coding agents have similar limits. */
const MOST_LINES = 100;
/** Characters of a line. */
const MOST_OF_LINE = 200;

/**
 * How a model without a map finds the file of a question: it searches the source files for one word of the question
 * after another, the longest first, until the right file is in a result. A result has the first lines with the word, as
 * `path:line: text`, in the order of paths.
 */
export class WordSearch {
  readonly #lines: readonly { readonly path: string; readonly shown: string; readonly lower: string }[];
  readonly #counter: TokenCounter;

  constructor(folder: string, counter: TokenCounter) {
    this.#counter = counter;
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
    this.#lines = files
      .filter((path) => languageOf(path) !== null)
      .sort()
      .flatMap((path) => linesOf(path, readFileSync(join(folder, path), 'utf8')));
  }

  /** Returns the tokens of all results until the right file is found, or of all words if no result has it. */
  tokensFor({ text, right }: Question): number {
    let tokens = 0;
    for (const word of [...new Set(wordsOf(text))].sort((a, b) => b.length - a.length)) {
      const found = this.#lines.filter(({ lower }) => lower.includes(word)).slice(0, MOST_LINES);
      tokens += this.#counter.count(found.map(({ shown }) => shown).join('\n'));
      if (found.some(({ path }) => right.includes(path))) {
        break;
      }
    }
    return tokens;
  }
}

function linesOf(path: string, content: string) {
  return content.split('\n').map((text, at) => ({
    path,
    shown: `${path}:${String(at + 1)}: ${text.trim().slice(0, MOST_OF_LINE)}`,
    lower: text.toLowerCase(),
  }));
}
