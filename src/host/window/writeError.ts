import { failure, type LoupeError } from '../../engine/errors.js';
import { plainReason } from '../../storage/files/failure.js';

/** Finds the system's error code, such as `EACCES`, which VS Code reports only inside the message of its error. */
const SYSTEM_ERROR = /^(?:Error: )?(E[A-Z]+): /;

/** Returns the error for an export file that VS Code could not write. */
export function writeError(name: string, thrown: unknown): LoupeError {
  const said = plainReason(thrown);
  const code = SYSTEM_ERROR.exec(said)?.[1];
  const reason = plainReason(code === undefined ? said : Object.assign(new Error(said.replace(/^Error: /, '')), { code }));
  return failure('export.notWritten', { name, reason: reason.replace(/\.$/, '') }, { cause: thrown });
}
