import {
  CPP_QUERY,
  CSHARP_QUERY,
  GO_QUERY,
  JAVA_QUERY,
  JAVASCRIPT_QUERY,
  PHP_QUERY,
  PYTHON_QUERY,
  RUBY_QUERY,
  RUST_QUERY,
  TSX_QUERY,
  TYPESCRIPT_QUERY,
} from './queries.js';

export interface Language {
  /** Name of the grammar. Its file is `tree-sitter-<grammar>.wasm`. */
  readonly grammar: string;
  readonly extensions: readonly string[];
  readonly query: string;
}

const LANGUAGES: readonly Language[] = [
  { grammar: 'typescript', extensions: ['ts', 'mts', 'cts'], query: TYPESCRIPT_QUERY },
  { grammar: 'tsx', extensions: ['tsx'], query: TSX_QUERY },
  { grammar: 'javascript', extensions: ['js', 'mjs', 'cjs', 'jsx'], query: JAVASCRIPT_QUERY },
  { grammar: 'python', extensions: ['py', 'pyi'], query: PYTHON_QUERY },
  { grammar: 'go', extensions: ['go'], query: GO_QUERY },
  { grammar: 'rust', extensions: ['rs'], query: RUST_QUERY },
  { grammar: 'java', extensions: ['java'], query: JAVA_QUERY },
  // The grammar of C++ also reads C. A `.h` file can be of both languages.
  { grammar: 'cpp', extensions: ['c', 'h', 'cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx'], query: CPP_QUERY },
  { grammar: 'c-sharp', extensions: ['cs'], query: CSHARP_QUERY },
  { grammar: 'ruby', extensions: ['rb', 'rake'], query: RUBY_QUERY },
  { grammar: 'php', extensions: ['php'], query: PHP_QUERY },
];

const BY_EXTENSION: ReadonlyMap<string, Language> = new Map(
  LANGUAGES.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)),
);

/** Returns the language of a file by the end of its name, or null when Loupe has no grammar for it. */
export function languageOf(path: string): Language | null {
  const dot = path.lastIndexOf('.');
  return dot === -1 ? null : (BY_EXTENSION.get(path.slice(dot + 1).toLowerCase()) ?? null);
}
