import { LoupeError, type FailureOptions } from '../../src/engine/errors.js';
import type { FailureCode } from '../../src/engine/failures/failures.js';
import type { ErrorKind } from '../../src/engine/failures/entry.js';

/** One code of each kind, for tests in which the code does not matter. */
const CODE_OF_KIND: Readonly<Record<ErrorKind, FailureCode>> = {
  auth: 'http.keyRefused',
  rateLimit: 'http.rateLimit',
  overloaded: 'http.overloaded',
  network: 'connection.refused',
  timeout: 'http.gaveUp',
  incomplete: 'request.noEndMarker',
  protocol: 'http.notAccepted',
  contextOverflow: 'request.overBudget',
  modelGone: 'http.modelGone',
  refused: 'http.noCredit',
  cancelled: 'request.stopped',
  toolFailed: 'tool.noneRan',
  storage: 'storage.failed',
  invalidInput: 'chat.emptyMessage',
  internal: 'internal.defect',
};

export function failureOf(kind: ErrorKind, message: string, options?: FailureOptions): LoupeError {
  return new LoupeError(CODE_OF_KIND[kind], message, options);
}
