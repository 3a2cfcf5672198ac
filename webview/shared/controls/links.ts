/*
 * Links in a model's text. The browser never follows them. The host opens links with allowed targets. All other links
 * are shown as text with their target.
 */

const OPENABLE = /^(?:https?:\/\/|mailto:)[^\s]/i;

/** The workspace file of a link. The host checks whether the file exists. */
export interface FileTarget {
  readonly path: string;
  /** Line number, from 1. Null for a link without a line. */
  readonly line: number | null;
}

/** Matches `src/a.ts`, `src/a.ts:12`, `src/a.ts:12-20`, `src/a.ts#L12`, `src/a.ts#L12-L20`. */
const FILE = /^([^\s:#?\\/][^:#?\\]{0,999}?)(?::(\d{1,7})(?:[-:]\d{1,7})?|#L(\d{1,7})(?:-L?\d{1,7})?)?$/;

/** Returns the workspace file of a link. Null for other targets, absolute paths and paths with `..`. */
export function fileTarget(href: string): FileTarget | null {
  const [, path, afterColon, afterHash] = FILE.exec(decoded(href)) ?? [];
  // eslint-disable-next-line no-control-regex -- no path that a user can read has such characters
  if (path === undefined || !/[./]/.test(path) || path.split('/').includes('..') || /[\0-\x1F]/.test(path)) {
    return null;
  }
  const line = afterColon ?? afterHash;
  return { path, line: line === undefined ? null : Math.max(1, Number(line)) };
}

/** Removes the percent encoding that the parser adds. Returns an invalid encoding unchanged. */
function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

/** Whether Loupe may open the target: http, https, mailto. Never `command:`, `javascript:`, `file:`, `data:`. */
export function mayOpen(href: string): boolean {
  return OPENABLE.test(href);
}
