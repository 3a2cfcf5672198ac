import picomatch from 'picomatch';
import type { FilePatterns } from '../../../engine/context/catalogItem.js';

/**
 * Options of picomatch. As in other editors, `*` also matches names that begin with a dot. Workspace paths have slashes
 * on Windows, too. Invalid patterns throw.
 */
const OPTIONS = { dot: true, windows: false, strictBrackets: true, debug: true } as const;

/**
 * The folders in which a relative pattern matches: every folder, as in VS Code (`anyFolder`); every folder if the
 * pattern has no slash, as in `.gitignore` (`names`); or the workspace folder (`root`). A pattern that begins with `/`
 * or `./` matches only in the workspace folder, one that begins with two stars and a slash in every folder.
 */
export type Anchoring = 'anyFolder' | 'names' | 'root';

/** The files that glob patterns match, and the invalid patterns. */
export interface ReadPatterns {
  /** Tests whether a file matches one of the patterns. Null without a valid pattern. */
  readonly applies: FilePatterns | null;
  readonly invalid: readonly string[];
}

/** Where the patterns of a rule begin. */
export interface PatternPlace {
  /** Path prefix of the workspace folder. */
  readonly prefix: string;
  /** Path prefix of the files for which the rule is. Patterns can also begin here. */
  readonly subfolder: string;
  readonly anchoring: Anchoring;
}

/** Reads the patterns of a rule. Files that match a pattern after `!` are excluded. */
export function filePatterns(patterns: readonly string[], { prefix, subfolder, anchoring }: PatternPlace): ReadPatterns {
  const read = patterns.map((pattern) => {
    const isExcluding = excludes(pattern);
    return { pattern, isExcluding, isMatch: matcher(isExcluding ? pattern.slice(1) : pattern, anchoring) };
  });
  const valid = read.flatMap(({ isMatch, ...each }) => (isMatch === null ? [] : [{ ...each, isMatch }]));
  const invalid = read.filter(({ isMatch }) => isMatch === null).map(({ pattern }) => pattern);
  if (valid.length === 0) {
    return { applies: null, invalid };
  }
  const excluding = valid.filter(({ isExcluding }) => isExcluding);
  const including = valid.filter(({ isExcluding }) => !isExcluding);
  const matches = (path: string): boolean => {
    const paths = [path.slice(prefix.length), path.slice(subfolder.length)];
    const isOneOf = (some: typeof valid): boolean => some.some(({ isMatch }) => paths.some((each) => isMatch(each)));
    return path.startsWith(subfolder) && (including.length === 0 || isOneOf(including)) && !isOneOf(excluding);
  };
  return { applies: { patterns: valid.map(({ pattern }) => pattern), matches, expressions: null }, invalid };
}

/** Whether files that match the pattern are excluded. `!(` begins a group, not an exclusion. */
export function excludes(pattern: string): boolean {
  return /^!(?!\()/.test(pattern);
}

/** Returns patterns that match all files in a folder, including subfolders. `folder` ends with a slash. */
export function folderPatterns(folder: string): FilePatterns {
  return { patterns: [`${folder}**`], matches: (path) => path.startsWith(folder), expressions: null };
}

/** Returns the files that any of the patterns match. Null without patterns. */
export function anyPatterns(all: readonly FilePatterns[]): FilePatterns | null {
  const [only] = all;
  if (only === undefined || all.length === 1) {
    return only ?? null;
  }
  return {
    patterns: [...new Set(all.flatMap(({ patterns }) => patterns))],
    matches: (path, text) => all.some(({ matches }) => matches(path, text)),
    expressions: all.every(({ expressions }) => expressions === null)
      ? null
      : { areSlow: () => all.some(({ expressions }) => expressions?.areSlow() === true) },
  };
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

/** Matches a group without a sign that gives it a meaning, such as `(shop)`: in web frameworks the name of a folder. */
const PLAIN_GROUP = /(?<![\\?*+@!])\(([^()]*)\)/g;

/** Matches the folder of a web framework for all further parts of an address, such as `[...path]` or `[[...path]]`. */
const REST_FOLDER = /(\[{1,2})(\.\.\.[^[\]/]*)(\]{1,2})/g;

/** Returns a function that tests a path. Null for an invalid pattern. */
function matcher(pattern: string, anchoring: Anchoring): ((path: string) => boolean) | null {
  const literal = pattern
    .trim()
    .replace(PLAIN_GROUP, '\\($1\\)')
    .replace(REST_FOLDER, (_, open: string, name: string, close: string) => escaped(open) + name + escaped(close));
  try {
    return picomatch(anchored(literal.replace(/\/$/, '/**'), anchoring), OPTIONS);
  } catch {
    return null;
  }
}

function escaped(signs: string): string {
  return signs.replaceAll(/./g, '\\$&');
}

function anchored(pattern: string, anchoring: Anchoring): string {
  const [start = ''] = /^\.?\//.exec(pattern) ?? [];
  const isInRoot = start !== '' || anchoring === 'root' || (anchoring === 'names' && pattern.includes('/'));
  return isInRoot || pattern.startsWith('**/') ? pattern.slice(start.length) : `**/${pattern}`;
}
