import picomatch from 'picomatch';
import { dirname } from 'node:path/posix';
import type { FilePatterns } from '../../../engine/context/catalogItem.js';

/** Options of picomatch. As in other editors, `*` also matches names that begin with a dot. Invalid patterns throw. */
const OPTIONS = { dot: true, strictBrackets: true, debug: true } as const;

/** The files that glob patterns match, and the invalid patterns. */
export interface ReadPatterns {
  /** Tests whether a file matches one of the patterns. Null without a valid pattern. */
  readonly applies: FilePatterns | null;
  readonly invalid: readonly string[];
}

/**
 * Reads the patterns of a rule, relative to the workspace folder with the path prefix `prefix`. A pattern that starts
 * with neither `/` nor `**` + `/` matches in every folder, as in VS Code (`computeAutomaticInstructions.ts`).
 */
export function filePatterns(patterns: readonly string[], prefix: string): ReadPatterns {
  const read = patterns.map((pattern) => ({ pattern, isMatch: matcher(pattern) }));
  const valid = read.flatMap(({ pattern, isMatch }) => (isMatch === null ? [] : [{ pattern, isMatch }]));
  const invalid = read.filter(({ isMatch }) => isMatch === null).map(({ pattern }) => pattern);
  if (valid.length === 0) {
    return { applies: null, invalid };
  }
  const matches = (path: string): boolean => path.startsWith(prefix) && valid.some(({ isMatch }) => isMatch(path.slice(prefix.length)));
  return { applies: { patterns: valid.map(({ pattern }) => pattern), matches }, invalid };
}

/** Returns patterns that match all files in the folder of `source`, including subfolders. */
export function folderPatterns(source: string): FilePatterns {
  const folder = `${dirname(source)}/`;
  return { patterns: [`${folder}**`], matches: (path) => path.startsWith(folder) };
}

/** Returns the patterns in a front matter value: a list, or a text with commas. */
export function patternsIn(value: unknown): readonly string[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  return given.flatMap((each) => (typeof each === 'string' ? separated(each).map((pattern) => pattern.trim()) : [])).filter(Boolean);
}

/** Splits a text at commas outside of braces and quotes. */
export function separated(text: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  let depth = 0;
  let quote = '';
  for (const char of text) {
    if (char === ',' && depth === 0 && quote === '') {
      parts.push(part);
      part = '';
      continue;
    }
    if (char === quote) {
      quote = '';
    } else if ((char === '"' || char === "'") && /^\s*$/.test(part)) {
      quote = char;
    } else if (char === '{' || char === '}') {
      depth = Math.max(0, depth + (char === '{' ? 1 : -1));
    }
    part += char;
  }
  return [...parts, part];
}

/** Returns a function that tests a path. Null for an invalid pattern. */
function matcher(pattern: string): ((path: string) => boolean) | null {
  const anchored = pattern.startsWith('/') ? pattern.slice(1) : pattern.startsWith('**/') ? pattern : `**/${pattern}`;
  try {
    return picomatch(anchored, OPTIONS);
  } catch {
    return null;
  }
}
