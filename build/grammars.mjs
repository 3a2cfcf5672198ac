// Copies tree-sitter and the grammars of the languages that the repository map knows. For their use, see
// src/tools/symbols/symbolParser.ts.

import { copyFile, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package with the grammars. */
export const GRAMMAR_DATA = '@vscode/tree-sitter-wasm';

/** Names as in src/tools/symbols/languages.ts. */
const GRAMMARS = ['typescript', 'tsx', 'javascript', 'python', 'go', 'rust', 'java', 'cpp', 'c-sharp', 'ruby', 'php'];

const packages = fileURLToPath(new URL('../node_modules', import.meta.url));

/** @param {string} folder - gets the files */
export async function copyGrammars(folder) {
  await mkdir(folder, { recursive: true });
  const files = [
    join(packages, 'web-tree-sitter/web-tree-sitter.wasm'),
    ...GRAMMARS.map((name) => join(packages, GRAMMAR_DATA, `wasm/tree-sitter-${name}.wasm`)),
  ];
  await Promise.all(files.map((file) => copyFile(file, join(folder, basename(file)))));
}
