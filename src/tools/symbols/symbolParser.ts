import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Language as Grammar, Parser, Query } from 'web-tree-sitter';
import type { FileSymbols } from '../../engine/repository/symbols.js';
import { EXTRACTION_VERSION, extractSymbols } from './extractSymbols.js';
import type { Language } from './languages.js';

/** Parses source code with tree-sitter. Loads a grammar with the first file of its language. */
export class SymbolParser {
  readonly #folder: string;
  readonly #parser: Parser;
  readonly #loaded = new Map<Language, LoadedLanguage>();

  private constructor(folder: string, parser: Parser) {
    this.#folder = folder;
    this.#parser = parser;
  }

  /** `folder` has the grammars and tree-sitter itself. */
  static async load(folder: string): Promise<SymbolParser> {
    await Parser.init({ wasmBinary: readFileSync(join(folder, 'web-tree-sitter.wasm')) });
    return new SymbolParser(folder, new Parser());
  }

  async parse(language: Language, text: string): Promise<FileSymbols> {
    const { grammar, query } = await this.#load(language);
    this.#parser.setLanguage(grammar);
    const tree = this.#parser.parse(text);
    if (tree === null) {
      throw new TypeError('The parser has no language.');
    }
    try {
      return extractSymbols(query.matches(tree.rootNode), text);
    } finally {
      tree.delete();
    }
  }

  async #load(language: Language): Promise<LoadedLanguage> {
    const known = this.#loaded.get(language);
    if (known !== undefined) {
      return known;
    }
    const grammar = await Grammar.load(readFileSync(join(this.#folder, `tree-sitter-${language.grammar}.wasm`)));
    const loaded = { grammar, query: new Query(grammar, language.query) };
    this.#loaded.set(language, loaded);
    return loaded;
  }
}

interface LoadedLanguage {
  readonly grammar: Grammar;
  readonly query: Query;
}

/** Returns a short hash of everything that decides which symbols a content in this language has. */
export function recipeOf({ grammar, query }: Language): string {
  return createHash('sha256')
    .update(JSON.stringify([EXTRACTION_VERSION, grammar, query]))
    .digest('hex')
    .slice(0, 8);
}
