import picomatch from 'picomatch';

/** Also matches files that begin with a dot. Invalid patterns throw. */
const OPTIONS = { dot: true, strictBrackets: true, debug: true } as const;

/**
 * Converts a glob pattern to an expression for workspace paths. Null for an invalid pattern. A pattern without a slash
 * matches in each folder, as in `.gitignore`. Use the expression only in `LineMatcher`: a match may take long.
 */
export function globExpression(pattern: string): RegExp | null {
  const anchored = pattern.startsWith('/') ? pattern.slice(1) : pattern.includes('/') ? pattern : `**/${pattern}`;
  try {
    return picomatch.makeRe(anchored, OPTIONS);
  } catch {
    return null;
  }
}
