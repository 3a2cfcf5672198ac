import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../support/paths.mjs';

/** About 1 MB of code and prose, the same at every run: what is counted in a real project. */
export function realText(): string {
  const packages = createRequire(join(root, 'package.json'));
  const code = ['typescript/lib/typescript.js', 'esbuild', 'highlight.js/lib/core', 'highlight.js/lib/languages/typescript'];
  const parts = code.map((name) => readFileSync(packages.resolve(name), 'utf8').slice(0, 500_000));
  const prose = readFileSync(join(root, 'README.md'), 'utf8');
  return [...parts, prose.repeat(10)].join('\n');
}

/** Letters without any order or space: no piece of it is met twice. */
export function randomLetters(length: number): string {
  // A linear congruential generator (Numerical Recipes), so that every run counts the same text.
  let state = 42;
  const codes = Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return 97 + ((state >>> 16) % 26);
  });
  return codes.map((code) => String.fromCharCode(code)).join('');
}

/** Ideographs without a space, `length` UTF-16 units. */
export function ideographs(length: number): string {
  return Array.from({ length }, (_, index) => String.fromCharCode(0x4e00 + ((index * 7_919) % 5_000))).join('');
}
