import { failure, type LoupeError } from '../../engine/errors.js';
import { plainReason } from '../../storage/files/failure.js';

/** Matches the system's error code, such as `EACCES`. VS Code reports the code only inside an error message. */
const SYSTEM_ERROR = /^(?:Error: )?(E[A-Z]+): /;

export function writeError(name: string, thrown: unknown): LoupeError {
  const said = plainReason(thrown);
  const code = SYSTEM_ERROR.exec(said)?.[1];
  const reason = plainReason(code === undefined ? said : Object.assign(new Error(said.replace(/^Error: /, '')), { code }));
  return failure('export.notWritten', { name, reason: reason.replace(/\.$/, '') }, { cause: thrown });
}
