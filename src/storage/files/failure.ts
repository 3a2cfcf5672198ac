import { failure, LoupeError } from '../../engine/errors.js';

/** The usual system errors in plain words. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'your disk quota is used up',
  EFBIG: 'the file has reached the size the system allows',
  EACCES: 'access was denied',
  EPERM: 'access was denied',
  EROFS: 'the disk is read-only',
  EIO: 'the disk reported an error',
  ENOENT: 'the file or its folder is gone',
  ENOTDIR: 'a file is in the place of a folder',
  EISDIR: 'a folder is in the place of a file',
  EFTYPE: 'it is not a regular file',
  EMFILE: 'too many files are open',
};

/** System errors that the user can resolve. */
const CODES: Readonly<Record<string, 'storage.full' | 'storage.denied'>> = {
  ENOSPC: 'storage.full',
  EDQUOT: 'storage.full',
  EACCES: 'storage.denied',
  EPERM: 'storage.denied',
  EROFS: 'storage.denied',
};

/** The code of a system error, such as `ENOENT`; null for anything else. */
export function systemCode(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null;
}

/** Why something failed, in plain words and without a full stop. Looks at an error's cause when the error has no known code. */
export function plainReason(thrown: unknown): string {
  const known = REASONS[systemCode(thrown) ?? ''];
  if (known !== undefined) {
    return known;
  }
  if (!(thrown instanceof Error)) {
    return String(thrown);
  }
  return thrown.cause === undefined ? thrown.message : plainReason(thrown.cause);
}

/**
 * The error for the user. `what` says what did not work, as the start of a sentence ("This chat could not be saved").
 * A `LoupeError` is returned unchanged.
 */
export function storageError(what: string, cause: unknown): LoupeError {
  return cause instanceof LoupeError ? cause : failure(failureCode(cause), { what, reason: plainReason(cause) }, { cause });
}

/** Runs `work`. Turns its errors into `LoupeError`s with the words `what`, see `storageError`. */
export async function withStorageError<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw storageError(what, thrown);
  }
}

/** The result of `found`; `otherwise` when the file or folder is missing (`ENOENT`). */
export async function orIfMissing<T, O>(found: Promise<T>, otherwise: O): Promise<T | O> {
  try {
    return await found;
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') {
      return otherwise;
    }
    throw thrown;
  }
}

/** Waits for `work`, and reports a failure as the error for the user. For work that no caller waits for. */
export async function reported(what: string, work: Promise<unknown>, report: (error: Error) => void): Promise<void> {
  try {
    await work;
  } catch (thrown) {
    report(storageError(what, thrown));
  }
}

/** As in `plainReason`, looks at an error's cause when the error has no known code. */
function failureCode(thrown: unknown): 'storage.full' | 'storage.denied' | 'storage.failed' {
  const code = systemCode(thrown);
  return code === null && thrown instanceof Error && thrown.cause !== undefined
    ? failureCode(thrown.cause)
    : (CODES[code ?? ''] ?? 'storage.failed');
}
