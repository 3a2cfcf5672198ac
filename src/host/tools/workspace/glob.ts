import picomatch from 'picomatch';

/** Files that begin with a dot are files like others. A pattern that cannot be read throws. */
const OPTIONS = { dot: true, strictBrackets: true, debug: true } as const;

/**
 * A glob pattern as an expression for workspace paths; null for one that cannot be read. A pattern without a slash names files of every
 * folder, as in `.gitignore`. The expression may take long: it is for `LineMatcher`.
 */
export function globExpression(pattern: string): RegExp | null {
  const anchored = pattern.startsWith('/') ? pattern.slice(1) : pattern.includes('/') ? pattern : `**/${pattern}`;
  try {
    return picomatch.makeRe(anchored, OPTIONS);
  } catch {
    return null;
  }
}
