import { failure, type LoupeError } from '../../engine/errors.js';

/** Codes of Node for a host without an address. */
const UNKNOWN = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA']);
/** Codes of Node for a host without a server. */
const NO_SERVER = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);

/** Matches Node's codes for a failure of TLS. */
const TLS_CODE = /^(?:ERR_SSL_|ERR_TLS_|EPROTO$|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|CRL_|HOSTNAME_MISMATCH$)/;

/** Returns the error of a failed connection to the host of a page. */
export function connectionFailure(thrown: unknown, host: string): LoupeError {
  const code = codeOf(thrown);
  const options = { cause: thrown };
  if (UNKNOWN.has(code)) {
    return failure('page.unknownHost', { host }, options);
  }
  if (NO_SERVER.has(code)) {
    return failure('page.noServer', { host }, options);
  }
  return failure(TLS_CODE.test(code) ? 'page.notSecure' : 'page.connection', { host }, options);
}

/** Returns the code of an error, or of the first error of several attempts to connect. */
function codeOf(thrown: unknown): string {
  const error = thrown instanceof AggregateError && !('code' in thrown) ? (thrown.errors[0] as unknown) : thrown;
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
