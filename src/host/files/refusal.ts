import { assertNever } from '../../engine/assertNever.js';
import type { FileRead } from '../../engine/context/fileContext.js';
import type { FileProblem } from '../../engine/context/fileProblem.js';

/** Why a file or folder is not taken. `reason` is a sentence for the user that names it. */
export type Refusal = Extract<FileRead, { readonly ok: false }>;

/** A refusal of what the user knows as `path`. */
export function refused(path: string, problem: FileProblem): Refusal {
  return { ok: false, problem, reason: problemText(path, problem) };
}

/** The code of a failed system call, as `ENOENT`; the error's text for any other error. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error);
}

/** A failed system call on `path`. */
export function systemRefusal(path: string, error: unknown): Refusal {
  const system = errorCode(error);
  return refused(path, system === 'ENOENT' || system === 'ENOTDIR' ? { code: 'missing' } : { code: 'unreadable', system });
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ELOOP: 'goes through links that lead to each other in a circle',
  EACCES: 'may not be read: the permission is missing',
  EPERM: 'may not be read: the permission is missing',
  ENAMETOOLONG: 'has a name that is too long',
};

const KINDS = {
  folder: 'a folder',
  pipe: 'a pipe (FIFO)',
  socket: 'a socket',
  device: 'a device',
  link: 'a link',
  unknown: 'of an unknown kind',
} as const;

/** A sentence for the user that names `path`. */
export function problemText(path: string, problem: FileProblem): string {
  switch (problem.code) {
    case 'missing':
      return `${path} does not exist.`;
    case 'notAFile':
      return `${path} is ${KINDS[problem.what]}, not a file.`;
    case 'notAFolder':
      return `${path} is no folder.`;
    case 'tooLarge':
      return `${path} is too large: ${(problem.bytes / (1024 * 1024)).toFixed(1)} MiB, and files of at most 1 MiB go into a request.`;
    case 'tooLargeUnsaved':
      return `${path} has more than 1 MiB with its unsaved changes.`;
    case 'binary':
      return `${path} is a binary file (or text in UTF-16): it holds NUL bytes.`;
    case 'notUtf8':
      return `${path} is no UTF-8 text. Save it as UTF-8 to add it.`;
    case 'replaced':
      return `${path} was replaced by another file while it was being opened.`;
    case 'leadsOut':
      return `${path} leads out of the workspace through a link.`;
    case 'unreadable':
      return `${path} ${systemReason(problem.system)}.`;
    case 'absolutePath':
      return `${path} is an absolute path; files are named relative to the workspace folder.`;
    case 'invalidPath':
      return problem.text;
    default:
      return assertNever(problem);
  }
}

function systemReason(code: string): string {
  return (Object.hasOwn(SYSTEM_REASONS, code) ? SYSTEM_REASONS[code] : undefined) ?? `cannot be read (${code})`;
}
