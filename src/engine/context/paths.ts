import { failure } from '../errors.js';

/** Matches a Windows drive, also in `C:file`, which Windows resolves in the current folder of the drive. */
const DRIVE = /^[A-Za-z]:/;

/** Whether the name of a content is the address of a web page. A normalized path never contains `//`. */
export function isWebAddress(name: string): boolean {
  return /^https?:\/\//.test(name);
}

/**
 * Returns the canonical form of a workspace path: relative to the root, with forward slashes, without `.` segments and
 * without leading, trailing or doubled slashes. Idempotent. Throws `invalidInput` for an empty path, a `..` segment, a
 * NUL or a Windows drive, with a message for the user.
 *
 * A leading slash is stripped, not refused, because this function makes keys. The host's `WorkspaceFiles`, which opens
 * files, refuses absolute paths.
 */
export function normalizePath(path: string): string {
  if (path.includes('\0')) {
    throw failure('path.nul');
  }
  // Escapes control characters: error messages stay on one line.
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
