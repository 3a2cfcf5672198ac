import { assertNever } from '../../../engine/assertNever.js';
import type { FileRead } from '../../../engine/context/fileContents.js';
import { isNotebook } from '../../../engine/context/notebook.js';
import type { FileProblem } from '../../../engine/record/fileProblem.js';

/** The refusal of a file or folder. `reason` is a sentence for the user that names the file. */
export type Refusal = Extract<FileRead, { readonly ok: false }>;

/** Returns the refusal of a file or folder. `path` is its name in texts for the user. */
export function refused(path: string, problem: FileProblem): Refusal {
  return { ok: false, problem, reason: problemText(path, problem) };
}

/** Returns the code of a failed system call, such as `ENOENT`. For other errors, returns the text. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error);
}

export function systemRefusal(path: string, error: unknown): Refusal {
  const system = errorCode(error);
  return refused(path, system === 'ENOENT' || system === 'ENOTDIR' ? { code: 'missing' } : { code: 'unreadable', system });
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ELOOP: 'cannot be opened: its links form a circle',
  EACCES: 'cannot be read: you have no permission to read it',
  EPERM: 'cannot be read: you have no permission to read it',
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

export function problemText(path: string, problem: FileProblem): string {
  switch (problem.code) {
    case 'missing':
      return `${path} does not exist.`;
    case 'notAFile':
      return `${path} is ${KINDS[problem.what]}, not a file.`;
    case 'notAFolder':
      return `${path} is not a folder.`;
    case 'tooLarge':
      return `${path} is too large (${(problem.bytes / (1024 * 1024)).toFixed(1)} MB; limit ${isNotebook(path) ? '4 MB, or 1 MB without outputs' : '1 MB'}).`;
    case 'tooLargeUnsaved':
      return `${path} is too large with its unsaved changes (limit 1 MB).`;
    case 'binary':
      return `${path} is not a text file.`;
    case 'notUtf8':
      return `${path} is not valid text in its encoding. Select its encoding in VS Code, or save it as UTF-8.`;
    case 'replaced':
      return `${path} was replaced by another file while it was opened. Add it again.`;
    case 'leadsOut':
      return `${path} links to a place outside the workspace.`;
    case 'unreadable':
      return `${path} ${systemReason(problem.system)}.`;
    case 'shadowed':
      return `${path} has the same text as ${problem.by}. Loupe sends the text once.`;
    case 'overruled':
      return `${path} is not sent, because ${problem.by} replaces it.`;
    case 'absolutePath':
      return `${path} is an absolute path. Use a path relative to the workspace folder.`;
    case 'notRead':
      return `Loupe reads ${path} from its server when you send a message.`;
    case 'invalidPath':
    case 'failed':
    case 'serverFailed':
      return problem.text;
    default:
      return assertNever(problem);
  }
}

function systemReason(code: string): string {
  return (Object.hasOwn(SYSTEM_REASONS, code) ? SYSTEM_REASONS[code] : undefined) ?? `cannot be read (${code})`;
}
