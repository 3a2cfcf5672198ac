import { isAbsolute } from 'node:path';
import * as z from 'zod/mini';
import { normalizePath } from '../../../engine/context/paths.js';
import { toLoupeError } from '../../../engine/errors.js';

/** A path of a file of the workspace, as a model writes it, in its canonical spelling. What leads out is refused. */
export const PATH = z.pipe(
  z.string(),
  z.transform((given, { issues }) => canonical(given, issues)),
);

/** As `PATH`, for a folder; the workspace itself is ''. */
export const FOLDER = z.pipe(
  z.optional(z.string()),
  z.transform((given, { issues }) => (WORKSPACE.has(given) ? '' : canonical(given ?? '', issues))),
);

/** How models name the workspace itself. */
const WORKSPACE: ReadonlySet<string | undefined> = new Set([undefined, '', '.', './', '/']);

type Issues = z.core.ParsePayload['issues'];

function canonical(given: string, issues: Issues): string {
  try {
    // A path of Windows, which other systems take for a name: `\\\\server\\share`.
    if (!isAbsolute(given) && !given.startsWith('\\')) {
      return normalizePath(given);
    }
    issues.push({ code: 'custom', input: given, message: 'Use a path within the workspace, not an absolute one.' });
  } catch (thrown) {
    issues.push({ code: 'custom', input: given, message: toLoupeError(thrown).message });
  }
  return z.NEVER;
}
