/*
 * Links in a model's text. The panel never navigates. The host opens a link with an allowed target. Any other link
 * shows its target and does nothing.
 */

const OPENABLE = /^(?:https?:\/\/|mailto:)[^\s]/i;

/** A file that a link names, as a path in the workspace. The host checks whether it exists. */
export interface FileTarget {
  readonly path: string;
  /** From 1; null when the link names no line. */
  readonly line: number | null;
}

/** `src/a.ts`, `src/a.ts:12`, `src/a.ts:12-20`, `src/a.ts#L12`, `src/a.ts#L12-L20`. */
const FILE = /^([^\s:#?\\/][^:#?\\]{0,999}?)(?::(\d{1,7})(?:[-:]\d{1,7})?|#L(\d{1,7})(?:-L?\d{1,7})?)?$/;

/** Returns the file of a link's target. Null for other targets, absolute paths and paths with `..`. */
export function fileTarget(href: string): FileTarget | null {
  const [, path, afterColon, afterHash] = FILE.exec(decoded(href)) ?? [];
  // eslint-disable-next-line no-control-regex -- no path that a user can read has such characters
  if (path === undefined || !/[./]/.test(path) || path.split('/').includes('..') || /[\0-\x1F]/.test(path)) {
    return null;
  }
  const line = afterColon ?? afterHash;
  return { path, line: line === undefined ? null : Math.max(1, Number(line)) };
}

/** Removes the percent encoding that the parser adds. Returns the target unchanged when the encoding is broken. */
function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

/** Whether the user may open the target: http, https or mailto; never `command:`, `javascript:`, `file:`, `data:`. */
export function mayOpen(href: string): boolean {
  return OPENABLE.test(href);
}
