import picomatch from 'picomatch';
import { dirname } from 'node:path/posix';
import type { FilePatterns } from '../../../engine/context/catalogItem.js';

/** Files that begin with a dot are files like others, as in other editors. Patterns that cannot be read throw. */
const OPTIONS = { dot: true, strictBrackets: true, debug: true } as const;

/** The files that glob patterns name, and the patterns that cannot be read. */
export interface ReadPatterns {
  /** Null where no pattern can be read. */
  readonly applies: FilePatterns | null;
  readonly invalid: readonly string[];
}

/**
 * Reads the patterns of a rule. They are relative to a workspace folder, the paths of whose files begin with `prefix`. A pattern that
 * begins with neither `/` nor `**` + `/` counts in every folder, as VS Code has it (`computeAutomaticInstructions.ts`).
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

/** The files in the folder of a file, and below it. */
export function folderPatterns(source: string): FilePatterns {
  const folder = `${dirname(source)}/`;
  return { patterns: [`${folder}**`], matches: (path) => path.startsWith(folder) };
}

/** Patterns as front matter has them: a list, or a text with commas between them. */
export function patternsIn(value: unknown): readonly string[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  return given.flatMap((each) => (typeof each === 'string' ? separated(each).map((pattern) => pattern.trim()) : [])).filter(Boolean);
}

/** The parts of a text between its commas, but for those in braces and in parts in quotes. */
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

/** Null for a pattern that cannot be read. */
function matcher(pattern: string): ((path: string) => boolean) | null {
  const anchored = pattern.startsWith('/') ? pattern.slice(1) : pattern.startsWith('**/') ? pattern : `**/${pattern}`;
  try {
    return picomatch(anchored, OPTIONS);
  } catch {
    return null;
  }
}
