import { failure } from '../errors.js';

/** Matches a drive, also in `C:file`, which Windows reads relative to that drive's current folder. */
const DRIVE = /^[A-Za-z]:/;

/**
 * The canonical spelling of a workspace path: relative to the workspace root, with forward slashes, without leading,
 * trailing or doubled slashes, without `.` segments. Idempotent. Throws `invalidInput`, in words for the user, for a path
 * that names no file inside the workspace: an empty path, a `..` segment, a NUL, a Windows drive.
 *
 * A leading slash is stripped, not refused, because this function makes keys. The host's `WorkspaceFiles`, which opens
 * files, refuses absolute paths.
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
