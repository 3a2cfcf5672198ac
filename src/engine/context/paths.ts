import { failure } from '../errors.js';

/** `C:` and what follows: also `C:file`, which Windows reads relative to that drive's current folder. */
const DRIVE = /^[A-Za-z]:/;

/**
 * The one spelling of a workspace path: relative to the workspace root, forward slashes, no leading, trailing or
 * doubled ones, no `.` segments. Idempotent. Throws `invalidInput`, in words for the user, for what names no file
 * inside the workspace: an empty path, a `..` segment, a NUL, a Windows drive.
 *
 * A leading slash is stripped, not refused: this function makes keys. Whoever opens files (the host's
 * `WorkspaceFiles`) refuses absolute paths itself.
 */
export function normalizePath(path: string): string {
  if (path.includes('\0')) {
    throw failure('path.nul');
  }
  // Control characters are escaped: error messages stay on one line.
  const quoted = JSON.stringify(path);
  const segments = path
    .replaceAll('\\', '/')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) {
    throw failure('path.leadsOut', { path: quoted });
  }
  const normalized = segments.join('/');
  if (normalized === '') {
    throw failure('path.empty', { path: quoted });
  }
  if (DRIVE.test(normalized)) {
    throw failure('path.drive', { path: quoted });
  }
  return normalized;
}
