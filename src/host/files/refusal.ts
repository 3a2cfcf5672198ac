/** Why a file or folder is not taken. `reason` is a sentence for the user that names it. */
export interface Refusal {
  readonly ok: false;
  readonly kind: 'missing' | 'refused';
  readonly reason: string;
}

export function refused(reason: string): Refusal {
  return { ok: false, kind: 'refused', reason };
}

export function missing(path: string): Refusal {
  return { ok: false, kind: 'missing', reason: `${path} does not exist.` };
}

/** The code of a failed system call, as `ENOENT`; the error's text for any other error. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error);
}

const REASONS: Readonly<Record<string, string>> = {
  ELOOP: 'goes through links that lead to each other in a circle',
  EACCES: 'may not be read: the permission is missing',
  EPERM: 'may not be read: the permission is missing',
  ENAMETOOLONG: 'has a name that is too long',
};

/** A failed system call on `path`, in words. */
export function systemRefusal(path: string, error: unknown): Refusal {
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return missing(path);
  }
  const words = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  return refused(`${path} ${words ?? `cannot be read (${code})`}.`);
}
