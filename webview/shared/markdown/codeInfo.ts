import { fileTarget } from '../controls/links.js';

/** What the info string of a fence says about its code. */
export interface CodeInfo {
  /** '' when unknown. */
  readonly language: string;
  /** The path of a file in the workspace, or null. */
  readonly path: string | null;
}

/** Matches `title="src/a.ts"`, `file=src/a.ts` and the like. */
const NAMED = /\b(?:title|file|filename|path)\s*[=:]\s*["']?([^"'\s}]+)/i;
/** Matches the range of lines that some models write before a path, as in `12:20:src/a.ts`. */
const RANGE = /^\d+:\d+:/;
const EXTENSION = /\.([A-Za-z]\w*)$/;

/** Reads info strings such as `ts`, `ts src/a.ts`, `ts:src/a.ts`, `src/a.ts` and `ts title="src/a.ts"`. */
export function codeInfo(info: string): CodeInfo {
  const [word = '', ...rest] = info.trim().split(/\s+/);
  const [language = '', ...afterColon] = word.replace(RANGE, '').split(':');
  const candidates = [NAMED.exec(info)?.[1], ...afterColon, ...rest, language];
  const path = candidates.find((text): text is string => text !== undefined && isPath(text)) ?? null;
  return { language: path === language ? (EXTENSION.exec(path)?.[1] ?? '') : language, path };
}

/** Whether a text names a file: with an extension that begins with a letter, unlike `3.12`. */
function isPath(text: string): boolean {
  const target = fileTarget(text);
  return target !== null && target.line === null && EXTENSION.test(target.path);
}
