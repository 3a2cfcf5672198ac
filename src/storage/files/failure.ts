import { failure, LoupeError } from '../../engine/errors.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'your disk quota is used up',
  EFBIG: 'the file has reached the size limit of the system',
  EACCES: 'access was denied',
  EPERM: 'access was denied',
  EROFS: 'the disk is read-only',
  EIO: 'the disk reported an error',
  ENOENT: 'the file or its folder does not exist',
  ENOTDIR: 'a file exists where a folder is expected',
  EISDIR: 'a folder exists where a file is expected',
  EFTYPE: 'it is not a regular file',
  EMFILE: 'too many files are open',
};

/** Codes of system errors that the user can fix. */
const CODES: Readonly<Record<string, 'storage.full' | 'storage.denied'>> = {
  ENOSPC: 'storage.full',
  EDQUOT: 'storage.full',
  EACCES: 'storage.denied',
  EPERM: 'storage.denied',
  EROFS: 'storage.denied',
};

/** Returns the code of a system error, such as `ENOENT`. Null for other values. */
export function systemCode(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null;
}

/** Returns the reason of an error in plain words, without a full stop. Looks at the cause if the code is unknown. */
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

/** Returns the error for the user. `what` starts the sentence, such as "This chat could not be saved". */
export function storageError(what: string, cause: unknown): LoupeError {
  return cause instanceof LoupeError ? cause : failure(failureCode(cause), { what, reason: plainReason(cause) }, { cause });
}

/** Runs `work` and converts its errors like `storageError`. */
export async function withStorageError<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw storageError(what, thrown);
  }
}

/** Returns the result of `found`, or `otherwise` when the file or folder is missing (`ENOENT`). */
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

/** Waits for work in the background, and passes a failure to `report` as an error for the user. */
export async function reported(what: string, work: Promise<unknown>, report: (error: Error) => void): Promise<void> {
  try {
    await work;
  } catch (thrown) {
    report(storageError(what, thrown));
  }
}

/** Returns the failure code of an error. Looks at the cause if the error has no system error code. */
function failureCode(thrown: unknown): 'storage.full' | 'storage.denied' | 'storage.failed' {
  const code = systemCode(thrown);
  return code === null && thrown instanceof Error && thrown.cause !== undefined
    ? failureCode(thrown.cause)
    : (CODES[code ?? ''] ?? 'storage.failed');
}
