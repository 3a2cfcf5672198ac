import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../support/paths.mjs';

/** About 1 MB of code and prose, file by file as a chat counts them. The same in each run. */
export function realTexts(): readonly string[] {
  const packages = createRequire(join(root, 'package.json'));
  const code = ['mocha/mocha.js', 'fast-check', 'esbuild', 'highlight.js/lib/core', 'highlight.js/lib/languages/typescript'];
  const prose = ['README.md', 'node_modules/typescript/README.md', 'node_modules/markdown-it/README.md'];
  return [
    ...code.map((name) => readFileSync(packages.resolve(name), 'utf8').slice(0, LONGEST_FILE)),
    ...prose.map((name) => readFileSync(join(root, name), 'utf8').repeat(PROSE_REPEATS)),
  ];
}

/** Characters used of a long file. */
const LONGEST_FILE = 500_000;
/** Gives about as much prose as a chat with some files has. */
const PROSE_REPEATS = 4;

/** Random letters without spaces: no piece occurs twice. */
export function randomLetters(length: number): string {
  // A linear congruential generator (Numerical Recipes): each run counts the same text.
  let state = 42;
  const codes = Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return 97 + ((state >>> 16) % 26);
  });
  return codes.map((code) => String.fromCharCode(code)).join('');
}

/** Ideographs without spaces, `length` UTF-16 units. */
export function ideographs(length: number): string {
  return Array.from({ length }, (_, index) => String.fromCharCode(0x4e00 + ((index * 7_919) % 5_000))).join('');
}
